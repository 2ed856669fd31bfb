import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createHost, type Host } from '../../src/bridge/host/host.ts';
import { LocalLink } from '../../src/bridge/link/local-link.ts';
import type { DeliveryOutcome } from '../../src/bridge/model/delivery.ts';
import { type DeliveryId, type HostId, id } from '../../src/bridge/model/ids.ts';
import type { PaneIdentity, RunHandle } from '../../src/bridge/model/run-state.ts';
import type { HostStore } from '../../src/bridge/ports/store.ts';
import { openDatabase } from '../../src/bridge/store/database.ts';
import { hostStore } from '../../src/bridge/store/host-store.ts';
import { systemClock } from '../../src/bridge/system-clock.ts';
import { discoveryParts } from '../../src/provider/claude-code/discovery-parts.ts';
import { Locator } from '../../src/provider/claude-code/locate.ts';
import { ClaudeCodeProvider } from '../../src/provider/claude-code/provider.ts';
import { FileWatcher } from '../../src/provider/claude-code/watch.ts';
import { type InputResult, Tmux } from '../../src/provider/tmux/tmux.ts';
import { Stage, type StageOptions, type StartOptions } from '../live/harness.ts';
import type { LiveAgent } from '../live/live-agent.ts';
import type { LiveProgram } from '../live/program.ts';
import { until } from '../live/wait.ts';

/** tmux, with something that happens between the paste and the look after it. */
class InterveningTmux extends Tmux {
  afterPaste: (() => Promise<void>) | undefined;

  override async paste(pane: PaneIdentity, text: string): Promise<InputResult> {
    const result = await super.paste(pane, text);
    await this.afterPaste?.();
    return result;
  }
}

/** tmux servers of the states. */
const SERVERS = ['main', 'reused'];

/** Real agents on one stage, and the bridge's whole host side in this process: provider, store, loops. */
export class Rig {
  readonly stage: Stage;
  readonly provider: ClaudeCodeProvider;
  readonly store: HostStore;
  readonly tmux: InterveningTmux;
  /** What the bridge would write to its log. */
  readonly problems: string[] = [];
  readonly #host: Host;
  readonly #outcomes = new Map<DeliveryId, DeliveryOutcome[]>();
  readonly #close: () => Promise<void>;

  private constructor(stage: Stage) {
    this.stage = stage;
    const clock = systemClock;
    const closing = new AbortController();
    const dir = mkdtempSync(join(tmpdir(), 'afk-matrix-'));
    const db = openDatabase(join(dir, 'bridge.db'), clock.now());
    this.store = hostStore(db);
    this.tmux = new InterveningTmux();
    const note = (what: string, error: unknown): void => {
      this.problems.push(`${what}: ${error instanceof Error ? error.stack : String(error)}`);
    };
    const { configDir } = stage.home;
    const uid = process.getuid?.() ?? 0;
    const { registry, processes, discovery } = discoveryParts({
      ...{ clock, tmux: this.tmux, host: id<HostId>('matrix'), configDir, uid, onProblem: note },
      ...{ sockets: SERVERS.map((name) => ({ path: stage.socket(name) })), includesOutside: false },
      platform: process.platform,
    });
    const hints = new FileWatcher({ onError: (error) => note('watching', error) });
    const { store, tmux } = this;
    this.provider = new ClaudeCodeProvider({
      ...{ clock, tmux, registry, processes, configDir, uid, hints },
      locator: new Locator({ clock }),
      launchAt: { socket: stage.socket() },
      discover: (signal) => discovery.discover(signal),
      cursorOfSession: (session, run) => store.cursor(session, run),
      lastCursorOf: (run) => store.lastCursor(run),
    });
    const link = new LocalLink();
    link.onPublish(async ({ body }) => {
      if (body.type !== 'outcome') return;
      const known = this.#outcomes.get(body.delivery) ?? [];
      this.#outcomes.set(body.delivery, [...known, body.outcome]);
    });
    const say = (fields: object, message: string): void => note(message, JSON.stringify(fields));
    this.#host = createHost({
      ...{ provider: this.provider, store, link, clock, newId: randomUUID },
      log: { debug: () => undefined, info: () => undefined, warn: say, error: say },
      isShown: (run) => run.configDir === configDir,
      signal: closing.signal,
    });
    const loop = this.#host.observe(closing.signal, () => undefined);
    this.#close = async () => {
      closing.abort();
      await loop;
      await hints.close();
      db.close();
      rmSync(dir, { recursive: true, force: true });
    };
  }

  static async open(program: LiveProgram, options: StageOptions): Promise<Rig> {
    const stage = await Stage.open(program, options);
    await writeFile(join(stage.home.cwd, 'notes.txt'), 'Notes of nobody.\n');
    return new Rig(stage);
  }

  start(options: StartOptions): Promise<LiveAgent> {
    return this.stage.start(options);
  }

  /** The handle that the bridge has for this agent. */
  runOf(agent: LiveAgent): Promise<RunHandle> {
    return until(
      'the bridge finds the run',
      async () => {
        const runs = await this.provider.discover(new AbortController().signal);
        const run = runs.find((each) => each.pid === agent.pid);
        return run?.pane === undefined ? undefined : run;
      },
      20_000,
    );
  }

  /** Until the host follows the run: what comes later in its transcript reaches the attempts. */
  async followed(run: RunHandle): Promise<void> {
    await until('the bridge follows the run', () => this.#host.table.live(run.id), 20_000);
  }

  /** The command as it comes from the chat side. */
  command(run: RunHandle, delivery: DeliveryId, text: string, withinMs: number) {
    const at = Date.now();
    return this.#host.command({
      ...{ v: 1, id: randomUUID(), at },
      body: { type: 'reply', delivery, run: run.id, text, deadline: at + withinMs, by: 'Alice' },
    });
  }

  /** The provider alone, with a handle as it was once: nothing that the host knows better helps. */
  replyByHandle(run: RunHandle, delivery: DeliveryId, text: string, withinMs: number) {
    return this.provider.reply(run, text, {
      ...{ delivery, by: 'Alice', again: false, attempts: this.store.attempts },
      deadline: Date.now() + withinMs,
      signal: new AbortController().signal,
      typing: (work) => work(),
    });
  }

  /** Outcomes that came after the first. */
  later(delivery: DeliveryId): readonly DeliveryOutcome[] {
    return this.#outcomes.get(delivery) ?? [];
  }

  async close(): Promise<void> {
    await this.#close();
    await this.stage.stop();
  }
}
