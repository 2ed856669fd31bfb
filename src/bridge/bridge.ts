import { createChangeFeed } from './chat/change-feed.ts';
import { Deliveries } from './chat/deliveries.loop.ts';
import { createDeliveryReader } from './chat/deliveries.reader.ts';
import { Settle } from './chat/deliveries.settle.ts';
import { Inbox } from './chat/inbox.loop.ts';
import type { RefusalContext } from './chat/notice-words.ts';
import { createRunReader } from './chat/run-reader.ts';
import type { Config } from './config.ts';
import { createHost } from './host/host.ts';
import { LocalLink } from './link/local-link.ts';
import type { RunId } from './model/ids.ts';
import type { RunHandle } from './model/run-state.ts';
import type { AgentProvider } from './ports/agent-provider.ts';
import type { AuditLine } from './ports/audit.ts';
import type { ChatSource } from './ports/chat-adapter.ts';
import type { Clock } from './ports/clock.ts';
import type { Log } from './ports/log.ts';
import type { ChangeFeed, DeliveryReader, RunReader } from './ports/run-reader.ts';
import type { Db } from './store/database.ts';
import { createDeliveryStore } from './store/deliveries.ts';
import { hostStore } from './store/host-store.ts';
import { createInboxStore } from './store/inbox.ts';
import { type LoopHealth, Supervisor } from './supervise.ts';

export interface BridgeDeps {
  readonly config: Config;
  readonly db: Db;
  readonly provider: AgentProvider;
  readonly clock: Clock;
  readonly log: Log;
  readonly newId: () => string;
  /** Rules of the configuration (R1). */
  readonly isShown: (run: RunHandle) => boolean;
  /** Resolves when something hints that runs changed. */
  readonly hint?: (signal: AbortSignal) => Promise<void>;
  readonly onRestart?: (loop: string) => void;
}

const OBSERVE_DEADLINE_MS = 30_000;
const DAY_MS = 24 * 60 * 60 * 1_000;

/** Both sides and the link between them, without knowing any platform or agent. */
export class Bridge {
  readonly runs: RunReader;
  readonly deliveryReader: DeliveryReader;
  readonly changes: ChangeFeed;
  readonly #deps: BridgeDeps;
  readonly #supervisor: Supervisor;
  readonly #stopped = new AbortController();
  readonly #inbox: Inbox;
  readonly #deliveries: Deliveries;
  readonly #observe: (signal: AbortSignal, beat: () => void) => Promise<void>;

  constructor(deps: BridgeDeps) {
    this.#deps = deps;
    const { config, db, clock, log, newId } = deps;
    this.#supervisor = new Supervisor(deps);
    const link = new LocalLink();
    const host = createHost({ ...deps, link, store: hostStore(db), signal: this.#stopped.signal });
    link.onCommand(host);

    const changes = createChangeFeed();
    const store = createDeliveryStore(db);
    const receipts = { show: () => undefined };
    const audit = (line: AuditLine): void =>
      log.info({ audit: line }, `${line.who} ${line.what}: ${line.outcome}`);
    const commands = (run: RunId): RefusalContext => commandsOf(host.table.find(run));
    const settle = new Settle({ store, clock, receipts, audit, changes, commands });
    this.#deliveries = new Deliveries({ store, clock, link, settle, log, newId });
    this.#inbox = new Inbox({
      store,
      settle,
      receipts,
      audit,
      holdForMs: config.replies.holdForSeconds * 1_000,
      inbox: createInboxStore(db),
      deliveries: this.#deliveries,
      clock,
      log,
      access: config.access,
      grants: () => undefined,
      runOf: () => undefined,
      maxReplyBytes: config.replies.maxKilobytes * 1_024,
      retentionMs: config.retentionDays * DAY_MS,
    });
    link.onPublish(async ({ body }) => {
      this.#deliveries.onHostEvent(body);
      changes.emit(
        body.type === 'run' ? undefined : typeof body.run === 'string' ? body.run : body.run.id,
      );
    });
    this.#observe = host.observe;
    this.runs = createRunReader(link);
    this.deliveryReader = createDeliveryReader({ store, commands });
    this.changes = changes;
  }

  /** Starts the loops, then each source of chat events. */
  async start(sources: readonly ChatSource[]): Promise<void> {
    const loop = (
      name: string,
      deadlineMs: number,
      run: (signal: AbortSignal, beat: () => void) => Promise<void>,
    ): void => this.#supervisor.start({ name, deadlineMs, run });
    loop('observe', OBSERVE_DEADLINE_MS, this.#observe);
    loop('deliveries', 0, (signal) => this.#deliveries.run(signal));
    loop('inbox', 0, (signal) => this.#inbox.run(signal));
    for (const source of sources) await source.start(this.#inbox.sink, this.#stopped.signal);
  }

  health(): readonly LoopHealth[] {
    return this.#supervisor.health();
  }

  /** Ends everything within 5 s; what was acknowledged is in the store. */
  async stop(sources: readonly ChatSource[]): Promise<void> {
    this.#stopped.abort();
    await Promise.all([this.#supervisor.stop(), ...sources.map((source) => source.stop())]);
    this.#deps.db.close();
  }
}

const commandsOf = (
  run: { resumeCommand?: string; attachCommand?: string } | undefined,
): RefusalContext => ({
  ...(run?.resumeCommand === undefined ? {} : { resumeCommand: run.resumeCommand }),
  ...(run?.attachCommand === undefined ? {} : { attachCommand: run.attachCommand }),
});
