import { beforeEach, describe, expect, it } from 'vitest';
import type { Attempt } from '../../../../src/bridge/model/delivery.ts';
import { type DeliveryId, id } from '../../../../src/bridge/model/ids.ts';
import { createKeyboard } from '../../../../src/provider/claude-code/keyboard.ts';
import type { ProcessSight } from '../../../../src/provider/claude-code/readiness.ts';
import { clearReturned } from '../../../../src/provider/claude-code/resolve.ts';
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

  const deps = fakeDeps(clock, {
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
    registry: async () => fakeEntry({ status: waitingFor === '' ? 'idle' : 'waiting', waitingFor }),
    process: async () => process,
  });
  const clear = () => clearReturned(deps, fakeRun, attempt, fakeContext(clock));

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
