import type { ApiRequest, ToolResult } from './api-request.ts';

/** What the model was given as one turn of a person. */
export interface ReceivedTurn {
  readonly session: string;
  readonly purpose: 'main' | 'agent';
  /** Exact texts of people, in order; several when they had been queued. */
  readonly texts: readonly string[];
  /** Requests that carried the same turn before this one was answered (retries after an error). */
  readonly tries: number;
}

export type ReplyEnd = 'open' | 'done' | 'error' | 'aborted';

interface Seen {
  readonly userTexts: readonly string[];
  readonly messageCount: number;
  turn: number | undefined;
  end: ReplyEnd;
}

const maxTurns = 10_000;

const commonPrefix = (a: readonly string[], b: readonly string[]): number => {
  let i = 0;
  while (i < a.length && i < b.length && a[i] === b[i]) i += 1;
  return i;
};

/**
 * The record of what was delivered. A conversation is sent whole with every request, so what is
 * new in one is what goes beyond the request before it; the same request again is a retry when
 * the one before ended in an error, and a person's repetition when it was aborted (un-sent).
 */
export class Received {
  readonly #last = new Map<string, Seen>();
  readonly #turns: ReceivedTurn[] = [];
  readonly #results = new Map<string, ToolResult>();
  #cutOff = 0;

  /** Results of calls, each once, in the order in which they came. */
  results(): readonly ToolResult[] {
    return [...this.#results.values()];
  }

  /** Replies of conversations that the client gave up while they came. */
  cutOff(): number {
    return this.#cutOff;
  }

  turns(): readonly ReceivedTurn[] {
    return this.#turns;
  }

  /** Records a request; says how often this turn was asked before, and takes how the reply ended. */
  add(request: ApiRequest): { readonly tries: number; readonly ended: (end: ReplyEnd) => void } {
    if (request.purpose === 'side') return { tries: 0, ended: () => undefined };
    const key = `${request.session} ${request.purpose}`;
    for (const result of request.freshResults) {
      if (this.#results.size < maxTurns && !this.#results.has(result.toolUseId))
        this.#results.set(result.toolUseId, result);
    }
    const before = this.#last.get(key);
    const seen: Seen = {
      userTexts: request.userTexts,
      messageCount: request.messageCount,
      turn: undefined,
      end: 'open',
    };
    this.#last.set(key, seen);
    const ended = (end: ReplyEnd) => {
      seen.end = end;
      if (end === 'aborted') this.#cutOff += 1;
    };
    const isRetry =
      before?.end === 'error' &&
      before.messageCount === request.messageCount &&
      before.userTexts.length === request.userTexts.length &&
      commonPrefix(before.userTexts, request.userTexts) === request.userTexts.length;
    if (isRetry) {
      seen.turn = before.turn;
      const turn = before.turn === undefined ? undefined : this.#turns[before.turn];
      if (turn === undefined || before.turn === undefined) return { tries: 0, ended };
      this.#turns[before.turn] = { ...turn, tries: turn.tries + 1 };
      return { tries: turn.tries + 1, ended };
    }
    const texts = this.#newTexts(request, before);
    if (texts.length > 0 && this.#turns.length < maxTurns) {
      seen.turn = this.#turns.length;
      this.#turns.push({ session: request.session, purpose: request.purpose, texts, tries: 0 });
    }
    return { tries: 0, ended };
  }

  #newTexts(request: ApiRequest, before: Seen | undefined): readonly string[] {
    if (before === undefined) return request.freshTexts;
    const beyond = request.userTexts.slice(commonPrefix(before.userTexts, request.userTexts));
    return beyond.length === 0 ? request.freshTexts : beyond;
  }
}
