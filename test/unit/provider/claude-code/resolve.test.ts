import { describe, expect, it } from 'vitest';
import type { Attempt } from '../../../../src/bridge/model/delivery.ts';
import { type DeliveryId, id, type SessionId } from '../../../../src/bridge/model/ids.ts';
import { resolveReply } from '../../../../src/provider/claude-code/resolve.ts';
import {
  fakeBox,
  fakeContext,
  fakeDeps,
  fakeEntry,
  fakeRun,
  fakeStatus,
} from '../../../fakes/fake-agent.ts';
import { JumpClock } from '../../../fakes/jump-clock.ts';

const attempt: Attempt = {
  delivery: id<DeliveryId>('d'),
  run: fakeRun.id,
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
  const deps = fakeDeps(clock, {
    look: async () => {
      const screen = screens[Math.min(looks, screens.length - 1)] ?? '';
      looks += 1;
      return { found: true, status: fakeStatus, screen };
    },
    registry: async () => fakeEntry({ status }),
  });
  return resolveReply(deps, fakeRun, attempt, fakeContext(clock, { withinMs: 3_000 }));
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
