import { BridgeError, type PlatformErrorCode } from '../model/errors.ts';
import type { PlatformId, ThreadId } from '../model/ids.ts';
import type { Thread } from '../model/thread.ts';

/** Why a platform does not take what is to be shown in some threads. */
export interface Trouble {
  readonly platform: PlatformId;
  /** A sentence for the operator, with the remedy where there is one. */
  readonly why: string;
  /** Threads that wait for it to pass. */
  readonly threads: number;
}

type Where = Pick<Thread, 'id' | 'channel' | 'platform'>;

/** A call that fails once may be a blip; what fails so often in a row is worth a word. */
const worthAWord = 3;

const isLasting = (code: string, attempts: number): boolean => {
  switch (code as PlatformErrorCode) {
    case 'auth':
    case 'no-access':
      return true;
    case 'unavailable':
      return attempts >= worthAWord;
    default:
      return false;
  }
};

const withStop = (sentence: string): string =>
  /[.!?]$/.test(sentence) ? sentence : `${sentence}.`;

/** Remembers what keeps threads from being shown, so that each trouble is told once, and its end too. */
export class Troubles {
  readonly #known = new Map<
    string,
    { trouble: Omit<Trouble, 'threads'>; threads: Set<ThreadId> }
  >();

  /** A try failed. @returns the trouble when it is a new one. */
  failed(thread: Where, error: unknown, attempts: number): Trouble | undefined {
    if (!(error instanceof BridgeError) || !isLasting(error.code, attempts)) return undefined;
    const why = withStop(error.userMessage ?? error.message);
    // A refused token and a platform that is away are one trouble, in whatever words each call says so.
    const key =
      error.code === 'no-access' ? `${thread.channel} ${why}` : `${thread.platform} ${error.code}`;
    const known = this.#known.get(key);
    if (known !== undefined) {
      known.threads.add(thread.id);
      return undefined;
    }
    const trouble = { platform: thread.platform, why };
    this.#known.set(key, { trouble, threads: new Set([thread.id]) });
    return { ...trouble, threads: 1 };
  }

  /** A try went well, or nothing is shown there any more. @returns troubles that are over. */
  passed(thread: ThreadId): readonly Trouble[] {
    const over: Trouble[] = [];
    for (const [key, { trouble, threads }] of this.#known) {
      if (!threads.delete(thread) || threads.size > 0) continue;
      this.#known.delete(key);
      over.push({ ...trouble, threads: 0 });
    }
    return over;
  }

  all(): readonly Trouble[] {
    return [...this.#known.values()].map(({ trouble, threads }) => ({
      ...trouble,
      threads: threads.size,
    }));
  }
}
