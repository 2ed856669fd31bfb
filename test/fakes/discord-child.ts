import { createInterface } from 'node:readline';
import { createDiscordAdapter, type DiscordOptions } from '../../src/adapters/discord/adapter.ts';
import type { ThreadRef } from '../../src/bridge/model/chat.ts';
import { systemClock } from '../../src/bridge/system-clock.ts';
import { shortTiming } from './discord-stage.ts';
import { silentLog } from './silent-log.ts';

/**
 * The adapter alone in a process without any guard against unhandled rejections: what ends it would
 * end the bridge. Says what it heard and how it stands, a line each; ends when its input ends.
 */
const { thread, ...config } = JSON.parse(process.argv[2] ?? '{}') as DiscordOptions & {
  readonly thread: ThreadRef;
};
const adapter = createDiscordAdapter(config, {
  clock: systemClock,
  log: silentLog,
  timing: shortTiming,
});
adapter.follow(() => [{ thread, since: 0 }]);
const say = (line: object): void => console.log(JSON.stringify(line));
const aborted = new AbortController();

let shown = '';
const watch = setInterval(() => {
  const health = JSON.stringify(adapter.health());
  if (health !== shown) say({ health: adapter.health() });
  shown = health;
}, 20);

await adapter.start(async ({ body }) => {
  if (body.type === 'reply' && body.text === 'reject this') throw new Error('the disk is full');
  if (body.type === 'reply') say({ heard: body.text });
}, aborted.signal);
say({ started: true });

for await (const _ of createInterface({ input: process.stdin })) {
  // Only its end matters.
}
clearInterval(watch);
await adapter.stop();
say({ stopped: true });
