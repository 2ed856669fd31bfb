import { createSlackAdapter } from '../../src/adapters/slack/adapter.ts';
import { LIMITS } from '../../src/adapters/slack/limits.ts';
import { systemClock } from '../../src/bridge/system-clock.ts';
import { silentLog } from '../fakes/silent-log.ts';
import { readBlocks, readSlack, readSlackThread, startFakeSlack } from '../fakes/slack-fake.ts';
import type { SlackFaultKind } from '../fakes/slack-faults.ts';
import type { Json } from '../fakes/slack-world.ts';
import { describeChatAdapter } from './chat-adapter.suite.ts';

const faults: Readonly<Record<string, SlackFaultKind>> = {
  'lost-answer': 'lost',
  hang: 'hang-after',
  'server-error': 'server-error-after',
  'rate-limited': 'rate-limited',
  rejected: { error: 'invalid_arguments' },
};

describeChatAdapter('the Slack adapter', async () => {
  const slack = await startFakeSlack();
  const { world } = slack.server;
  const make = () =>
    createSlackAdapter(slack.config, { clock: systemClock, log: silentLog, timeoutMs: 1_000 });
  const adapter = make();
  const find = (ts: string) => world.messages.find((m) => m.ts === ts);
  return {
    adapter,
    channel: slack.channel,
    restarted: make,
    read: async (thread) =>
      readSlackThread(slack, thread).map((message) => {
        const file = world.files.get(message.files[0] ?? '');
        const text = readSlack(message);
        return { text, ...(file !== undefined && { file: String(file.content) }) };
      }),
    history: async (ts) => find(ts)?.versions.map((v) => readBlocks(v.blocks)) ?? [],
    marks: async (ts) => {
      const names = [...(find(ts)?.reactions.keys() ?? [])];
      return names.map((name) => (name === 'white_check_mark' ? '✅' : name));
    },
    failNext: (how) => slack.server.faults.arm({ kind: faults[how] ?? 'lost' }),
    say: async (thread, _actor, text) =>
      slack.people.say({ user: 'U0ALICE', channel: 'C0AGENTS', thread: thread.thread, text }),
    limit: LIMITS.blockText,
    sizeOf: (part) =>
      readBlocks((JSON.parse(part.data) as { blocks: readonly Json[] }).blocks).length,
    stop: async () => {
      await adapter.stop();
      await slack.stop();
    },
  };
});
