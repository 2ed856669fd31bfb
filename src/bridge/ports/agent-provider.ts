import type { ItemWindow } from '../model/commands.ts';
import type { Item } from '../model/conversation.ts';
import type {
  Attempt,
  AttemptStage,
  DeliveryOutcome,
  DialogAnswer,
  Evidence,
} from '../model/delivery.ts';
import type { Cursor, SessionOrigin } from '../model/events.ts';
import type { DeliveryId, DialogId, ProviderId, RunId, SessionId, TurnId } from '../model/ids.ts';
import type { PendingDialog, RunHandle, RunState } from '../model/run-state.ts';

/** What one step of reading gives. A step without items still carries state. */
export interface Observation {
  readonly session: SessionId | undefined;
  readonly origin: SessionOrigin;
  readonly transcriptPath?: string;
  /** Low-water mark: observing from it gives every item that can still change again, the same to the byte. */
  readonly cursor: Cursor;
  readonly items: readonly Item[];
  readonly evidence: readonly Evidence[];
  readonly state: RunState;
  readonly pendingDialog?: PendingDialog;
  /** The conversation's title, where the provider has one. */
  readonly title?: string;
  /** ms since the epoch; of the newest row. */
  readonly lastActivityAt: number;
  /** The run as it is now (session, name, branch may have changed). */
  readonly run: RunHandle;
}

/** The host's own memory of what was typed; written before each effect. */
export interface AttemptLog {
  /** Durable when it returns. Replaces an earlier attempt of the same delivery (Send again). */
  begin(attempt: Omit<Attempt, 'stage' | 'proof'>): void;
  /** Durable when it returns. `settled` erases the text. */
  advance(delivery: DeliveryId, stage: AttemptStage, proof?: Attempt['proof']): void;
  /** Nothing was typed after all: as if it had never begun. */
  forget(delivery: DeliveryId): void;
  /** The attempt, if there was one. */
  find(delivery: DeliveryId): Attempt | undefined;
  /** Every attempt of a run that is not settled, oldest first. */
  open(run: RunId): readonly Attempt[];
}

export interface DeliveryContext {
  readonly delivery: DeliveryId;
  /** ms since the epoch; the outcome is there by then, whatever happens. */
  readonly deadline: number;
  readonly signal: AbortSignal;
  readonly attempts: AttemptLog;
  /** Runs `work` alone among everything that types into this run; control goes before waiting replies. Hold it only while keys go. */
  typing<T>(work: () => Promise<T>): Promise<T>;
  /** Shown to the person at the terminal. */
  readonly by: string;
  /** Send again: the earlier attempt of this delivery was returned, type it anew. */
  readonly again: boolean;
}

/**
 * The seam to one kind of coding agent. Expected results are values; an exception is a bug or a
 * lost connection. Nothing blocks after a signal aborts.
 */
export interface AgentProvider {
  readonly id: ProviderId;
  readonly displayName: string;
  /** PURE: does the record hold the text that was typed, but for what the agent normalises? */
  sameText(typed: string, recorded: string): boolean;
  /**
   * Every live run of this user, now; each call asks the present (S3). Costs one tmux call per
   * server. A run that cannot be read this time is left out only when its process is gone.
   */
  discover(signal: AbortSignal): Promise<readonly RunHandle[]>;
  /**
   * Follows one run until it ends or the signal aborts: across /clear, resume and rewind. From a
   * cursor it replays exactly what an uninterrupted reading would have given since. The next step
   * is read only when the consumer asks: back-pressure is free. The last observation of a run that
   * ended has state `ended`.
   */
  observe(
    run: RunHandle,
    from: Cursor | undefined,
    signal: AbortSignal,
  ): AsyncIterable<Observation>;
  /** Types one reply with proof (D1, D2). Returns by the deadline. Never types twice for one delivery unless `again`. */
  reply(run: RunHandle, text: string, ctx: DeliveryContext): Promise<DeliveryOutcome>;
  /** Answers the dialog that was shown, and only that one (Q4, Q6). */
  answer(
    run: RunHandle,
    dialog: DialogId,
    answer: DialogAnswer,
    ctx: DeliveryContext,
  ): Promise<DeliveryOutcome>;
  /** One Escape, only while busy, only if `turn` is still the running one (I2). */
  interrupt(
    run: RunHandle,
    turn: TurnId | undefined,
    ctx: DeliveryContext,
  ): Promise<DeliveryOutcome>;
}

/** Optional: reads a transcript for the page and for threads that fell behind, ended runs too (R5, O5). */
export interface TranscriptReader {
  window(path: string, before: number | undefined, limit: number): Promise<ItemWindow>;
  changes(path: string, cursor: Cursor): Promise<ItemWindow>;
  since(path: string, offset: number, limit: number): Promise<ItemWindow>;
}
export const isTranscriptReader = (p: AgentProvider): p is AgentProvider & TranscriptReader =>
  'window' in p && 'changes' in p && 'since' in p;

/** Optional: decides an attempt that a crash left open, and clears a returned draft that a person gave up. */
export interface AttemptResolver {
  resolve(run: RunHandle, attempt: Attempt, ctx: DeliveryContext): Promise<DeliveryOutcome>;
  /** `refused`: it is not in the box (any more). `held`: it could not be taken out now. */
  clearDraft(run: RunHandle, attempt: Attempt, ctx: DeliveryContext): Promise<DeliveryOutcome>;
}
export const isAttemptResolver = (p: AgentProvider): p is AgentProvider & AttemptResolver =>
  'resolve' in p && 'clearDraft' in p;

/** Optional: what the screen reader sees, for `status RUN --screen`. */
export interface ScreenInspector {
  inspect(
    run: RunHandle,
    signal: AbortSignal,
  ): Promise<{ screen: string; reading: string; reply: string }>;
}
export const isScreenInspector = (p: AgentProvider): p is AgentProvider & ScreenInspector =>
  'inspect' in p;

/** Optional: starts an agent in tmux (`afk-bridge run`). */
export interface RunLauncher {
  launch(argv: readonly string[], cwd: string): Promise<{ attachCommand: string }>;
}
export const isRunLauncher = (p: AgentProvider): p is AgentProvider & RunLauncher => 'launch' in p;

/** Optional: what a person types on the host to see or to go on with a run. */
export interface RunCommands {
  resumeCommand(run: RunHandle): string | undefined;
  attachCommand(run: RunHandle): string | undefined;
}
export const isRunCommands = (p: AgentProvider): p is AgentProvider & RunCommands =>
  'resumeCommand' in p && 'attachCommand' in p;
