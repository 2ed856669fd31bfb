import type { DialogContent } from '../../bridge/model/conversation.ts';
import type { Cursor } from '../../bridge/model/events.ts';
import type { RunId, SessionId } from '../../bridge/model/ids.ts';
import type { BlockedCause, RunHandle } from '../../bridge/model/run-state.ts';
import type { Observation } from '../../bridge/ports/agent-provider.ts';
import type { Clock } from '../../bridge/ports/clock.ts';
import { readCursor } from './cursor.ts';
import type { Locator } from './locate.ts';
import { Followed } from './observe-followed.ts';
import { isResting, stampOf } from './observe-rest.ts';
import { type Present, View, type ViewDeps } from './observe-view.ts';
import { Wake } from './observe-wake.ts';
import type { RegistryReading } from './registry.ts';
import { needsScreen } from './state.ts';
import type { FileHints } from './watch.ts';

export interface ObserveDeps {
  readonly clock: Clock;
  readonly locator: Locator;
  /** Where this run's transcripts are: `<config dir>/projects`. */
  readonly projectsDir: (run: RunHandle) => string;
  readonly readEntry: (run: RunHandle) => Promise<RegistryReading>;
  /** The registry file, to be woken by its changes. */
  readonly entryPath?: (run: RunHandle) => string;
  /** True while the process with this pid and start time lives. */
  readonly isAlive: (pid: number, procStart: string) => Promise<boolean> | boolean;
  /** Asked only where nothing else explains what the run waits on. */
  readonly readScreen?: (run: RunHandle) => Promise<BlockedCause | undefined>;
  /** Why the pane cannot be typed into; asked at every look, so it must be cheap. */
  readonly paneTrouble?: (run: RunHandle) => string | undefined;
  readonly isAnswerable?: (content: DialogContent, run: RunHandle) => boolean;
  readonly hooks?: NonNullable<ViewDeps['hooks']>;
  /** The run as its registry entry describes it now (name, link …). */
  readonly describe?: (run: RunHandle, entry: Exclude<RegistryReading, string>) => RunHandle;
  /** The saved cursor of a session that this run may come to (R2: resumed by a later process). */
  readonly sessionCursor?: (session: SessionId, run: RunId) => Cursor | undefined;
  /** The cursor saved last for this run, whatever its session was: what was cleared while nobody looked is read to its end. */
  readonly lastCursor?: (run: RunId) => Cursor | undefined;
  readonly hints?: FileHints;
  /** ms between two looks at a run where something is going on, and at one that rests and has hints. */
  readonly pollMs?: number;
  readonly quietPollMs?: number;
}

/** Items of one observation, about. */
const MOST_ITEMS = 200;
const POLL_MS = 500;
const QUIET_POLL_MS = 2_000;
/** A start under load took 2 s. */
const UNKNOWN_FOR_MS = 10_000;
/** A run without any change for so long rests. */
const QUIET_AFTER_MS = 15_000;
/** Looks at a resting run's files from outside before it is looked at as a whole again. */
const MOST_GLANCES = 15;

/**
 * Follows one run until it ends or the signal aborts (`AgentProvider.observe`). Nothing is read
 * before the consumer asks for the next observation.
 */
export async function* observe(
  deps: ObserveDeps,
  run: RunHandle,
  from: Cursor | undefined,
  signal: AbortSignal,
): AsyncGenerator<Observation, void, void> {
  const position = readCursor(from) ?? readCursor(deps.lastCursor?.(run.id));
  const followed = new Followed(deps, run, position);
  const view = new View(deps, run);
  const wake = new Wake(deps);
  const unknown = new UnknownScreen();
  let changedAt = deps.clock.now();
  let paths: readonly string[] = [];
  try {
    while (!signal.aborted) {
      const stamp = stampOf(paths);
      const now = unknown.judge(await presentOf(deps, view.run), deps.clock.now());
      const live = view.note(now);
      let isAtEnd = false;
      for await (const part of followed.look(live, MOST_ITEMS)) {
        isAtEnd = part.isAtEnd;
        const seen = view.observe(now, followed, part, false);
        if (seen === undefined) continue;
        changedAt = deps.clock.now();
        yield seen;
        if (signal.aborted) return;
      }
      if (!isAtEnd) continue;
      if (!now.isAlive || isAnother(now, run)) {
        const last = view.observe(now, followed, followed.end(), true);
        if (last !== undefined) yield last;
        return;
      }
      const stampedPaths = paths;
      paths = pathsOf(deps, view.run, followed);
      wake.listen(paths);
      const isQuiet = deps.hints !== undefined && deps.clock.now() - changedAt > QUIET_AFTER_MS;
      await wake.sleep(
        isQuiet ? (deps.quietPollMs ?? QUIET_POLL_MS) : (deps.pollMs ?? POLL_MS),
        signal,
      );
      // The transcript and the registry file, both as they were before this look.
      if (!isQuiet || paths.length < 2 || paths.join() !== stampedPaths.join()) continue;
      if (isResting(now, followed.facts)) await rest(deps, run, { paths, stamp }, wake, signal);
    }
  } finally {
    wake.stop();
  }
}

/** Until something was written, the process is gone, or it is time to look at everything again. */
const rest = async (
  deps: ObserveDeps,
  run: RunHandle,
  seen: { readonly paths: readonly string[]; readonly stamp: string },
  wake: Wake,
  signal: AbortSignal,
): Promise<void> => {
  for (let glances = 0; glances < MOST_GLANCES && !signal.aborted; glances += 1) {
    if (stampOf(seen.paths) !== seen.stamp) return;
    if (!(await deps.isAlive(run.pid, run.procStart))) return;
    await wake.sleep(deps.quietPollMs ?? QUIET_POLL_MS, signal);
  }
};

/**
 * While a process starts or ends its screen is drawn in steps, and no registry file is there (seen
 * 2026-12-01: 2 of 20 starts passed for blocked): only one that stays is a screen that stops it.
 */
class UnknownScreen {
  #since: number | undefined;

  judge(now: Present, at: number): Present {
    if (now.entry !== 'absent' || now.screen !== 'unknown-screen') {
      this.#since = undefined;
      return now;
    }
    this.#since ??= at;
    return at - this.#since < UNKNOWN_FOR_MS ? { ...now, screen: undefined } : now;
  }
}

const isAnother = (now: Present, run: RunHandle): boolean =>
  typeof now.entry !== 'string' && now.entry.procStart !== run.procStart;

const presentOf = async (deps: ObserveDeps, run: RunHandle): Promise<Present> => {
  const entry = await deps.readEntry(run);
  const isAlive = await deps.isAlive(run.pid, run.procStart);
  const screen = isAlive && needsScreen(entry) ? await deps.readScreen?.(run) : undefined;
  return { entry, isAlive, screen, paneTrouble: deps.paneTrouble?.(run) };
};

const pathsOf = (deps: ObserveDeps, run: RunHandle, followed: Followed): readonly string[] => {
  const entry = deps.entryPath?.(run);
  return [entry, followed.path].filter((path) => path !== undefined);
};
