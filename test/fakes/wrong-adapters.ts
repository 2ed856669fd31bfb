import type { ChatEvent, MessageRef } from '../../src/bridge/model/chat.ts';
import { BridgeError } from '../../src/bridge/model/errors.ts';
import type { ChatAdapter, ChatEventSink } from '../../src/bridge/ports/chat-adapter.ts';
import type { Backstage } from '../conformance/backstage.ts';
import type { MemoryAdapter } from '../conformance/memory-adapter.ts';

/** Every capability, as the memory adapter has them. */
type Full = Pick<MemoryAdapter, keyof MemoryAdapter>;
type Over = Partial<Full>;
/** Makes a wrong adapter of the right one. */
type Wrong = (real: Full) => Over;

/** The right adapter, but for what `over` does. */
const withOver = (real: Full, over: Over): ChatAdapter =>
  new Proxy(real, {
    get: (target, name) => {
      const value: unknown = Reflect.get(name in over ? over : target, name);
      // Private members are the target's own.
      return typeof value === 'function' && !(name in over) ? value.bind(target) : value;
    },
  });

// Only stages of the memory platform come here: it has every capability.
const full = (adapter: ChatAdapter): Full => adapter as MemoryAdapter;

const fresh = (): string => `k-${Math.random()}`;

/** What goes wrong with a call is told in another way. */
const failsAs =
  (change: (error: BridgeError) => Error): Wrong =>
  (real) => ({
    post: async (thread, part, key) => {
      try {
        return await real.post(thread, part, key);
      } catch (error) {
        if (!(error instanceof BridgeError)) throw error;
        throw change(error);
      }
    },
  });
const always =
  (code: string, certain: boolean): Wrong =>
  (real) =>
    failsAs((error) => new BridgeError(code, error.message, { certain }))(real);

const heard =
  (change: (event: ChatEvent, sink: ChatEventSink) => Promise<void>): Wrong =>
  (real) => ({ start: (sink, signal) => real.start((event) => change(event, sink), signal) });

/** Each breaks one obligation. */
const wrongs = {
  splitsNothing: (real) => ({
    encode: (message) =>
      message.type === 'text'
        ? [{ data: JSON.stringify({ text: message.markdown }) }]
        : real.encode(message),
  }),
  encodesByChance: (real) => ({
    encode: (message) => real.encode(message).map(({ data }) => ({ data: `${data} ${fresh()}` })),
  }),
  saysNothingOfLifecycle: (real) => ({
    encode: (message) => (message.type === 'lifecycle' ? [] : real.encode(message)),
  }),
  floods: (real) => ({
    encode: (message) => real.encode(message).flatMap((part) => [part, part, part, part, part]),
  }),
  editsNothing: () => ({ edit: async () => undefined }),
  postsWhatItEdits: (real) => ({
    edit: async ({ thread }, part) => void (await real.post(thread, part, fresh())),
  }),
  removesNothing: () => ({ remove: async () => undefined }),
  forgetsKeys: (real) => ({ post: (thread, part) => real.post(thread, part, fresh()) }),
  keepsRefsInItsHead: (real) => {
    const refs = new Map<string, MessageRef>();
    return {
      post: async (thread, part, key) => {
        const ref = await real.post(thread, part, key);
        refs.set('mine', ref);
        return { thread, message: 'mine' };
      },
      edit: async (ref, part) => {
        const known = refs.get(ref.message);
        if (known !== undefined) await real.edit(known, part);
      },
    };
  },
  throwsWhateverTheSdkThrows: failsAs((error) => new Error(error.message)),
  isSureOfLostAnswers: always('unavailable', true),
  waitsForEver: (real) => ({
    post: (thread, part, key) =>
      real.post(thread, part, key).catch(() => new Promise(() => undefined)),
  }),
  triesAgainByItself: (real) => ({
    post: (thread, part, key) =>
      real.post(thread, part, key).catch(() => real.post(thread, part, fresh())),
  }),
  forgetsHowLongToWait: always('rate-limited', true),
  takesLimitsForFaults: always('unavailable', false),
  takesRefusalsForFaults: always('unavailable', true),
  postsAgainAfterLostAnswers: (real) => {
    const failed = new Set<string>();
    return {
      post: (thread, part, key) =>
        real.post(thread, part, failed.has(key) ? fresh() : key).catch((error: unknown) => {
          failed.add(key);
          throw error;
        }),
    };
  },
  findsNothing: () => ({ findSent: async () => undefined, findThread: async () => undefined }),
  findsAnything: (real) => {
    const found = { platform: real.platform, thread: 't1' };
    return {
      findSent: async (thread) => ({ thread, message: 'm2' }),
      findThread: async (channel) => {
        const thread = { ...found, channel };
        return { thread, head: { thread, message: 'm1' } };
      },
    };
  },
  hearsItself: (real) => {
    let sink: ChatEventSink | undefined;
    let heardFirst: ChatEvent | undefined;
    return {
      start: (given, signal) => {
        sink = given;
        return real.start(async (event) => {
          heardFirst ??= event;
          await given({ ...event, key: `own:${event.key}` });
          await given(event);
        }, signal);
      },
      stop: async () => {
        if (heardFirst !== undefined) await sink?.(heardFirst);
        await real.stop();
      },
    };
  },
  namesEventsByTheirEnvelope: heard(async (event, sink) => {
    await sink({ ...event, key: fresh() });
    await sink({ ...event, key: fresh() });
  }),
  namesAllEventsAlike: heard((event, sink) => sink({ ...event, key: 'message' })),
  saysThatItIsAway: () => ({ health: () => ({ isConnected: false, detail: 'away' }) }),
  hearsNothing: heard(async () => undefined),
  keepsTheFirstMark: (real) => {
    const marked = new Set<string>();
    return {
      receipt: async (ref, mark) => {
        if (marked.has(ref.message)) return;
        marked.add(ref.message);
        await real.receipt(ref, mark);
      },
    };
  },
  uploadsTheSummaryOnly: (real) => ({
    upload: (thread, { data }, key) => real.post(thread, { data }, key),
  }),
} as const satisfies Readonly<Record<string, Wrong>>;

export type WrongAdapter = keyof typeof wrongs;

/** The stage with a wrong adapter on it, now and after a restart. */
export const withWrongAdapter = (stage: Backstage, name: WrongAdapter): Backstage => {
  const wrong: Wrong = wrongs[name];
  const make = (adapter: ChatAdapter) => withOver(full(adapter), wrong(full(adapter)));
  const adapter = make(stage.adapter);
  return { ...stage, adapter, restarted: () => make(stage.restarted()) };
};
