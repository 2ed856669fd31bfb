import { type DeliveryId, type DialogId, id, type RunId } from '../../src/bridge/model/ids.ts';
import type { RunHandle } from '../../src/bridge/model/run-state.ts';
import type { AttemptLog, DeliveryContext } from '../../src/bridge/ports/agent-provider.ts';
import { systemClock } from '../../src/bridge/system-clock.ts';
import type { AnswerDeps } from '../../src/provider/claude-code/answer-picker.ts';
import { createKeyboard } from '../../src/provider/claude-code/keyboard.ts';
import { ancestry, isAlive, reachesTerminal } from '../../src/provider/claude-code/processes.ts';
import { LinuxProcesses } from '../../src/provider/claude-code/processes-linux.ts';
import { Registry } from '../../src/provider/claude-code/registry.ts';
import { Tmux } from '../../src/provider/tmux/tmux.ts';
import type { LiveAgent } from './live-agent.ts';
import { findTranscript, until } from './wait.ts';

let deliveries = 0;

export const context = (
  attempts: AttemptLog,
  withinMs = 8_000,
  more: Partial<DeliveryContext> = {},
): DeliveryContext => {
  deliveries += 1;
  return {
    delivery: id<DeliveryId>(`delivery-${deliveries}`),
    deadline: Date.now() + withinMs,
    signal: new AbortController().signal,
    attempts,
    by: 'Alice (test)',
    again: false,
    typing: (work) => work(),
    ...more,
  };
};

/** The handle that the bridge would have for this agent. */
export const handleOf = async (agent: LiveAgent): Promise<RunHandle> => {
  const entry = await until('a registry file', () => agent.registry());
  const server = await new Tmux().serverIdentity(agent.socket);
  if (server === undefined) throw new Error('the tmux server is gone');
  return {
    id: id<RunId>(`live-${agent.pid}`),
    pid: agent.pid,
    procStart: entry.procStart,
    startedAt: Date.now(),
    cwd: '/',
    pane: { socket: agent.socket, ...server, pane: agent.pane },
    configDir: agent.configDir,
    version: entry.version,
  };
};

const processes = new LinuxProcesses();
const registry = new Registry({ clock: systemClock });
const tmux = new Tmux();

/** What typing needs, all of it real. */
export const keyDeps = (agent: LiveAgent): AnswerDeps => ({
  clock: systemClock,
  look: (pane) => tmux.look(pane),
  keyboard: createKeyboard({ tmux, clock: systemClock }),
  leaveMode: (pane) => tmux.leaveMode(pane),
  notify: async () => undefined,
  registry: (run) => registry.read(agent.configDir, run.pid),
  process: async (run, tty) => {
    const stat = await processes.stat(run.pid);
    if (!isAlive(stat) || stat.start !== run.procStart) {
      return { isAlive: false, isStopped: false, isInFront: false };
    }
    const chain = await ancestry(processes, stat);
    const isInFront = tty !== undefined && reachesTerminal(chain, tty) === 'in-front';
    return { isAlive: true, isStopped: stat.state === 'T', isInFront };
  },
  transcript: (_run, session) => findTranscript(agent.configDir, session),
  verifiedVersions: [],
});

/** The id of the newest call of a tool in the transcript, answered or not. */
export const newestCall = async (
  agent: LiveAgent,
  tool = 'AskUserQuestion',
): Promise<DialogId | undefined> => {
  const rows = JSON.stringify((await agent.rows()).filter((row) => row.type === 'assistant'));
  const last = [...rows.matchAll(new RegExp(`"id":"(toolu_\\w+)","name":"${tool}"`, 'g'))].at(
    -1,
  )?.[1];
  return last === undefined ? undefined : id<DialogId>(last);
};

/**
 * The newest call of a tool that has no result yet. `before` is what was the newest before it was
 * asked for: the registry is ahead of the transcript, so that a call whose result is on its way to
 * the file may still look open when the next one is already on the screen.
 */
export const openCall = (
  agent: LiveAgent,
  tool = 'AskUserQuestion',
  before?: DialogId,
): Promise<DialogId> =>
  until(`an open call of ${tool}`, async () => {
    const last = await newestCall(agent, tool);
    if (last === undefined || last === before) return undefined;
    const results = JSON.stringify((await agent.rows()).filter((row) => row.type === 'user'));
    return results.includes(`"tool_use_id":"${last}"`) ? undefined : last;
  });
