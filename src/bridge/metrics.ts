import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { PlatformHealth } from './ports/chat-adapter.ts';
import type { LoopHealth } from './supervise.ts';

const SECONDS = [0.05, 0.1, 0.2, 0.3, 0.5, 1, 2, 5, 10, 30, 60, 300, 600];

/** What the parts of the bridge count. Labels are few and closed: no ids, no text. */
export interface Metrics {
  /** A delivery has its outcome: `seconds` since it was made. */
  delivered(kind: string, outcome: string, seconds: number): void;
  /** A message was posted: `seconds` since it was planned. */
  posted(platform: string, seconds: number): void;
  /** Rows that wait: outbox, deliveries. */
  queued(queue: string, depth: number): void;
  platformError(platform: string, code: string): void;
  loopRestarted(loop: string): void;
  /** By state; a state that is missing has none. */
  runs(counts: ReadonlyMap<string, number>): void;
}

export interface MetricsRegistry extends Metrics {
  /** Prometheus text; `health` is asked for at each scrape. */
  text(): Promise<string>;
  readonly contentType: string;
}

export interface MetricDescription {
  readonly name: string;
  readonly type: string;
  readonly labels: readonly string[];
  readonly help: string;
}

const DESCRIPTIONS = {
  delivery: {
    name: 'afk_bridge_delivery_seconds',
    type: 'histogram',
    labels: ['kind', 'outcome'],
    help: 'From a reply, answer or interrupt to its outcome.',
  },
  lag: {
    name: 'afk_bridge_post_lag_seconds',
    type: 'histogram',
    labels: ['platform'],
    help: 'From the plan of a message to its post on the platform.',
  },
  depth: {
    name: 'afk_bridge_queue_depth',
    type: 'gauge',
    labels: ['queue'],
    help: 'Rows that wait.',
  },
  platformErrors: {
    name: 'afk_bridge_platform_errors_total',
    type: 'counter',
    labels: ['platform', 'code'],
    help: 'Refusals and lost connections of a platform.',
  },
  restarts: {
    name: 'afk_bridge_loop_restarts_total',
    type: 'counter',
    labels: ['loop'],
    help: 'Loops that ended by a fault and were started again.',
  },
  healthy: {
    name: 'afk_bridge_loop_healthy',
    type: 'gauge',
    labels: ['loop'],
    help: '1 while the loop makes progress.',
  },
  connected: {
    name: 'afk_bridge_platform_connected',
    type: 'gauge',
    labels: ['platform'],
    help: '1 while the platform is connected and takes what is posted.',
  },
  runs: {
    name: 'afk_bridge_runs',
    type: 'gauge',
    labels: ['state'],
    help: 'Runs that are shown, by state.',
  },
} as const satisfies Record<string, MetricDescription>;

/** For the documentation; the process's own metrics (`process_…`, `nodejs_…`) come on top. */
export const metricDescriptions = (): readonly MetricDescription[] => Object.values(DESCRIPTIONS);

/** A registry of its own: nothing is shared between two bridges of one process. */
export const createMetrics = (
  health: () => readonly LoopHealth[],
  platforms: () => readonly PlatformHealth[] = () => [],
): MetricsRegistry => {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const options = ({ name, help, labels }: MetricDescription) => ({
    name,
    help,
    labelNames: [...labels],
    registers,
  });
  const delivery = new Histogram({ ...options(DESCRIPTIONS.delivery), buckets: SECONDS });
  const lag = new Histogram({ ...options(DESCRIPTIONS.lag), buckets: SECONDS });
  const depth = new Gauge(options(DESCRIPTIONS.depth));
  const platformErrors = new Counter(options(DESCRIPTIONS.platformErrors));
  const restarts = new Counter(options(DESCRIPTIONS.restarts));
  const runs = new Gauge(options(DESCRIPTIONS.runs));
  new Gauge({
    ...options(DESCRIPTIONS.healthy),
    collect() {
      for (const { name, isHealthy } of health()) this.set({ loop: name }, isHealthy ? 1 : 0);
    },
  });
  new Gauge({
    ...options(DESCRIPTIONS.connected),
    collect() {
      for (const { platform, isConnected } of platforms())
        this.set({ platform }, isConnected ? 1 : 0);
    },
  });
  return {
    delivered: (kind, outcome, seconds) => delivery.observe({ kind, outcome }, seconds),
    posted: (platform, seconds) => lag.observe({ platform }, seconds),
    queued: (queue, rows) => depth.set({ queue }, rows),
    platformError: (platform, code) => platformErrors.inc({ platform, code }),
    loopRestarted: (loop) => restarts.inc({ loop }),
    runs: (counts) => {
      runs.reset();
      for (const [state, count] of counts) runs.set({ state }, count);
    },
    text: () => registry.metrics(),
    contentType: registry.contentType,
  };
};
