import type { DeliveryView } from '../../src/bridge/model/chat.ts';
import type { Item } from '../../src/bridge/model/conversation.ts';
import { id, type RunId, type SessionId } from '../../src/bridge/model/ids.ts';
import type { RunSummary } from '../../src/bridge/model/run-state.ts';
import type { RunReader } from '../../src/bridge/ports/run-reader.ts';

type Loose<T> = T extends unknown
  ? Omit<T, 'id' | 'session' | 'order' | 'at' | 'digest'> & { id?: string; parent?: string }
  : never;

/** Runs with their transcripts in memory: windows and changes like the real reader. */
export class FakeRuns implements RunReader {
  readonly runs = new Map<RunId, RunSummary>();
  readonly deliveries = new Map<RunId, DeliveryView[]>();
  readonly #items = new Map<RunId, Item[]>();
  readonly #log = new Map<RunId, { item: Item; n: number }[]>();
  readonly gone = new Set<RunId>();
  #n = 0;
  onChange: (run: RunId | undefined) => void = () => {};

  add(name: string, more: Partial<RunSummary>): RunId {
    const run = id<RunId>(name);
    this.runs.set(run, {
      id: run,
      pid: 100,
      procStart: '1',
      startedAt: Date.now() - 3_600_000,
      cwd: '/home/ann/projects/shop',
      session: id<SessionId>(`s-${name}`),
      title: name,
      lastActivityAt: Date.now(),
      state: { name: 'idle' },
      ...more,
    });
    this.onChange(undefined);
    return run;
  }

  set(run: RunId, more: Partial<RunSummary>): void {
    const before = this.runs.get(run);
    if (before === undefined) throw new Error(`no run ${run}`);
    const { pendingDialog: _, ...rest } = before;
    this.runs.set(run, { ...('pendingDialog' in more ? rest : before), ...more } as RunSummary);
    this.onChange(run);
  }

  /** Adds an item at the end, or revises the one with the same id. */
  say(run: RunId, given: Loose<Item>, at = Date.now()): void {
    const n = ++this.#n;
    const items = this.#items.get(run) ?? [];
    this.#items.set(run, items);
    const known = items.findIndex((item) => item.id === given.id);
    const item = {
      ...given,
      id: given.id ?? `item-${n}.0`,
      session: this.runs.get(run)?.session,
      order: known < 0 ? n * 100 : (items[known]?.order ?? 0),
      at,
      digest: `${n}`,
    } as Item;
    if (known < 0) items.push(item);
    else items[known] = item;
    this.#log.set(run, [...(this.#log.get(run) ?? []), { item, n }]);
    this.onChange(run);
  }

  list(): Promise<readonly RunSummary[]> {
    return Promise.resolve([...this.runs.values()]);
  }

  run(run: RunId): Promise<RunSummary | null> {
    return Promise.resolve(this.runs.get(run) ?? null);
  }

  window(run: RunId, before: number | undefined, limit: number) {
    if (this.gone.has(run)) return Promise.resolve({ items: [], cursor: '', isGone: true });
    const older = (this.#items.get(run) ?? []).filter(
      (item) => before === undefined || item.order < before,
    );
    const items = older.slice(-limit);
    const first = items[0];
    return Promise.resolve({
      items,
      cursor: String(this.#n),
      ...(first !== undefined && older.length > limit ? { before: first.order } : {}),
    });
  }

  changes(run: RunId, cursor: string) {
    const items = (this.#log.get(run) ?? [])
      .filter(({ n }) => n > Number(cursor))
      .map(({ item }) => item);
    return Promise.resolve({ items, cursor: String(this.#n) });
  }
}
