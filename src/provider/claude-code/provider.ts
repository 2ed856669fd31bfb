import { join } from 'node:path';
import type { ItemWindow } from '../../bridge/model/commands.ts';
import type { DialogContent } from '../../bridge/model/conversation.ts';
import { isSingleQuestion } from '../../bridge/model/conversation.ts';
import type { Attempt, DeliveryOutcome, DialogAnswer } from '../../bridge/model/delivery.ts';
import type { Cursor } from '../../bridge/model/events.ts';
import {
  type DialogId,
  id,
  type ProviderId,
  type RunId,
  type SessionId,
  type TurnId,
} from '../../bridge/model/ids.ts';
import type { BlockedCause, RunHandle } from '../../bridge/model/run-state.ts';
import type {
  AgentProvider,
  AttemptResolver,
  DeliveryContext,
  Observation,
  RunCommands,
  RunLauncher,
  ScreenInspector,
  TranscriptReader,
} from '../../bridge/ports/agent-provider.ts';
import type { Clock } from '../../bridge/ports/clock.ts';
import type { FailPoint } from '../../bridge/ports/fail-point.ts';
import { attachCommandOf, selectCommandOf } from '../tmux/launch.ts';
import { shellWord } from '../tmux/shell-word.ts';
import type { Tmux } from '../tmux/tmux.ts';
import { answerByKeys } from './answer.ts';
import { answerByHook, callOfDialog } from './answer-hook.ts';
import { sameText } from './evidence.ts';
import type { HookServer } from './hook-server.ts';
import { interruptRun } from './interrupt.ts';
import { createKeyboard } from './keyboard.ts';
import { listCommands } from './known-commands.ts';
import type { Locator } from './locate.ts';
import { observe } from './observe.ts';
import { sightOf } from './process-sight.ts';
import { isAlive, type Processes } from './processes.ts';
import { readinessOf } from './readiness.ts';
import { isVerified } from './recipes.ts';
import type { Registry, RegistryReading } from './registry.ts';
import { clearReturned, resolveReply } from './resolve.ts';
import { toSendable } from './sendable.ts';
import { lookAt, screenText } from './sight.ts';
import { type SubmitDeps, submitReply } from './submit.ts';
import type { FileHints } from './watch.ts';
import { Windows } from './window.ts';

export interface ProviderDeps {
  readonly clock: Clock;
  readonly tmux: Tmux;
  readonly registry: Registry;
  readonly locator: Locator;
  /** Runs that live now (R1). */
  readonly discover: (signal: AbortSignal) => Promise<readonly RunHandle[]>;
  readonly processes: Processes;
  /** The agent's own configuration directory, where a run does not name another. */
  readonly configDir: string;
  readonly uid: number;
  /** Where `launch` starts an agent: in a window beside this pane, or in a new session of this server. */
  readonly launchAt: { readonly socket: string; readonly besides?: string };
  readonly hints?: FileHints;
  /** Where hooks of runs wait for answers; without it only keys answer. */
  readonly hooks?: HookServer;
  /** Saved cursors (R2). */
  readonly cursorOfSession?: (session: SessionId, run: RunId) => Cursor | undefined;
  readonly lastCursorOf?: (run: RunId) => Cursor | undefined;
  readonly failPoint?: FailPoint;
  /** Versions that `doctor --verify` found to behave like the pinned one; asked each time. */
  readonly verifiedVersions?: () => readonly string[];
}

