import { afterEach, beforeEach, vi } from 'vitest';
import {
  createSlackAdapter,
  type SlackAdapter,
  type SlackAdapterConfig,
  type SlackAdapterDeps,
} from '../../../../src/adapters/slack/adapter.ts';
import type { ChatEvent, ThreadRef } from '../../../../src/bridge/model/chat.ts';
import { systemClock } from '../../../../src/bridge/system-clock.ts';
import { silentLog } from '../../../fakes/silent-log.ts';
import { type FakeSlack, startFakeSlack } from '../../../fakes/slack-fake.ts';

export const CHANNEL = 'C0AGENTS';

/** A Slack, adapters on it, and what their sinks were given; all gone after each test. */
export interface SlackRig {
  readonly slack: FakeSlack;
  readonly adapter: SlackAdapter;
  /** Events in the order in which they became durable, each key once, as the inbox keeps them. */
  readonly events: ChatEvent[];
  /** Every time the sink was called. */
  readonly given: ChatEvent[];
  /** The sink fails so often before it takes anything. */
  failSink: number;
  make(config?: Partial<SlackAdapterConfig>, deps?: Partial<SlackAdapterDeps>): SlackAdapter;
  start(adapter?: SlackAdapter): Promise<void>;
  thread(): Promise<ThreadRef>;
}

export const slackRig = (): (() => SlackRig) => {
  let rig: SlackRig & { readonly stop: () => Promise<void> };
  beforeEach(async () => {
    const slack = await startFakeSlack();
    const aborted = new AbortController();
    const made: SlackAdapter[] = [];
    const make: SlackRig['make'] = (config = {}, deps = {}) => {
      const adapter = createSlackAdapter(
        { ...slack.config, ...config },
        { clock: systemClock, log: silentLog, timeoutMs: 2_000, pongWithinMs: 600, ...deps },
      );
      made.push(adapter);
      return adapter;
    };
    const adapter = make();
    const events: ChatEvent[] = [];
    const given: ChatEvent[] = [];
    rig = {
      slack,
      adapter,
      events,
      given,
      failSink: 0,
      make,
      start: async (which = adapter) => {
        await which.start(async (event) => {
          given.push(event);
          if (rig.failSink > 0) {
            rig.failSink--;
            throw new Error('the disk is full');
          }
          if (!events.some(({ key }) => key === event.key)) events.push(event);
        }, aborted.signal);
      },
      thread: async () => {
        const [head] = adapter.encode({ type: 'head', title: 'A run', lines: [] });
        if (head === undefined) throw new Error('nothing encoded');
        return (await adapter.open(slack.channel, head, 'head-key')).thread;
      },
      stop: async () => {
        aborted.abort();
        await Promise.all(made.map((one) => one.stop()));
        await slack.stop();
      },
    };
  });
  afterEach(() => rig.stop());
  return () => rig;
};

export const until = (check: () => void, timeout = 8_000): Promise<void> =>
  vi.waitFor(check, { timeout, interval: 10 });
