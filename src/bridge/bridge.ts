import { Bell } from './chat/bell.ts';
import { createChangeFeed } from './chat/change-feed.ts';
import { Deliveries } from './chat/deliveries.loop.ts';
import { createDeliveryReader } from './chat/deliveries.reader.ts';
import { Settle } from './chat/deliveries.settle.ts';
import { followedThreads } from './chat/heard.loop.ts';
import { Inbox } from './chat/inbox.loop.ts';
import { maskDeliveries, maskRuns } from './chat/masked-reader.ts';
import type { RefusalContext } from './chat/notice-words.ts';
import { createRunReader } from './chat/run-reader.ts';
import { makeThreadSettings } from './chat/thread-settings.ts';
import { hasLeft } from './chat/threads.ts';
import type { Trouble } from './chat/troubles.ts';
import { type Config, secretsOf } from './config.ts';
import { createHost } from './host/host.ts';
import type { RunTable } from './host/run-table.ts';
import { LocalLink } from './link/local-link.ts';
import type { Metrics } from './metrics.ts';
import type { ChatTarget } from './model/chat.ts';
import { BridgeError } from './model/errors.ts';
import type { RunId } from './model/ids.ts';
import type { RunHandle, RunSummary } from './model/run-state.ts';
import type { Channel } from './model/thread.ts';
import { createOutward } from './outward.ts';
import type { AgentProvider } from './ports/agent-provider.ts';
import type { AuditLine, AuditLog } from './ports/audit.ts';
import {
  type ChatAdapter,
  type ChatSource,
  isHistoryReader,
  type PlatformHealth,
} from './ports/chat-adapter.ts';
import type { DeliveryStore } from './ports/chat-store.ts';
import type { Clock } from './ports/clock.ts';
import type { FailPoint } from './ports/fail-point.ts';
import type { ChatLink } from './ports/link.ts';
import type { Log } from './ports/log.ts';
import type { ChangeFeed, DeliveryReader, RunReader } from './ports/run-reader.ts';
import type { HostStore } from './ports/store.ts';
import type { ThreadStore } from './ports/thread-store.ts';
import { auditTable } from './store/audit-table.ts';
import type { Db } from './store/database.ts';
import { createDeliveryStore } from './store/deliveries.ts';
import { hostStore } from './store/host-store.ts';
import { createInboxStore } from './store/inbox.ts';
import { threadStore } from './store/thread-store.ts';
import { type LoopHealth, Supervisor } from './supervise.ts';
import { makeRedact } from './text/redact.ts';

export interface BridgeDeps {
  readonly config: Config;
  readonly db: Db;
  readonly provider: AgentProvider;
  /** Platforms with threads; the page is a source only and comes with `start`. */
  readonly adapters: readonly ChatAdapter[];
  readonly channels: readonly Channel[];
  readonly clock: Clock;
  readonly log: Log;
  readonly newId: () => string;
  /** Rules of the configuration (R1). */
  readonly isShown: (run: RunHandle) => boolean;
  /** Calls back when runs may have changed, until the signal aborts. */
  readonly watch?: (signal: AbortSignal, onHint: () => void) => Promise<void>;
  /** Where a person answers or looks at a run (Q2). */
  readonly linkOf: (run: RunSummary) => string | undefined;
  /** More secrets that must never leave the host: the page's token. */
  readonly secrets: readonly string[];
  readonly metrics: Metrics;
  readonly failPoint?: FailPoint;
}

