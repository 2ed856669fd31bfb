import type { RunId } from '../model/ids.ts';
import type { RunHandle, RunSummary } from '../model/run-state.ts';
import type { HostStore } from '../ports/store.ts';

/**
 * The runs as the host last saw them: live ones in memory, ended ones from the store. It serves
 * lists and heads; before typing or refusing the provider asks the present again (S3).
 */
export class RunTable {
  readonly #live = new Map<RunId, RunSummary>();
  readonly #store: HostStore;

  constructor(store: HostStore) {
    this.#store = store;
  }

  /** True when something that is shown has changed. An end is kept by `end`, when it was told. */
  update(summary: RunSummary): boolean {
    const before = this.#live.get(summary.id);
    if (before !== undefined && JSON.stringify(before) === JSON.stringify(summary)) return false;
    this.#live.set(summary.id, summary);
    if (summary.state.name !== 'ended') this.#store.saveRun(summary);
    return before === undefined || shown(before) !== shown(summary);
  }

  /** The end of the run has been told: it is kept as ended. */
  end(summary: RunSummary): void {
    this.#store.saveRun(summary);
    this.#live.delete(summary.id);
  }

  /** The run is private now. Shown again, it counts as met late. */
  hide(run: RunHandle): void {
    const known = this.find(run.id);
    this.#live.delete(run.id);
    this.#store.forgetCursors(run.id);
    if (known !== undefined) this.#store.saveRun({ ...known, ...run });
  }

  live(run: RunId): RunSummary | undefined {
    const known = this.#live.get(run);
    return known?.state.name === 'ended' ? undefined : known;
  }

  find(run: RunId): RunSummary | undefined {
    return this.#live.get(run) ?? this.#store.run(run);
  }

  /** Live runs first, then ended ones, each newest activity first. */
  list(): readonly RunSummary[] {
    const ended = this.#store.runs().filter((r) => !this.#live.has(r.id));
    const newest = (a: RunSummary, b: RunSummary): number => b.lastActivityAt - a.lastActivityAt;
    return [...[...this.#live.values()].sort(newest), ...[...ended].sort(newest)];
  }
}

const shown = ({ lastActivityAt: _, ...rest }: RunSummary): string => JSON.stringify(rest);

/** Last part of the directory: the title of a run that has no better one. */
export const titleOf = (run: RunHandle, title: string | undefined): string =>
  title ?? run.name ?? (run.cwd.split('/').at(-1) || run.cwd);
