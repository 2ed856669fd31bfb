import { id, type ProviderId, type RunId, type SessionId } from '../../src/bridge/model/ids.ts';
import type { RunHandle } from '../../src/bridge/model/run-state.ts';
import type { AgentProvider, Observation } from '../../src/bridge/ports/agent-provider.ts';

/** A run handle with everything that lists show. */
export const aRun = (over: Partial<RunHandle> = {}): RunHandle => ({
  id: id<RunId>('host-100-5000'),
  pid: 100,
  procStart: '5000',
  startedAt: 1_799_999_000_000,
  pane: { socket: '/tmp/sock', serverPid: 1, serverStart: 2, pane: '%3' },
  cwd: '/home/a/work/shop',
  branch: 'main',
  session: id<SessionId>('5e551011-0000-4000-8000-000000000000'),
  tmuxSession: 'shop',
  configDir: '/home/a/.claude',
  version: '2.1.332',
  ...over,
});

export const anObservation = (run: RunHandle, over: Partial<Observation> = {}): Observation => ({
  session: run.session,
  origin: 'met-late',
  cursor: '',
  items: [],
  evidence: [],
  state: { name: 'working' },
  title: 'mend the till',
  lastActivityAt: 1_799_999_940_000,
  run,
  ...over,
});

const notHere = (): Promise<never> => Promise.reject(new Error('the fake types nothing'));

/** A provider whose runs stand still: each is observed once. A run without an observation cannot be read. */
export const fakeProvider = (
  runs: readonly { readonly run: RunHandle; readonly seen?: Observation }[],
): AgentProvider => ({
  id: id<ProviderId>('fake'),
  displayName: 'Fake',
  discover: () => Promise.resolve(runs.map(({ run }) => run)),
  async *observe(run) {
    const seen = runs.find((known) => known.run.id === run.id)?.seen;
    if (seen === undefined) throw new Error('cannot be read');
    yield await Promise.resolve(seen);
  },
  sameText: (typed, recorded) => typed === recorded,
  reply: notHere,
  answer: notHere,
  interrupt: notHere,
});
