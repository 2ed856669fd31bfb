import type { MemoryPlatform, StoredMessage } from './memory-platform.ts';

/** A message as a person reads it now. */
export interface ReadMessage {
  readonly id: string;
  readonly type: string;
  readonly text: string;
  readonly buttons: readonly string[];
  /** How often it was edited. */
  readonly edits: number;
  /** The newest receipt of ours on it. */
  readonly mark: string | undefined;
  /** Absent: ours. */
  readonly actor: string | undefined;
}

const read = (stored: StoredMessage): ReadMessage => {
  const now = stored.history.at(-1) ?? '';
  const common = { id: stored.id, edits: stored.history.length - 1, mark: stored.marks.at(-1) };
  if (stored.actor !== undefined)
    return { ...common, type: 'said', text: now, buttons: [], actor: stored.actor };
  const { type, text, buttons } = JSON.parse(now) as {
    type: string;
    text: string;
    buttons?: readonly string[];
  };
  return { ...common, type, text, buttons: buttons ?? [], actor: undefined };
};

/** One thread as a person reads it, oldest message first. */
export interface ReadThread {
  readonly thread: string;
  readonly channel: string;
  readonly messages: readonly ReadMessage[];
  /** Texts of the messages of some types, in order. */
  texts(...types: readonly string[]): readonly string[];
  all(): string;
}

/** Every thread of the platform in the order in which they were opened. */
export const readThreads = (platform: MemoryPlatform): readonly ReadThread[] =>
  [...new Set(platform.messages.map((m) => m.thread))].map((thread) => {
    const messages = platform.thread(thread).map(read);
    return {
      thread,
      channel: platform.messages.find((m) => m.thread === thread)?.channel ?? '',
      messages,
      texts: (...types) => messages.filter((m) => types.includes(m.type)).map((m) => m.text),
      all: () => messages.map((m) => `[${m.type}] ${m.text}`).join('\n'),
    };
  });
