import type { ActorId } from '../../src/bridge/model/ids.ts';

/** A message as the platform keeps it; `history` has every text it ever had, newest last. */
export interface StoredMessage {
  readonly id: string;
  readonly channel: string;
  readonly thread: string;
  /** Absent: ours. */
  readonly actor?: ActorId;
  readonly key?: string;
  readonly history: string[];
  readonly file?: { readonly name: string; readonly content: string };
  readonly marks: string[];
  isDeleted: boolean;
}

/** What goes wrong with the next calls of a method; in the order they were asked for. */
export interface Fault {
  readonly method: MemoryMethod | 'any';
  readonly kind: /** It happens, the answer gets lost. */
    | 'lost'
    /** It happens or not, there is no answer. */
    | 'hang-after'
    | 'hang-before'
    /** The server fails, nothing happens. */
    | 'broken'
    /** It happens, then the server fails. */
    | 'broken-after'
    | 'rate-limited'
    | 'rejected'
    | 'auth'
    | 'no-access'
    | 'thread-gone'
    | 'message-gone';
  readonly thread?: string;
  readonly retryAfterMs?: number;
  /** Default 1. */
  readonly times?: number;
}

export interface PersonSaid {
  readonly channel: string;
  readonly thread: string;
  readonly message: string;
  readonly actor: ActorId;
  readonly text: string;
}

/** One call, as it goes over the wire. */
export interface MemoryCalls {
  open: { channel: string; key: string; data: string };
  post: {
    channel: string;
    thread: string;
    key: string;
    data: string;
    file?: StoredMessage['file'];
  };
  edit: { message: string; data: string };
  remove: { message: string };
  mark: { message: string; mark: string };
  find: { channel: string; thread?: string; key: string };
  whisper: { channel: string; thread: string; actor: string; data: string };
  events: { after: number };
}
export type MemoryMethod = keyof MemoryCalls;

export class PlatformFault extends Error {
  readonly kind: Fault['kind'];
  readonly retryAfterMs: number | undefined;
  constructor(kind: Fault['kind'], retryAfterMs: number | undefined) {
    super(`the memory platform: ${kind}`);
    this.kind = kind;
    this.retryAfterMs = retryAfterMs;
  }
}

/**
 * A chat platform that keeps everything in memory and fails on demand. It does not know idempotency:
 * a post that is made twice stands there twice.
 */
export class MemoryPlatform {
  readonly messages: StoredMessage[] = [];
  readonly whispers: { readonly actor: string; readonly data: string }[] = [];
  readonly events: PersonSaid[] = [];
  /** Every call that arrived, in order. */
  readonly calls: { readonly method: MemoryMethod; readonly at: number }[] = [];
  /** How long each answer takes, and half of it before anything happens, ms. */
  latencyMs = 0;
  readonly #faults: { fault: Fault; left: number }[] = [];
  #next = 1;

  fail(fault: Fault): void {
    this.#faults.push({ fault, left: fault.times ?? 1 });
  }

  /** What stands in a thread now, oldest first. */
  thread(thread: string): readonly StoredMessage[] {
    return this.messages.filter((m) => m.thread === thread && !m.isDeleted);
  }

  /** A person writes into a thread. */
  say(channel: string, thread: string, actor: ActorId, text: string): string {
    const stored = this.#store({ channel, thread, actor, data: text });
    this.events.push({ channel, thread, actor, text, message: stored.id });
    return stored.id;
  }

  /** Answers one call. Rejects with PlatformFault; a hang never settles. */
  async call<M extends MemoryMethod>(method: M, args: MemoryCalls[M]): Promise<unknown> {
    this.calls.push({ method, at: Date.now() });
    await this.#wait();
    const answer = await this.#answer(method, args);
    await this.#wait();
    return answer;
  }

  #wait(): Promise<void> {
    if (this.latencyMs === 0) return Promise.resolve();
    return new Promise((resolve) => setTimeout(resolve, this.latencyMs / 2));
  }

  async #answer<M extends MemoryMethod>(method: M, args: MemoryCalls[M]): Promise<unknown> {
    const fault = this.#takeFault(method, args as { thread?: string; message?: string });
    if (fault === undefined) return this.#do(method, args);
    switch (fault.kind) {
      case 'hang-before':
        return new Promise(() => undefined);
      case 'hang-after':
        this.#do(method, args);
        return new Promise(() => undefined);
      case 'lost':
      case 'broken-after':
        this.#do(method, args);
        throw new PlatformFault(fault.kind, undefined);
      default:
        throw new PlatformFault(fault.kind, fault.retryAfterMs);
    }
  }

  #takeFault(method: MemoryMethod, args: { thread?: string; message?: string }) {
    const thread = args.thread ?? this.messages.find((m) => m.id === args.message)?.thread;
    const found = this.#faults.find(
      ({ fault, left }) =>
        left > 0 &&
        (fault.method === 'any' || fault.method === method) &&
        method !== 'events' &&
        (fault.thread === undefined || fault.thread === thread),
    );
    if (found !== undefined) found.left--;
    return found?.fault;
  }

  #do<M extends MemoryMethod>(method: M, args: MemoryCalls[M]): unknown {
    const calls: { readonly [K in MemoryMethod]: (a: MemoryCalls[K]) => unknown } = {
      open: ({ channel, key, data }) => {
        const thread = `t${this.#next}`;
        const { id: message } = this.#store({ channel, thread, key, data });
        return { thread, message };
      },
      post: (a) => ({ message: this.#store(a).id }),
      edit: ({ message, data }) => {
        this.#message(message).history.push(data);
        return {};
      },
      remove: ({ message }) => {
        this.#message(message).isDeleted = true;
        return {};
      },
      mark: ({ message, mark }) => {
        this.#message(message).marks.push(mark);
        return {};
      },
      find: ({ channel, thread, key }) => {
        const found = this.messages.find(
          (m) => m.channel === channel && m.key === key && (thread ?? m.thread) === m.thread,
        );
        return found === undefined || found.isDeleted
          ? {}
          : { message: found.id, thread: found.thread };
      },
      whisper: ({ actor, data }) => {
        this.whispers.push({ actor, data });
        return {};
      },
      events: ({ after }) => ({ events: this.events.slice(after), next: this.events.length }),
    };
    return calls[method](args);
  }

  #message(message: string): StoredMessage {
    const found = this.messages.find((m) => m.id === message && !m.isDeleted);
    if (found === undefined) throw new PlatformFault('message-gone', undefined);
    return found;
  }

  #store(a: {
    channel: string;
    thread: string;
    data: string;
    key?: string;
    actor?: ActorId;
    file?: StoredMessage['file'];
  }): StoredMessage {
    const stored: StoredMessage = {
      id: `m${this.#next++}`,
      channel: a.channel,
      thread: a.thread,
      history: [a.data],
      marks: [],
      isDeleted: false,
      ...(a.key !== undefined && { key: a.key }),
      ...(a.actor !== undefined && { actor: a.actor }),
      ...(a.file !== undefined && { file: a.file }),
    };
    this.messages.push(stored);
    return stored;
  }
}