const LOOP_DEADLINE_MS = 30_000;
const SWEEP_EVERY_MS = 60 * 60 * 1_000;
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
  readonly #table: RunTable;
  readonly #host: HostStore;
  readonly #threads: ThreadStore;
  readonly #troubles: () => readonly Trouble[];
  readonly #store: DeliveryStore;
  readonly #trail: AuditLog;
  readonly #loops: readonly (readonly [
    string,
    number,
    (signal: AbortSignal, beat: () => void) => Promise<void>,
  ])[];

  constructor(deps: BridgeDeps) {
    this.#deps = deps;
    const { config, db, clock, log, newId, metrics } = deps;
    this.#supervisor = new Supervisor({
      clock,
      log,
      onRestart: (loop) => metrics.loopRestarted(loop),
    });
    const link = new LocalLink();
    const changed = new Bell();
    this.#host = hostStore(db);
    const host = createHost({
      ...deps,
      link,
      store: this.#host,
      signal: this.#stopped.signal,
      hint: (signal) => changed.wait(clock, LOOP_DEADLINE_MS, signal),
    });
    link.onCommand(host);

    const store = createDeliveryStore(db);
    const threads = threadStore(db);
    this.#table = host.table;
    this.#store = store;
    this.#threads = threads;
    const changes = createChangeFeed();
    const commands = (run: RunId): RefusalContext => commandsOf(host.table.find(run));
    const redact = makeRedact({
      tokens: [...secretsOf(config), ...deps.secrets],
      patterns: config.redact.patterns,
      onWithheld: (err) => log.error({ err }, 'a text is withheld: it could not be masked'),
    });
    const outward = createOutward({
      store: threads,
      deliveries: store,
      channels: deps.channels,
      adapters: new Map(deps.adapters.map((adapter) => [adapter.platform, adapter])),
      redact,
      linkOf: deps.linkOf,
      read: (request) => link.read(request),
      clock,
      log,
      newId,
      onOutcome: (event) => deliveries.onHostEvent(event),
      onPosted: (platform, waitedMs) => metrics.posted(platform, waitedMs / 1_000),
      onTrouble: (platform, error) => {
        metrics.platformError(platform, error instanceof BridgeError ? error.code : 'unknown');
      },
      ...(deps.failPoint === undefined ? {} : { failPoint: deps.failPoint }),
    });
    this.#troubles = () => outward.troubles();
    const trail = auditTable(db);
    this.#trail = trail;
    const audit = (line: AuditLine): void => {
      trail.add(line, clock.now());
      log.info({ audit: line }, `${line.who}: ${line.what}: ${line.outcome}`);
    };
    const { receipts } = outward;
    const settle = new Settle({ store, clock, receipts, audit, changes, commands });
    const deliveries = new Deliveries({
      store,
      clock,
      settle,
      log,
      newId,
      link: timed(link, deps),
    });
    this.#inbox = new Inbox({
      store,
      settle,
      receipts,
      audit,
      deliveries,
      clock,
      log,
      inbox: createInboxStore(db),
      access: config.access,
      settings: makeThreadSettings(threads),
      runs: createRunReader(link),
      stopSigns: config.interrupt.reactions,
      confirmWithinMs: config.interrupt.confirmWithinSeconds * 1_000,
      runOf: (target: ChatTarget) =>
        'run' in target ? target.run : threads.threads.byRef(target.thread)?.run,
      isLeft: (target: ChatTarget) => {
        const thread = 'thread' in target ? threads.threads.byRef(target.thread) : undefined;
        if (thread === undefined) return false;
        const { channel, run } = thread;
        return hasLeft(threads.threads.bindings(channel, run, undefined), thread);
      },
      holdForMs: config.replies.holdForSeconds * 1_000,
      maxReplyBytes: config.replies.maxKilobytes * 1_000,
      retentionMs: config.retentionDays * DAY_MS,
    });
    link.onPublish(async (envelope) => {
      await outward.publish(envelope);
      const { body } = envelope;
      if (body.type !== 'outcome') deliveries.onHostEvent(body);
      changes.emit(body.type === 'outcome' ? body.run : body.run.id);
      if (body.type === 'run') changes.emit(undefined);
    });
    const { watch } = deps;
    this.#loops = [
      ['observe', LOOP_DEADLINE_MS, host.observe],
      ['dispatch', LOOP_DEADLINE_MS, outward.dispatch],
      ['catch-up', 0, outward.catchUp],
      ['heard', 0, outward.heard],
      ['deliveries', 0, (signal) => deliveries.run(signal)],
      ['retention', 0, (signal) => this.#forget(signal)],
      ['inbox', 0, (signal) => this.#inbox.run(signal)],
      ...(watch === undefined
        ? []
        : [['watch', 0, (signal: AbortSignal) => watch(signal, () => changed.ring())] as const]),
    ];
    this.runs = maskRuns(createRunReader(link), redact);
    this.deliveryReader = maskDeliveries(createDeliveryReader({ store, commands }), redact);
    this.changes = changes;
  }

  /** Starts the loops, then each source of chat events. */
  async start(sources: readonly ChatSource[]): Promise<void> {
    for (const [name, deadlineMs, run] of this.#loops) {
      this.#supervisor.start({ name, deadlineMs, run });
    }
    const { adapters, clock } = this.#deps;
    for (const adapter of adapters) {
      if (!isHistoryReader(adapter)) continue;
      adapter.follow(() => followedThreads(this.#threads, adapter.platform, clock.now()));
    }
    // A platform that is away keeps neither the others nor the page from starting.
    await Promise.all(
      [...adapters, ...sources].map((source) =>
        source.start(this.#inbox.sink, this.#stopped.signal),
      ),
    );
  }

  /** How it stands with each chat platform, and what keeps threads from being shown there. */
  platforms(): readonly PlatformHealth[] {
    const troubles = this.#troubles();
    return this.#deps.adapters.map((adapter) => {
      const { platform } = adapter;
      const { isConnected, detail } = adapter.health();
      const words = troubles
        .filter((trouble) => trouble.platform === platform && !detail.includes(trouble.why))
        .map(({ why, threads }) => `${why} Threads that wait for it: ${threads}.`);
      return { platform, isConnected, detail: [detail, ...words].join(' ') };
    });
  }

  /** Forgets what ended longer ago than the configuration keeps it. */
  async #forget(signal: AbortSignal): Promise<void> {
    const { clock, config } = this.#deps;
    while (!signal.aborted) {
      const before = clock.now() - config.retentionDays * DAY_MS;
      this.#threads.sweep(before);
      this.#host.sweep(before);
      this.#trail.sweep(before);
      await clock.sleep(SWEEP_EVERY_MS, signal);
    }
  }

  /** Fills the gauges; to be called before they are read. */
  measure(): void {
    const { metrics, isShown } = this.#deps;
    metrics.queued('outbox', this.#threads.outbox.waiting().length);
    metrics.queued('deliveries', this.#store.open().length);
    const states = new Map<string, number>();
    for (const run of this.#table.list().filter(isShown)) {
      states.set(run.state.name, (states.get(run.state.name) ?? 0) + 1);
    }
    metrics.runs(states);
  }

  health(): readonly LoopHealth[] {
    return this.#supervisor.health();
  }

  /** Ends everything within 5 s; what was acknowledged is in the store. */
  async stop(sources: readonly ChatSource[]): Promise<void> {
    this.#stopped.abort();
    await Promise.all([...this.#deps.adapters, ...sources].map((source) => source.stop()));
    await this.#supervisor.stop();
    this.#deps.db.close();
  }
}

/** Counts each command with its outcome and how long it took. */
const timed = (
  link: ChatLink,
  { clock, metrics }: Pick<BridgeDeps, 'clock' | 'metrics'>,
): ChatLink => ({
  read: (request) => link.read(request),
  command: async (command) => {
    const began = clock.now();
    const outcome = await link.command(command);
    metrics.delivered(command.body.type, outcome.status, (clock.now() - began) / 1_000);
    return outcome;
  },
});

const commandsOf = (run: RunSummary | undefined): RefusalContext => ({
  ...(run?.resumeCommand === undefined ? {} : { resumeCommand: run.resumeCommand }),
  ...(run?.attachCommand === undefined ? {} : { attachCommand: run.attachCommand }),
});
