import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { DeliveryOutcome } from '../../../../src/bridge/model/delivery.ts';
import { type DeliveryId, id, type RunId } from '../../../../src/bridge/model/ids.ts';
import type { RunHandle } from '../../../../src/bridge/model/run-state.ts';
import type { RegistryReading } from '../../../../src/provider/claude-code/registry.ts';
import { toSendable } from '../../../../src/provider/claude-code/sendable.ts';
import { submitReply } from '../../../../src/provider/claude-code/submit.ts';
import { MemoryAttempts } from '../../../../src/verify/attempts.ts';
import { fakeBox, fakeContext, fakeDeps, fakeRun, fakeStatus } from '../../../fakes/fake-agent.ts';
import { FakeClock } from '../../../fakes/fake-clock.ts';
import { JumpClock } from '../../../fakes/jump-clock.ts';

const panes = new URL('../../../../compat/claude-code/fixtures/panes/2.1.332/', import.meta.url);
const screenOf = (name: string): string => readFileSync(new URL(`${name}.ansi.txt`, panes), 'utf8');
const pane = { socket: '/nowhere', serverPid: 1, serverStart: 2, pane: '%0' };
const run: RunHandle = {
  ...{ id: id<RunId>('run'), pid: 9, procStart: '1', startedAt: 0, cwd: '/', pane },
};
const status = {
  ...{ serverPid: 1, serverStart: 2, pane: '%0', panePid: 3, tty: '/dev/pts/1', cols: 120 },
  ...{
    isDead: false,
    isInMode: false,
    isInputOff: false,
    isSynchronized: false,
    rows: 40,
    cursorColumn: 2,
  },
};

/** What a reply ends as on this screen with this status of the registry, and what was typed. */
const reply = async (
  text: string,
  screen: string,
  registry: 'busy' | 'idle',
): Promise<{ outcome: DeliveryOutcome; typed: readonly string[] }> => {
  const sendable = toSendable(text, () => 'unknown');
  if ('refused' in sendable) throw new Error(sendable.refused.detail);
  const clock = new FakeClock();
  const typed: string[] = [];
  const entry: RegistryReading = {
    ...{ pid: 9, sessionId: 's', cwd: '/', startedAt: 0, procStart: '1', version: '2.1.332' },
    ...{ kind: 'interactive', status: registry },
  };
  const keep = async (_: unknown, what: string | readonly string[]) => {
    typed.push(...[what].flat());
    return { typed: true } as const;
  };
  const outcome = await submitReply(
    {
      ...{ clock, keyboard: { keys: keep, paste: keep }, notify: async () => undefined },
      look: async () => ({ found: true, status, screen: screenOf(screen) }),
      leaveMode: async () => ({ found: true, status }),
      registry: async () => entry,
      process: async () => ({ isAlive: true, isStopped: false, isInFront: true }),
      transcript: async () => undefined,
    },
    run,
    sendable,
    {
      ...{ delivery: id<DeliveryId>('d'), deadline: clock.now() + 60_000, by: 'A', again: false },
      ...{ signal: new AbortController().signal, attempts: new MemoryAttempts() },
      typing: (work) => work(),
    },
  );
  return { outcome, typed };
};

describe('D1: what would be a command in the agent’s own queue', () => {
  it.each(['!ls', ' !ls', '/clearly yes', ' /clearly'])(
    '%j is held while a turn runs, by registry or by screen',
    async (text) => {
      for (const [screen, registry] of [
        ['03-busy', 'busy'],
        ['03-busy', 'idle'],
        ['03-idle', 'busy'],
      ] as const) {
        expect(await reply(text, screen, registry)).toEqual({
          outcome: { status: 'held', reason: { why: 'working' } },
          typed: [],
        });
      }
    },
  );
});

describe('D2: a letter that somebody types between the second look and Enter', () => {
  /** An agent whose box holds what was pasted; `moved` answers of its pane say that the cursor went on. */
  const typeInto = async (moved: number, letters: string) => {
    const clock = new JumpClock();
    const sendable = toSendable('go on', () => 'unknown');
    if ('refused' in sendable) throw new Error(sendable.refused.detail);
    let draft = '';
    const columns: (number | undefined)[] = [];
    const look = () => ({ ...fakeStatus, cursorColumn: 2 + draft.length });
    const deps = fakeDeps(clock, {
      look: async () => ({ found: true, status: look(), screen: fakeBox(draft) }),
      keyboard: {
        paste: async (_pane, pasted) => {
          draft += pasted;
          return { typed: true };
        },
        keys: async (_pane, _keys, _until, column) => {
          columns.push(column);
          if (columns.length > moved) {
            draft = '';
            return { typed: true };
          }
          draft += letters;
          return { typed: false, why: 'cursor-moved' };
        },
      },
    });
    return { outcome: await submitReply(deps, fakeRun, sendable, fakeContext(clock)), columns };
  };

  it('Enter is withheld, and the letter stays', async () => {
    const { outcome, columns } = await typeInto(1, 'z');
    expect(outcome).toEqual({ status: 'returned', reason: 'somebody typed in the same moment' });
    expect(columns).toEqual([7]);
  });

  it('S30 a cursor that only a redraw had moved gets another look, and Enter goes', async () => {
    const { outcome, columns } = await typeInto(1, '');
    // There is no transcript here: typed, and not proved.
    expect(outcome.status).toBe('unknown');
    expect(columns).toEqual([7, 7]);
  });
});

it('S02 D2: where the box is drawn too late the text is taken out, seen gone, and typed again', async () => {
  const clock = new JumpClock();
  const sendable = toSendable('go on', () => 'unknown');
  if ('refused' in sendable) throw new Error(sendable.refused.detail);
  let draft = '';
  let shownAt = 0;
  const keys: string[] = [];
  let pastes = 0;
  const deps = fakeDeps(clock, {
    look: async () => ({
      found: true,
      status: fakeStatus,
      screen: fakeBox(clock.now() >= shownAt ? draft : ''),
    }),
    keyboard: {
      paste: async (_pane, pasted) => {
        pastes += 1;
        draft += pasted;
        shownAt = clock.now() + (pastes === 1 ? 1_200 : 0);
        return { typed: true };
      },
      keys: async (_pane, pressed) => {
        keys.push(pressed[0] ?? '');
        draft = '';
        return { typed: true };
      },
    },
  });
  const ctx = fakeContext(clock, { withinMs: 20_000 });
  const outcome = await submitReply(deps, fakeRun, sendable, ctx);
  expect(outcome.status).toBe('unknown');
  expect(keys).toEqual(['C-e', 'Enter']);
});
