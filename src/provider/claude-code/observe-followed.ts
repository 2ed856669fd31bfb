import type { Item } from '../../bridge/model/conversation.ts';
import type { Evidence } from '../../bridge/model/delivery.ts';
import type { Cursor, SessionOrigin } from '../../bridge/model/events.ts';
import { id, type RunId, type SessionId } from '../../bridge/model/ids.ts';
import type { RunHandle } from '../../bridge/model/run-state.ts';
import { type Position, readCursor, UNBORN, unbornPosition, writeCursor } from './cursor.ts';
import type { TranscriptFacts } from './fold.ts';
import { emptyContext } from './fold-context.ts';
import type { Locator } from './locate.ts';
import { Children } from './observe-children.ts';
import { abandonedItems } from './observe-rewind.ts';
import { openSession } from './observe-start.ts';
import type { SessionReader } from './session-reader.ts';

interface FollowDeps {
  readonly locator: Locator;
  readonly projectsDir: (run: RunHandle) => string;
  readonly sessionCursor?: (session: SessionId, run: RunId) => Cursor | undefined;
}

/** A part of what was read, and where to go on from once it is published. */
export interface Part {
  readonly items: readonly Item[];
  readonly evidence: readonly Evidence[];
  readonly cursor: Cursor;
  /** All that was in the files was given. */
  readonly isAtEnd: boolean;
}

const NO_FACTS: TranscriptFacts = {
  isTurnEnded: true,
  lastWord: emptyContext.lastWord,
  background: 0,
  openCalls: [],
  lastAt: 0,
};

/** A process's clock may say that it started a moment after it did. */
const START_SLACK_MS = 2_000;

/** The conversation that a run is in: its transcript, its subagents' files, and how it came to it. */
export class Followed {
  readonly #deps: FollowDeps;
  readonly #run: RunHandle;
  #session: SessionId | undefined;
  #origin: SessionOrigin = 'new';
  #position: Position | undefined;
  #isSwitch = false;
  #sawUnborn = false;
  #reader: SessionReader | undefined;
  #children: Children | undefined;
  #hasClosedOld = false;
  #cursor: Cursor = '';

  constructor(deps: FollowDeps, run: RunHandle, position: Position | undefined) {
    this.#deps = deps;
    this.#run = run;
    const session = position?.session ?? run.session;
    if (session !== undefined) this.#begin(id<SessionId>(session), position);
  }

  get session(): SessionId | undefined {
    return this.#session;
  }

  get origin(): SessionOrigin {
    return this.#origin;
  }

  get path(): string | undefined {
    return this.#reader?.path;
  }

  get cursor(): Cursor {
    return this.#cursor;
  }

  get facts(): TranscriptFacts {
    const facts = this.#reader?.facts ?? NO_FACTS;
    const inside = this.#children?.openCalls ?? [];
    return inside.length === 0 ? facts : { ...facts, openCalls: [...facts.openCalls, ...inside] };
  }

