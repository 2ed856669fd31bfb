import { describe, expect, it } from 'vitest';
import type { Attempt } from '../../../../src/bridge/model/delivery.ts';
import {
  type DeliveryId,
  id,
  type RunId,
  type SessionId,
} from '../../../../src/bridge/model/ids.ts';
import type { RunHandle } from '../../../../src/bridge/model/run-state.ts';
import { createKeyboard } from '../../../../src/provider/claude-code/keyboard.ts';
import { resolveReply } from '../../../../src/provider/claude-code/resolve.ts';
import { MemoryAttempts } from '../../../../src/verify/attempts.ts';
import { fakeBox, fakePane, fakeStatus } from '../../../fakes/fake-picker.ts';
import { JumpClock } from '../../../fakes/jump-clock.ts';

const run: RunHandle = {
  id: id<RunId>('r'),
  pid: 9,
  procStart: '1',
  startedAt: 0,
  cwd: '/',
  pane: fakePane,
};
const attempt: Attempt = {
  delivery: id<DeliveryId>('d'),
  run: run.id,
  session: id<SessionId>('s'),
  file: undefined,
  offset: 0,
  kind: 'reply',
  text: 'hello',
  stage: 'proved',
  at: 0,
};

/** An idle agent whose box shows these screens, one a look; the last one stays. */
const resolveOn = (screens: readonly string[], status: 'idle' | 'busy' = 'idle') => {
  const clock = new JumpClock();
  let looks = 0;
  const refuse = () => Promise.reject(new Error('nothing is typed'));
  return resolveReply(
    {
      clock,
      look: async () => {
        const screen = screens[Math.min(looks, screens.length - 1)] ?? '';
        looks += 1;
        return { found: true, status: fakeStatus, screen };
      },
      keyboard: createKeyboard({ clock, tmux: { keys: refuse, paste: refuse } }),
      leaveMode: async () => ({ found: true, status: fakeStatus }),
      notify: async () => undefined,
      registry: async () => ({
        pid: 9,
        sessionId: 's',
        cwd: '/',
        startedAt: 0,
        procStart: '1',
        version: '2.1.332',
        kind: 'interactive',
        status,
      }),
      process: async () => ({ isAlive: true, isStopped: false, isInFront: true }),
      transcript: async () => undefined,
    },
    run,
    attempt,
    {
      delivery: attempt.delivery,
      deadline: clock.now() + 3_000,
      signal: new AbortController().signal,
      attempts: new MemoryAttempts(),
      typing: (work) => work(),
      by: 'Alice',
      again: false,
    },
  );
};

describe('D3: was a proved reply un-sent?', () => {
  it('is returned although the box is drawn after the registry says idle', async () => {
    const late = [fakeBox(), fakeBox(), fakeBox(), fakeBox('hello')];
    expect(await resolveOn(late)).toMatchObject({ status: 'returned' });
  });

  it('stays confirmed while the agent works, and where the box stays empty or holds other words', async () => {
    expect(await resolveOn([fakeBox('hello')], 'busy')).toEqual({ status: 'confirmed' });
    expect(await resolveOn([fakeBox()])).toEqual({ status: 'confirmed' });
    expect(await resolveOn([fakeBox('hello there')])).toEqual({ status: 'confirmed' });
  });
});
