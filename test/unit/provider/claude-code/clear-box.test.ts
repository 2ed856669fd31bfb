import { beforeEach, describe, expect, it } from 'vitest';
import type { Attempt } from '../../../../src/bridge/model/delivery.ts';
import { type DeliveryId, id, type RunId } from '../../../../src/bridge/model/ids.ts';
import type { RunHandle } from '../../../../src/bridge/model/run-state.ts';
import type { DeliveryContext } from '../../../../src/bridge/ports/agent-provider.ts';
import { createKeyboard } from '../../../../src/provider/claude-code/keyboard.ts';
import type { ProcessSight } from '../../../../src/provider/claude-code/readiness.ts';
import { clearReturned } from '../../../../src/provider/claude-code/resolve.ts';
import type { SubmitDeps } from '../../../../src/provider/claude-code/submit.ts';
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
  session: undefined,
  file: undefined,
  offset: 0,
  kind: 'reply',
  text: 'hello',
  stage: 'returned',
  at: 0,
};

describe('D5: taking a returned text out of the box', () => {
  const clock = new JumpClock();
  let screen: string;
  let pressed: number;
  let waitingFor: string;
  let process: ProcessSight;

  beforeEach(() => {
    screen = fakeBox('hello');
    pressed = 0;
    waitingFor = '';
    process = { isAlive: true, isStopped: false, isInFront: true };
  });

  const deps: SubmitDeps = {
    clock,
    look: async () => ({ found: true, status: fakeStatus, screen }),
    keyboard: createKeyboard({
      clock,
      tmux: {
        keys: async () => {
          pressed += 1;
          screen = fakeBox();
          return { typed: true };
        },
        paste: () => Promise.reject(new Error('nothing is pasted')),
      },
    }),
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
      status: waitingFor === '' ? 'idle' : 'waiting',
      waitingFor,
    }),
    process: async () => process,
    transcript: async () => undefined,
  };
  const clear = () => {
    const ctx: DeliveryContext = {
      delivery: attempt.delivery,
      deadline: clock.now() + 5_000,
      signal: new AbortController().signal,
      attempts: new MemoryAttempts(),
      by: 'Alice',
      again: false,
      typing: (work) => work(),
    };
    return clearReturned(deps, run, attempt, ctx);
  };

  it('goes by the keys, and the box is seen empty', async () => {
    expect(await clear()).toMatchObject({ reason: { why: 'discarded' } });
    expect(pressed).toBe(1);
  });

  it('changed since, it is left alone', async () => {
    screen = fakeBox('hello and more');
    expect(await clear()).toMatchObject({ reason: { why: 'discarded' } });
    expect(pressed).toBe(0);
  });

  it.each<[string, { waiting?: string } & Partial<ProcessSight>]>([
    ['a dialog is coming that is not on the screen yet', { waiting: 'input needed' }],
    ['another program stands in front', { isInFront: false }],
    ['the agent is suspended', { isStopped: true }],
  ])('D2: no key goes when %s, and it is still known as ours', async (_, more) => {
    waitingFor = more.waiting ?? '';
    process = { ...process, ...more };
    expect(await clear()).toMatchObject({ status: 'held' });
    expect(pressed).toBe(0);
  });
});
