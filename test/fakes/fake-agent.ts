import { type DeliveryId, id, type RunId } from '../../src/bridge/model/ids.ts';
import type { PaneIdentity, RunHandle } from '../../src/bridge/model/run-state.ts';
import type { DeliveryContext } from '../../src/bridge/ports/agent-provider.ts';
import type { Clock } from '../../src/bridge/ports/clock.ts';
import { createKeyboard } from '../../src/provider/claude-code/keyboard.ts';
import type { RegistryEntry } from '../../src/provider/claude-code/registry-entry.ts';
import type { SubmitDeps } from '../../src/provider/claude-code/submit.ts';
import type { PaneStatus } from '../../src/provider/tmux/formats.ts';
import { MemoryAttempts } from '../../src/verify/attempts.ts';

const cols = 100;
const rule = '─'.repeat(cols);

export const fakePane: PaneIdentity = {
  socket: '/nowhere/sock',
  serverPid: 1,
  serverStart: 2,
  pane: '%0',
};

export const fakeStatus: PaneStatus = {
  ...fakePane,
  panePid: 3,
  tty: '/dev/pts/1',
  isDead: false,
  isInMode: false,
  isInputOff: false,
  isSynchronized: false,
  cols,
  rows: 30,
  cursorColumn: 2,
};

/** The process life of all fakes of one agent. */
export const fakeRun: RunHandle = {
  id: id<RunId>('r'),
  pid: 9,
  procStart: '1',
  startedAt: 0,
  cwd: '/',
  pane: fakePane,
};

/** Its registry file: idle, unless the test says otherwise. */
export const fakeEntry = (more: Partial<RegistryEntry> = {}): RegistryEntry => ({
  pid: fakeRun.pid,
  sessionId: 's',
  cwd: '/',
  startedAt: 0,
  procStart: fakeRun.procStart,
  version: '2.1.332',
  kind: 'interactive',
  status: 'idle',
  ...more,
});

/** The input box as it stands in an otherwise empty pane. */
export const fakeBox = (draft = ''): string =>
  `\n${rule}\n❯\u00a0${draft}\n${rule}\n  ⏸ manual mode on\n`;

const refuse = (): Promise<never> => Promise.reject(new Error('nothing may be typed here'));

/** An agent at rest with an empty box, into which nothing may be typed; a test replaces what it is about. */
export const fakeDeps = (clock: Clock, more: Partial<SubmitDeps> = {}): SubmitDeps => ({
  clock,
  look: async () => ({ found: true, status: fakeStatus, screen: fakeBox() }),
  keyboard: createKeyboard({ clock, tmux: { keys: refuse, paste: refuse } }),
  leaveMode: async () => ({ found: true, status: fakeStatus }),
  notify: async () => undefined,
  registry: async () => fakeEntry(),
  process: async () => ({ isAlive: true, isStopped: false, isInFront: true }),
  transcript: async () => undefined,
  ...more,
});

/** One delivery `d`, with so much time. */
export const fakeContext = (
  clock: Clock,
  more: Partial<DeliveryContext> & { readonly withinMs?: number } = {},
): DeliveryContext => {
  const { withinMs = 5_000, ...rest } = more;
  return {
    delivery: id<DeliveryId>('d'),
    deadline: clock.now() + withinMs,
    signal: new AbortController().signal,
    attempts: new MemoryAttempts(),
    by: 'Alice',
    again: false,
    typing: (work) => work(),
    ...rest,
  };
};
