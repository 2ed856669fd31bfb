import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createChangeFeed } from '../../../../src/bridge/chat/change-feed.ts';
import { Deliveries } from '../../../../src/bridge/chat/deliveries.loop.ts';
import { createDeliveryReader } from '../../../../src/bridge/chat/deliveries.reader.ts';
import { Settle } from '../../../../src/bridge/chat/deliveries.settle.ts';
import { Inbox } from '../../../../src/bridge/chat/inbox.loop.ts';
import type { Access } from '../../../../src/bridge/chat/policy.ts';
import { makeThreadSettings } from '../../../../src/bridge/chat/thread-settings.ts';
import type { ChatEvent, ChatEventBody } from '../../../../src/bridge/model/chat.ts';
import type { Item } from '../../../../src/bridge/model/conversation.ts';
import type { DeliveryOutcome } from '../../../../src/bridge/model/delivery.ts';
import {
  type ActorId,
  type DialogId,
  id,
  type PlatformId,
  type RunId,
} from '../../../../src/bridge/model/ids.ts';
import type { RunSummary } from '../../../../src/bridge/model/run-state.ts';
import type { AuditLine } from '../../../../src/bridge/ports/audit.ts';
import type { ChatLink } from '../../../../src/bridge/ports/link.ts';
import type { Receipt } from '../../../../src/bridge/ports/receipt-sink.ts';
import { openDatabase } from '../../../../src/bridge/store/database.ts';
import { createDeliveryStore } from '../../../../src/bridge/store/deliveries.ts';
import { createInboxStore } from '../../../../src/bridge/store/inbox.ts';
import { threadStore } from '../../../../src/bridge/store/thread-store.ts';
import { FakeClock } from '../../../fakes/fake-clock.ts';
import { FakeHost } from '../../../fakes/fake-link.ts';
import { tempDir } from '../../../fakes/temp-dir.ts';

export const HOLD_MS = 60_000;
export const RUN = id<RunId>('host-1-100');
export const OTHER = id<RunId>('host-2-200');

export const webEvent = (
  key: string,
  body: ChatEventBody,
  at: number,
  run: RunId = RUN,
): ChatEvent => ({
  key: `web:${key}`,
  platform: id<PlatformId>('web'),
  actor: {
    id: id<ActorId>('web:owner'),
    displayName: 'the page',
    groups: [],
    isBot: false,
    isGuest: false,
  },
  target: { run },
  at,
  body,
});

/** The chat side of one process life over a database file; `stop` is a crash that runs no clean-up. */
export const startChatSide = (
  dir: string,
  clock: FakeClock,
  link: ChatLink,
  access: Access = {
    owners: [],
    drivers: [{ platform: 'slack', kind: 'user', id: 'U0BOB' }],
  },
) => {
  const path = join(dir, 'bridge.db');
  const db = openDatabase(path, clock.now());
  const store = createDeliveryStore(db);
  const inboxStore = createInboxStore(db);
  const threads = threadStore(db);
  /** What the host would say of the run. */
  const run: { now: RunSummary | null; items: readonly Item[] } = { now: null, items: [] };
  const receipts: Receipt[] = [];
  const audit: AuditLine[] = [];
  const errors: unknown[] = [];
  const changes = createChangeFeed();
  const log = {
    debug: () => {},
    info: () => {},
    warn: () => {},
    error: (fields: object) => errors.push(fields),
  };
  let ids = 0;
  const settle = new Settle({
    store,
    clock,
    receipts: { show: (receipt) => receipts.push(receipt) },
    audit: (line) => audit.push(line),
    changes,
    commands: () => ({ resumeCommand: 'claude --resume abc', attachCommand: 'tmux attach -t w' }),
  });
  const deliveries = new Deliveries({
    store,
    clock,
    link,
    settle,
    log,
    newId: () => `e${++ids}`,
  });
  const inbox = new Inbox({
    store,
    settle,
    receipts: { show: (receipt) => receipts.push(receipt) },
    audit: (line) => audit.push(line),
    inbox: inboxStore,
    deliveries,
    clock,
    log,
    access,
    settings: makeThreadSettings(threads),
    runs: {
      run: async () => run.now,
      window: async () => ({ items: run.items, cursor: '0' }),
    },
    stopSigns: ['🛑'],
    confirmWithinMs: 60_000,
    runOf: (target) =>
      'run' in target ? target.run : (threads.threads.byRef(target.thread)?.run ?? RUN),
    isLeft: () => false,
    holdForMs: HOLD_MS,
    maxReplyBytes: 100_000,
    retentionMs: 86_400_000,
  });
  const abort = new AbortController();
  const done = Promise.all([deliveries.run(abort.signal), inbox.run(abort.signal)]);
  const reader = createDeliveryReader({ store, commands: () => ({}) });
  return {
    threads,
    run,
    path,
    store,
    inboxStore,
    inbox,
    deliveries,
    changes,
    receipts,
    audit,
    errors,
    reader,
    views: (run: RunId = RUN) => reader.forRun(run),
    say: (key: string, body: ChatEventBody, run: RunId = RUN) =>
      inbox.sink(webEvent(key, body, clock.now(), run)),
    /** `text status why` of each delivery of a run, in order. */
    shown: (run: RunId = RUN) =>
      reader
        .forRun(run)
        .map(({ text, outcome: o }) =>
          [text, o.status, 'reason' in o && typeof o.reason === 'object' ? o.reason.why : '']
            .join(' ')
            .trim(),
        ),
    stop: async () => {
      abort.abort();
      await done;
      db.close();
    },
  };
};

/** A directory, a clock and a host that outlive the bridge; `start` is one life of it. */
export const setUp = () => {
  const dir = tempDir();
  const clock = new FakeClock();
  const host = new FakeHost(() => clock.now());
  const start = () => {
    const side = startChatSide(dir, clock, host);
    let isStopped = false;
    const stop = async () => {
      if (!isStopped) {
        isStopped = true;
        await side.stop();
      }
    };
    onTestFinished(stop);
    return { ...side, stop };
  };
  return { clock, host, start };
};

export const reply = (text: string) => ({ type: 'reply' as const, text });

export const dialog = id<DialogId>('toolu_1');

export const heldByDialog: DeliveryOutcome = {
  status: 'held',
  reason: { why: 'dialog', dialog, takesOwnWords: true },
};