  /** Reads on, at most about `limit` items per part. `live`: the session that the run is in now. */
  async *look(live: SessionId | undefined, limit: number): AsyncGenerator<Part, void, void> {
    if (this.#session === undefined && live !== undefined) this.#begin(live, this.#saved(live));
    const reader = await this.#open();
    if (reader === undefined) {
      const isOver = this.#turnTo(live);
      yield { items: [], evidence: [], cursor: this.#cursor, isAtEnd: !isOver };
      return;
    }
    const step = await reader.read(limit);
    const shown = new Map(step.items.map((item) => [item.id, item]));
    for (const back of step.lookBacks) {
      const { ino } = reader.position();
      for await (const items of abandonedItems(reader.session, reader.path, ino, back)) {
        const earlier = items.filter((item) => !shown.has(item.id));
        for (const item of items) if (shown.has(item.id)) shown.set(item.id, item);
        // The old cursor: after a crash the look back begins again.
        if (earlier.length > 0) yield this.#part({ items: earlier, evidence: [] }, false);
      }
    }
    const old = step.isAtEnd ? this.#closeOld(reader) : [];
    const inside = step.isAtEnd ? await this.#lookInside(reader, limit) : undefined;
    this.#cursor = this.#write(reader);
    const items = [...shown.values(), ...old, ...(inside?.items ?? [])];
    const isAtEnd = step.isAtEnd && inside?.isAtEnd !== false;
    const part = this.#part({ items, evidence: step.evidence }, isAtEnd);
    if (isAtEnd && live !== undefined && live !== this.#session) {
      yield { ...part, isAtEnd: false };
      this.#turnTo(live);
    } else yield part;
  }

  /** The run is over: what was open is closed. */
  end(): Part {
    const closed = this.#reader?.endRun(Number.POSITIVE_INFINITY);
    if (this.#reader !== undefined) this.#cursor = this.#write(this.#reader);
    return this.#part({ items: closed?.items ?? [], evidence: [] }, true);
  }

  #begin(session: SessionId, position: Position | undefined): void {
    this.#session = session;
    this.#position = position?.session === session ? position : undefined;
    this.#sawUnborn = this.#position?.ino === UNBORN;
    this.#reader = undefined;
    this.#children = undefined;
    this.#hasClosedOld = false;
    this.#origin = this.#isSwitch ? 'cleared' : 'new';
    this.#cursor = writeCursor(this.#position ?? unbornPosition(session, this.#run.id));
  }

  /** Leaves a conversation that was read to its end for the one that the run is in now. */
  #turnTo(live: SessionId | undefined): boolean {
    if (live === undefined || live === this.#session) return false;
    this.#isSwitch = true;
    this.#begin(live, this.#saved(live));
    return true;
  }

  /** Where an earlier process of this session was read to, or this run before it left it. */
  #saved(session: SessionId): Position | undefined {
    return readCursor(this.#deps.sessionCursor?.(session, this.#run.id));
  }

  async #open(): Promise<SessionReader | undefined> {
    const session = this.#session;
    if (session === undefined) return undefined;
    if (this.#reader !== undefined && !this.#reader.isGone) return this.#reader;
    const path = await this.#deps.locator.find(this.#deps.projectsDir(this.#run), session);
    if (path === undefined) {
      this.#sawUnborn ||= this.#reader === undefined;
      return this.#reader;
    }
    if (this.#reader !== undefined) {
      await this.#reader.attach(path);
      return this.#reader;
    }
    const opened = await openSession({
      run: this.#run,
      session,
      path,
      position: this.#sawUnborn ? undefined : this.#position,
      isSwitch: this.#isSwitch,
      sawUnborn: this.#sawUnborn,
    });
    if (opened === 'unborn') this.#sawUnborn = true;
    if (opened === undefined || opened === 'unborn') return undefined;
    this.#origin = opened.origin;
    this.#reader = opened.reader;
    this.#children = new Children(session, path, this.#position?.children);
    return this.#reader;
  }

  /** What an earlier process of this session left open can get no result any more. */
  #closeOld(reader: SessionReader): readonly Item[] {
    if (this.#hasClosedOld) return [];
    this.#hasClosedOld = true;
    return reader.endRun(this.#run.startedAt - START_SLACK_MS).items;
  }

  async #lookInside(reader: SessionReader, limit: number) {
    await this.#children?.refresh(reader);
    return this.#children?.read(limit);
  }

  #write(reader: SessionReader): Cursor {
    const children = this.#children?.positions() ?? {};
    return writeCursor({
      v: 1,
      session: reader.session,
      run: this.#run.id,
      ...reader.position(),
      ...(Object.keys(children).length === 0 ? {} : { children }),
    });
  }

  #part(given: Pick<Part, 'items' | 'evidence'>, isAtEnd: boolean): Part {
    return { ...given, cursor: this.#cursor, isAtEnd };
  }
}
