import { createInterface } from 'node:readline';
import { createSlackAdapter, type SlackAdapterConfig } from '../../src/adapters/slack/adapter.ts';
import { systemClock } from '../../src/bridge/system-clock.ts';
import { silentLog } from './silent-log.ts';

/**
 * The adapter alone in a process without any guard against unhandled rejections: what ends it would
 * end the bridge. Says what it heard and how it stands, a line each; ends when its input ends.
 */
const config = JSON.parse(process.argv[2] ?? '{}') as SlackAdapterConfig;
const adapter = createSlackAdapter(config, {
  clock: systemClock,
  log: silentLog,
  timeoutMs: 500,
  pongWithinMs: 300,
});
const say = (line: object): void => console.log(JSON.stringify(line));
const aborted = new AbortController();

let shown = '';
const watch = setInterval(() => {
  const health = JSON.stringify(adapter.health());
  if (health !== shown) say({ health: adapter.health() });
  shown = health;
}, 20);

await adapter.start(async ({ body }) => {
  if (body.type === 'reply') say({ heard: body.text });
}, aborted.signal);
say({ started: true });

for await (const _ of createInterface({ input: process.stdin })) {
  // Only its end matters.
}
clearInterval(watch);
await adapter.stop();
say({ stopped: true });
