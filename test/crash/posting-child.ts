import { randomUUID } from 'node:crypto';
import { Bell } from '../../src/bridge/chat/bell.ts';
import { catchUpLoop } from '../../src/bridge/chat/catch-up.loop.ts';
import { dispatchLoop } from '../../src/bridge/chat/dispatch.loop.ts';
import type { PublishDeps } from '../../src/bridge/chat/publish.deps.ts';
import { makePublish } from '../../src/bridge/chat/publish.loop.ts';
import { Troubles } from '../../src/bridge/chat/troubles.ts';
import type { ReadRequest, ReadResponse } from '../../src/bridge/model/commands.ts';
import type { Item } from '../../src/bridge/model/conversation.ts';
import { id, type RunId, type SessionId, type ThreadId } from '../../src/bridge/model/ids.ts';
import type { Clock } from '../../src/bridge/ports/clock.ts';
import { openDatabase } from '../../src/bridge/store/database.ts';
import { hostStore } from '../../src/bridge/store/host-store.ts';
import { threadStore } from '../../src/bridge/store/thread-store.ts';
import { adapterFor, type PostingPlatformName } from './posting-adapters.ts';
import { postingStory } from './posting-story.ts';

/** A bridge's outward path as a process of its own; dies at `AFK_FAIL_POINT=name:hit`. */
const [database = '', platform = 'memory', url = '', burst = '0'] = process.argv.slice(2);
const [failName, failHit = '1'] = (process.env.AFK_FAIL_POINT ?? '').split('#');
let hits = 0;
const failPoint = (name: string): void => {
  if (name !== failName || ++hits < Number(failHit)) return;
  process.kill(process.pid, 'SIGKILL');
  // The signal is on its way: nothing more may happen.
  for (;;);
};

const clock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      const timer = setTimeout(done, ms);
      function done(): void {
        clearTimeout(timer);
        signal?.removeEventListener('abort', done);
        resolve();
      }
      if (signal?.aborted === true) done();
      else signal?.addEventListener('abort', done, { once: true });
    }),
};
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const log = {
  debug: () => undefined,
  info: () => undefined,
  warn: (fields: object, message: string) => say(`warn ${message} ${JSON.stringify(fields)}`),
  error: (fields: object, message: string) => say(`error ${message} ${JSON.stringify(fields)}`),
};

const story = postingStory(Number(burst));
const db = openDatabase(database, Date.now());
const store = threadStore(db);
const host = hostStore(db);
const position = id<SessionId>('story');
let done = Number(host.cursor(position, id<RunId>('story')) ?? '0');

/** What the host has read so far: the transcript as it stands. */
const read = async (request: ReadRequest): Promise<ReadResponse> => {
  const told = story.slice(0, done + 1);
  if (request.type === 'run') {
    const of = told.findLast((e) => e.type !== 'outcome' && e.run.id === request.run);
    return {
      type: 'run',
      run: of !== undefined && 'run' in of && of.type !== 'outcome' ? of.run : null,
    };
  }
  if (request.type !== 'since') throw new Error('not asked here');
  const items = new Map<string, Item>();
  for (const event of told)
    if (event.type === 'items' && event.session === request.session)
      for (const item of event.items) if (item.order >= request.offset) items.set(item.id, item);
  return { type: 'window', window: { items: [...items.values()], cursor: '' } };
};

const bell = new Bell();
const drained = new Bell();
const { adapter, channel } = await adapterFor(platform as PostingPlatformName, url);
const adapters = new Map([[adapter.platform, adapter]]);
const deps: PublishDeps = {
  store,
  adapters,
  clock,
  bell,
  log,
  read,
  failPoint,
  channels: [
    {
      id: channel,
      platform: adapter.platform,
      match: { all: true },
      verbosity: 'normal',
    },
  ],
  redact: (text) => text,
  names: { ofText: () => undefined, ofDialog: () => undefined },
  linkOf: () => undefined,
  newThreadId: () => id<ThreadId>(randomUUID()),
  onOutcome: () => undefined,
};
const publish = makePublish(deps);
const stop = new AbortController();
const loops = Promise.all([
  dispatchLoop(
    {
      ...deps,
      adapters,
      onSettled: () => drained.ring(),
      onTrouble: () => undefined,
      troubles: new Troubles(),
      beat: () => undefined,
    },
    stop.signal,
  ),
  catchUpLoop(deps, drained, () => undefined, stop.signal),
]);
say('ready');
// A low-water mark: what was published last is published again.
for (done = Math.max(0, done - 3); done < story.length; done++) {
  const body = story[done];
  if (body === undefined) break;
  await publish({ v: 1, id: randomUUID(), at: Date.now(), body });
  failPoint('host:published');
  host.saveCursor(position, id<RunId>('story'), String(done), undefined);
}
done = story.length - 1;
while (store.outbox.waiting().length > 0 || store.behind.all().length > 0) await clock.sleep(20);
stop.abort();
await loops;
db.close();
say('done');
// A platform's connections may stay open for a while.
process.exit(0);
