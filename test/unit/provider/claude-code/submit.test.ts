import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { DeliveryOutcome } from '../../../../src/bridge/model/delivery.ts';
import { type DeliveryId, id, type RunId } from '../../../../src/bridge/model/ids.ts';
import type { RunHandle } from '../../../../src/bridge/model/run-state.ts';
import type { RegistryReading } from '../../../../src/provider/claude-code/registry.ts';
import { toSendable } from '../../../../src/provider/claude-code/sendable.ts';
import { submitReply } from '../../../../src/provider/claude-code/submit.ts';
import { MemoryAttempts } from '../../../../src/verify/attempts.ts';
import { FakeClock } from '../../../fakes/fake-clock.ts';

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
