import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sameEmoji } from '../adapters/slack/inbound-emoji.ts';
import { WebPage } from '../adapters/web/server.ts';
import { loadToken } from '../adapters/web/token.ts';
import { Bridge } from '../bridge/bridge.ts';
import type { Config } from '../bridge/config.ts';
import type { RootLog } from '../bridge/log.ts';
import { createMetrics } from '../bridge/metrics.ts';
import { isShown } from '../bridge/model/run-match.ts';
import type { RunSummary } from '../bridge/model/run-state.ts';
import type { Channel } from '../bridge/model/thread.ts';
import type { ChatAdapter } from '../bridge/ports/chat-adapter.ts';
import type { FailPoint } from '../bridge/ports/fail-point.ts';
import type { StateDir } from '../bridge/state-dir.ts';
import { type Db, openDatabase } from '../bridge/store/database.ts';
import { hostStore } from '../bridge/store/host-store.ts';
import { systemClock } from '../bridge/system-clock.ts';
import { HookServer } from '../provider/claude-code/hook-server.ts';
import { hookSocketPath } from '../provider/claude-code/hook-socket.ts';
import { FileWatcher } from '../provider/claude-code/watch.ts';
import type { BridgeProcess } from './cli-deps.ts';
import { makePlatforms } from './compose-platforms.ts';
import { makeProvider } from './compose-provider.ts';
import { warnSparingly } from './trouble.ts';

/** What comes beside the configuration: platforms, and what crash tests need. */
export interface Extras {
  readonly adapters?: readonly ChatAdapter[];
  readonly channels?: readonly Channel[];
  readonly failPoint?: FailPoint;
}

/** Builds the bridge in the order in which data flows. The only file that knows every implementation. */
export const makeBridge = (
  config: Config,
  stateDir: StateDir,
  log: RootLog,
  extras: Extras = {},
): BridgeProcess => {
  const failPoint = extras.failPoint === undefined ? {} : { failPoint: extras.failPoint };
  const clock = systemClock;
  const db: Db = openDatabase(join(stateDir.path, 'bridge.db'), clock.now());
  const host = hostStore(db);
  const onProblem = warnSparingly({ log, clock });
  const hints = new FileWatcher({ onError: (error) => onProblem('watching transcripts', error) });
  const hooks = new HookServer({
    path: hookSocketPath(stateDir.path, tmpdir(), process.getuid?.() ?? 0),
    clock,
    onProblem,
  });
  const { provider, watch } = makeProvider(config, stateDir, {
    hooks,
    onProblem,
    hints,
    ...failPoint,
    cursorOfSession: (session, run) => host.cursor(session, run),
    lastCursorOf: (run) => host.lastCursor(run),
  });
  const metrics = createMetrics(
    () => bridge.health(),
    () => bridge.platforms(),
  );
  const platforms = makePlatforms(config, { clock, log });
  const reactions = config.interrupt.reactions.map(sameEmoji);
  const bridge = new Bridge({
    config: { ...config, interrupt: { ...config.interrupt, reactions } },
    db,
    provider,
    adapters: [...platforms.adapters, ...(extras.adapters ?? [])],
    channels: [...platforms.channels, ...(extras.channels ?? [])],
    ...failPoint,
    watch,
    secrets: [loadToken(stateDir.path)],
    linkOf: (run) => linkOf(run, config.web.baseUrl),
    clock,
    log,
    newId: randomUUID,
    isShown: (run) => isShown(config.runs.rules, run),
    metrics,
  });
  const isHealthy = (): boolean => bridge.health().every((loop) => loop.isHealthy);
  const page = new WebPage({
    config: { ...config.web, stateDir: stateDir.path },
    runs: bridge.runs,
    deliveries: bridge.deliveryReader,
    changes: bridge.changes,
    clock,
    log,
    probes: {
      '/healthz': () =>
        Response.json(
          { loops: bridge.health(), platforms: bridge.platforms() },
          { status: isHealthy() ? 200 : 503 },
        ),
      '/readyz': () => {
        const isReady = isHealthy() && bridge.platforms().every((each) => each.isConnected);
        return new Response(isReady ? 'ready' : 'not ready', { status: isReady ? 200 : 503 });
      },
      '/metrics': async () => {
        bridge.measure();
        const headers = { 'content-type': metrics.contentType };
        return new Response(await metrics.text(), { headers });
      },
    },
  });
  const sources = [page];
  return {
    reader: bridge.runs,
    start: async () => {
      await hooks.listen();
      await bridge.start(sources);
      return { url: page.url, token: new URL(page.loginUrl).hash.replace('#token=', '') };
    },
    stop: async () => {
      await bridge.stop(sources);
      await hooks.close();
      await hints.close();
    },
  };
};

/** Q2: the run's own link, else the page where it is served for others, else the command for the host. */
const linkOf = (run: RunSummary, baseUrl: string | undefined): string | undefined =>
  run.deepLink ?? (baseUrl === undefined ? run.attachCommand : `${baseUrl}/run/${run.id}`);
