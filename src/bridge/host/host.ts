import type { RunHandle } from '../model/run-state.ts';
import type { AgentProvider } from '../ports/agent-provider.ts';
import type { Clock } from '../ports/clock.ts';
import type { HostLink, HostSide } from '../ports/link.ts';
import type { Log } from '../ports/log.ts';
import type { HostStore } from '../ports/store.ts';
import { Deliverer } from './deliver.loop.ts';
import { observeLoop } from './observe.loop.ts';
import { answerRead } from './read.ts';
import { RunTable } from './run-table.ts';

export interface HostDeps {
  readonly provider: AgentProvider;
  readonly store: HostStore;
  readonly link: HostLink;
  readonly clock: Clock;
  readonly log: Log;
  readonly newId: () => string;
  readonly isShown: (run: RunHandle) => boolean;
  /** Resolves when something hints that runs changed, at the latest when the signal aborts. */
  readonly hint?: (signal: AbortSignal) => Promise<void>;
  /** Aborts when the bridge stops. */
  readonly signal: AbortSignal;
}

/** ms between two discoveries without a hint; a new registry or key file is a hint within a second. */
const DISCOVER_EVERY_MS = 5_000;

export interface Host extends HostSide {
  observe(signal: AbortSignal, beat: () => void): Promise<void>;
  readonly table: RunTable;
}

/** The side near tmux: finds and follows runs, takes commands, answers reads. */
export const createHost = (deps: HostDeps): Host => {
  const table = new RunTable(deps.store);
  const onError = (error: unknown, run: string | undefined): void =>
    deps.log.error({ err: error, run }, 'a run could not be followed or typed into; tried again');
  const deliverer = new Deliverer({ ...deps, table, onError });
  return {
    table,
    observe: (signal, beat) =>
      observeLoop(
        {
          ...deps,
          table,
          beat,
          onError,
          everyMs: DISCOVER_EVERY_MS,
          checkUnsent: (run) => deliverer.checkUnsent(run),
        },
        signal,
      ),
    command: (command) => deliverer.command(command),
    read: (request) => answerRead({ ...deps, table }, request),
  };
};