/** Claude Code in a tmux pane. Puts the parts together; every decision is in one of them. */
export class ClaudeCodeProvider
  implements
    AgentProvider,
    TranscriptReader,
    AttemptResolver,
    ScreenInspector,
    RunCommands,
    RunLauncher
{
  readonly id = id<ProviderId>('claude-code');
  readonly displayName = 'Claude Code';
  readonly sameText = sameText;
  readonly #deps: ProviderDeps;
  readonly #windows = new Windows();
  readonly #submit: SubmitDeps;

  constructor(deps: ProviderDeps) {
    this.#deps = deps;
    const { tmux, clock, processes } = deps;
    this.#submit = {
      clock,
      look: (pane) => tmux.look(pane),
      keyboard: createKeyboard(deps),
      leaveMode: (pane) => tmux.leaveMode(pane),
      notify: (pane, text) => tmux.notify(pane, text),
      registry: (run) => this.#entry(run),
      process: (run, tty) => sightOf(processes, run, tty),
      transcript: (run, session) => this.#transcript(run, session),
      ...(deps.failPoint === undefined ? {} : { failPoint: deps.failPoint }),
    };
  }

  discover(signal: AbortSignal): Promise<readonly RunHandle[]> {
    return this.#deps.discover(signal);
  }

  observe(
    run: RunHandle,
    from: Cursor | undefined,
    signal: AbortSignal,
  ): AsyncIterable<Observation> {
    const { clock, locator, processes, hints, hooks, cursorOfSession, lastCursorOf } = this.#deps;
    return observe(
      {
        clock,
        locator,
        projectsDir: (of) => join(this.#configDir(of), 'projects'),
        readEntry: (of) => this.#entry(of),
        entryPath: (of) => join(this.#configDir(of), 'sessions', `${of.pid}.json`),
        isAlive: async (pid, procStart) => {
          const stat = await processes.stat(pid);
          return isAlive(stat) && stat.start === procStart;
        },
        readScreen: (of) => this.#blockedBy(of),
        isAnswerable: (content, of) => this.#isAnswerable(content, of),
        ...(hooks === undefined
          ? {}
          : {
              hooks: (session, open, isWaiting) => hooks.follow(session, open, isWaiting),
            }),
        ...(cursorOfSession === undefined ? {} : { sessionCursor: cursorOfSession }),
        ...(lastCursorOf === undefined ? {} : { lastCursor: lastCursorOf }),
        ...(hints === undefined ? {} : { hints }),
      },
      run,
      from,
      signal,
    );
  }

  async reply(run: RunHandle, text: string, ctx: DeliveryContext): Promise<DeliveryOutcome> {
    const isCommandLike = /^\s*\//.test(text);
    const knows = isCommandLike
      ? await listCommands({
          version: run.version,
          configDir: this.#configDir(run),
          cwd: run.cwd,
          argv: await this.#deps.processes.argv(run.pid),
        })
      : () => 'unproven' as const;
    const sendable = toSendable(text, knows);
    if ('refused' in sendable) return { status: 'refused', reason: sendable.refused };
    return submitReply(this.#submit, run, sendable, ctx);
  }

  async answer(
    run: RunHandle,
    dialog: DialogId,
    answer: DialogAnswer,
    ctx: DeliveryContext,
  ): Promise<DeliveryOutcome> {
    const { hooks } = this.#deps;
    const session = await this.#sessionOf(run);
    const request =
      session === undefined
        ? undefined
        : await hooks?.for(session, callOfDialog(dialog), ctx.signal);
    if (hooks !== undefined && request !== undefined) {
      const deps = { ...this.#submit, requests: hooks.requests };
      const outcome = await answerByHook(deps, run, request, dialog, answer, ctx);
      if (outcome !== 'no-hook') return outcome;
    }
    const verifiedVersions = this.#deps.verifiedVersions?.() ?? [];
    return answerByKeys({ ...this.#submit, verifiedVersions }, run, dialog, answer, ctx);
  }

  interrupt(
    run: RunHandle,
    turn: TurnId | undefined,
    ctx: DeliveryContext,
  ): Promise<DeliveryOutcome> {
    return interruptRun(this.#submit, run, turn, ctx);
  }

  async resolve(run: RunHandle, attempt: Attempt, ctx: DeliveryContext): Promise<DeliveryOutcome> {
    return attempt.kind === 'reply'
      ? resolveReply(this.#submit, run, attempt, ctx)
      : { status: 'unknown', reason: 'the bridge was restarted in between', screen: '' };
  }

  clearDraft(run: RunHandle, attempt: Attempt, ctx: DeliveryContext): Promise<DeliveryOutcome> {
    return clearReturned(this.#submit, run, attempt, ctx);
  }

  window(path: string, before: number | undefined, limit: number): Promise<ItemWindow> {
    return this.#windows.window(path, before, limit);
  }

  changes(path: string, cursor: Cursor): Promise<ItemWindow> {
    return this.#windows.changes(path, cursor);
  }

  since(path: string, offset: number, limit: number): Promise<ItemWindow> {
    return this.#windows.since(path, offset, limit);
  }

  /** In a window of the tmux that this is called from, else in a new detached session. */
  async launch(argv: readonly string[], cwd: string): Promise<{ attachCommand: string }> {
    const { tmux, launchAt, uid } = this.#deps;
    const { socket, besides } = launchAt;
    if (besides === undefined) {
      const pane = await tmux.newSession(socket, { argv, cwd });
      return { attachCommand: attachCommandOf(pane, uid) };
    }
    return {
      attachCommand: selectCommandOf(await tmux.newWindow(socket, besides, { argv, cwd })),
    };
  }

  async inspect(run: RunHandle): Promise<{ screen: string; reading: string; reply: string }> {
    if (run.pane === undefined)
      return { screen: '', reading: 'outside tmux', reply: 'refused: read-only' };
    const seen = await lookAt(this.#submit, run, run.pane);
    const ready = readinessOf(seen, []);
    const outcome =
      ready.may === 'not'
        ? ready.outcome
        : ready.may === 'look-again'
          ? ready.otherwise
          : undefined;
    return {
      screen: screenText(seen),
      reading: JSON.stringify(seen.screen ?? seen.look, null, 2),
      reply: outcome === undefined ? `may ${ready.may}` : JSON.stringify(outcome),
    };
  }

  resumeCommand(run: RunHandle): string | undefined {
    if (run.session === undefined) return undefined;
    // An agent with a directory of its own keeps its conversations there.
    const own = run.configDir === undefined || run.configDir === this.#deps.configDir;
    const where = own ? '' : `CLAUDE_CONFIG_DIR=${shellWord(run.configDir ?? '')} `;
    return `cd ${shellWord(run.cwd)} && ${where}claude --resume ${run.session}`;
  }

  attachCommand(run: RunHandle): string | undefined {
    return run.pane === undefined ? undefined : attachCommandOf(run.pane, this.#deps.uid);
  }

  #isAnswerable(content: DialogContent, run: RunHandle): boolean {
    if (run.pane === undefined || content.type !== 'question' || !isSingleQuestion(content))
      return false;
    const kind = content.questions[0]?.multiSelect === true ? 'choose-several' : 'choose-one';
    return isVerified(kind, run.version, this.#deps.verifiedVersions?.() ?? []);
  }

  async #blockedBy(run: RunHandle): Promise<BlockedCause | undefined> {
    if (run.pane === undefined) return undefined;
    const { screen } = await lookAt(this.#submit, run, run.pane);
    return screen?.kind === 'blocked' ? screen.cause : undefined;
  }

  /** The session that the run is in now; the handle may be of a moment ago. */
  async #sessionOf(run: RunHandle): Promise<string | undefined> {
    const entry = await this.#entry(run);
    return typeof entry === 'string' ? run.session : entry.sessionId;
  }

  #configDir(run: RunHandle): string {
    return run.configDir ?? this.#deps.configDir;
  }

  #entry(run: RunHandle): Promise<RegistryReading> {
    return this.#deps.registry.read(this.#configDir(run), run.pid);
  }

  #transcript(run: RunHandle, session: string): Promise<string | undefined> {
    return this.#deps.locator.find(join(this.#configDir(run), 'projects'), session);
  }
}
