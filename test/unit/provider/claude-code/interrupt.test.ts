import { appendFileSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { DeliveryOutcome } from '../../../../src/bridge/model/delivery.ts';
import { type DeliveryId, id, type TurnId } from '../../../../src/bridge/model/ids.ts';
import { interruptRun } from '../../../../src/provider/claude-code/interrupt.ts';
import { createKeyboard } from '../../../../src/provider/claude-code/keyboard.ts';
import type { SubmitDeps } from '../../../../src/provider/claude-code/submit.ts';
import { MemoryAttempts } from '../../../../src/verify/attempts.ts';
import {
  fakeBox,
  fakeContext,
  fakeDeps,
  fakeEntry,
  fakeRun,
  fakeStatus,
} from '../../../fakes/fake-agent.ts';
import { JumpClock } from '../../../fakes/jump-clock.ts';

const row = (type: string, uuid: string, more: object) =>
  `${JSON.stringify({ type, uuid, timestamp: '2026-11-30T12:00:00Z', ...more })}\n`;
const prompt = (uuid: string, content: string) =>
  row('user', uuid, { promptSource: 'typed', message: { content } });
const text = (uuid: string, words: string) =>
  row('assistant', uuid, { message: { content: [{ type: 'text', text: words }] } });
const end = (uuid: string) => row('system', uuid, { subtype: 'turn_duration' });
const stopped = row('user', 'i1', {
  rowSource: 'harness',
  message: { content: [{ type: 'text', text: '[Request interrupted by user]' }] },
});

describe('interrupting', () => {
  let dir: string;
  let file: string;
  const clock = new JumpClock();
  let attempts: MemoryAttempts;
  let pressed: string[];
  /** What the agent does with an Escape. */
  let onEscape: () => void;
  let status: 'idle' | 'busy' | 'waiting';
  let screen: string;

  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'interrupt-'));
    file = join(dir, 's.jsonl');
    attempts = new MemoryAttempts();
    pressed = [];
    status = 'busy';
    screen = fakeBox();
    writeFileSync(file, prompt('u1', 'first') + text('a1', 'ok') + end('e1') + prompt('u2', 'go'));
    onEscape = () => {
      appendFileSync(file, stopped);
      status = 'idle';
    };
  });
  afterEach(() => rmSync(dir, { recursive: true }));

  const deps = (more: Partial<SubmitDeps> = {}): SubmitDeps =>
    fakeDeps(clock, {
      look: async () => ({ found: true, status: fakeStatus, screen }),
      keyboard: createKeyboard({
        clock,
        tmux: {
          keys: async (_pane, keys) => {
            pressed.push(...keys);
            onEscape();
            return { typed: true };
          },
          paste: async () => {
            throw new Error('an interrupt pastes nothing');
          },
        },
      }),
      registry: async () =>
        fakeEntry({ status, waitingFor: status === 'waiting' ? 'input needed' : '' }),
      transcript: async () => file,
      ...more,
    });
  const interrupt = (turn: string, more: Partial<SubmitDeps> = {}): Promise<DeliveryOutcome> =>
    interruptRun(deps(more), fakeRun, id<TurnId>(turn), fakeContext(clock, { attempts }));
  const set = (now: typeof status) => {
    status = now;
  };
  const refused = (why: string) => ({ status: 'refused', reason: { why } });

  it('I2: one Escape, and the interrupt record after the offset is the proof', async () => {
    expect(await interrupt('u2')).toEqual({ status: 'confirmed' });
    expect(pressed).toEqual(['Escape']);
    expect(attempts.open(fakeRun.id)).toEqual([]);
  });

  it('I03 I2: an interrupt record from before proves nothing: still running', async () => {
    appendFileSync(file, stopped + prompt('u3', 'again'));
    onEscape = () => undefined;
    expect(await interrupt('u3')).toMatchObject({
      status: 'unknown',
      reason: expect.stringContaining('still running'),
    });
    expect(pressed).toEqual(['Escape']);
  });

  it('I2: before the first token: idle, no row, and the prompt back in the box', async () => {
    onEscape = () => {
      status = 'idle';
      screen = fakeBox('go');
    };
    expect(await interrupt('u2')).toMatchObject({ status: 'confirmed', note: expect.any(String) });
  });

  it('I2: un-sent so early that the row of the prompt comes after the key', async () => {
    onEscape = () => {
      appendFileSync(file, prompt('u3', 'early'));
      status = 'idle';
      screen = fakeBox('early');
    };
    expect(await interrupt('u2')).toMatchObject({ status: 'confirmed', note: expect.any(String) });
  });

  it('I2: un-sent so early that its prompt never got a row', async () => {
    onEscape = () => {
      status = 'idle';
      screen = fakeBox('early');
    };
    expect(await interrupt('u2')).toMatchObject({ status: 'confirmed', note: expect.any(String) });
  });

  it('I2: idle with somebody’s draft of before in the box proves nothing', async () => {
    screen = fakeBox('somebody else');
    onEscape = () => {
      status = 'idle';
    };
    expect(await interrupt('u2')).toMatchObject({ status: 'unknown' });
  });

  it('I2: a turn that ended by itself in that instant is already finished', async () => {
    onEscape = () => appendFileSync(file, text('a2', 'done') + end('e2'));
    expect(await interrupt('u2')).toMatchObject(refused('already-finished'));
  });

  it.each<[string, string, () => void]>([
    ['the named turn is an older one', 'u1', () => undefined],
    ['the named turn is unknown', 'u9', () => undefined],
    ['the turn has ended', 'u2', () => appendFileSync(file, text('a2', 'x') + end('e2'))],
    ['the registry says idle', 'u2', () => set('idle')],
  ])('I2: already finished, no Escape: %s', async (_name, turn, change) => {
    change();
    expect(await interrupt(turn)).toMatchObject(refused('already-finished'));
    expect(pressed).toEqual([]);
    expect(attempts.open(fakeRun.id)).toEqual([]);
  });

  it('D33 Q7: with a dialog open there is no Escape', async () => {
    status = 'waiting';
    expect(await interrupt('u2')).toMatchObject(refused('not-busy'));
    expect(pressed).toEqual([]);
  });

  it('I2: a screen that is no input box gets no Escape', async () => {
    screen = 'Showing detailed transcript · ctrl+o to toggle\n';
    expect(await interrupt('u2')).toMatchObject(refused('not-busy'));
    expect(pressed).toEqual([]);
  });

  it('R3: a process that is gone or not in front gets no Escape', async () => {
    const gone = async () => ({ isAlive: false, isStopped: false, isInFront: false });
    expect(await interrupt('u2', { process: gone })).toMatchObject(refused('ended'));
    const behind = async () => ({ isAlive: true, isStopped: false, isInFront: false });
    expect(await interrupt('u2', { process: behind })).toMatchObject(refused('unreachable'));
    expect(pressed).toEqual([]);
  });

  it('L1: after a crash the key is not pressed again, the record decides', async () => {
    attempts.begin({
      delivery: id<DeliveryId>('d'),
      run: fakeRun.id,
      session: id('s'),
      file,
      offset: statSync(file).size,
      kind: 'interrupt',
      text: 'go',
      at: 0,
    });
    expect(await interrupt('u2')).toMatchObject({ status: 'unknown' });
    appendFileSync(file, stopped);
    expect(await interrupt('u2')).toEqual({ status: 'confirmed' });
    expect(pressed).toEqual([]);
  });

  it('I2: a long turn is found although much was written since it began', async () => {
    const noise = text('a2', 'x'.repeat(1_000));
    appendFileSync(file, noise.repeat(400));
    expect(await interrupt('u2')).toEqual({ status: 'confirmed' });
  });
});
