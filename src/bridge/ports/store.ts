import type { Cursor } from '../model/events.ts';
import type { RunId, SessionId } from '../model/ids.ts';
import type { RunSummary } from '../model/run-state.ts';
import type { AttemptLog } from './agent-provider.ts';

/** What the host side keeps: cursors, attempts, and where an ended run's transcript was. Nothing of the conversation. */
export interface HostStore {
  readonly attempts: AttemptLog;
  /**
   * The cursor to go on from for this session, moved only after the chat side committed: the run's
   * own, else the newest that another run left.
   */
  cursor(session: SessionId, run: RunId): Cursor | undefined;
  /** The cursor saved last for this run, whatever its session was. */
  lastCursor(run: RunId): Cursor | undefined;
  saveCursor(session: SessionId, run: RunId, cursor: Cursor, transcript: string | undefined): void;
  /** The run is private now: nothing is gone on with. */
  forgetCursors(run: RunId): void;
  /** Where the session's transcript was when its cursor was saved last. */
  transcriptOf(session: SessionId): string | undefined;
  /** The last known summary of every run that is kept, newest activity first. */
  runs(): readonly RunSummary[];
  run(run: RunId): RunSummary | undefined;
  saveRun(run: RunSummary): void;
  /** Forgets what ended before `before` (ms since the epoch): runs, their cursors, settled attempts. */
  sweep(before: number): void;
}
