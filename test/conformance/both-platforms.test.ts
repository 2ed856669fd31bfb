import { expect, test } from 'vitest';
import { createSlackAdapter } from '../../src/adapters/slack/adapter.ts';
import { systemClock } from '../../src/bridge/system-clock.ts';
import { setUpDiscord, textChannel } from '../fakes/discord-stage.ts';
import { silentLog } from '../fakes/silent-log.ts';
import { startFakeSlack } from '../fakes/slack-fake.ts';

// Each SDK brings an HTTP client of its own, and they share what is global in a process.
test('P8 in one process with the other, each platform still takes a file', async () => {
  const slack = await startFakeSlack();
  const discord = await setUpDiscord({ timing: { callTimeout: 10_000 } });
  const both = [
    {
      adapter: createSlackAdapter(slack.config, { clock: systemClock, log: silentLog }),
      channel: slack.channel,
    },
    { adapter: discord.adapter, channel: textChannel },
  ];
  try {
    for (const { adapter, channel } of both) {
      const [head] = adapter.encode({ type: 'head', title: 'Run', lines: [] });
      const [file] = adapter.encode({ type: 'file', name: 'm.md', summary: 's', content: 'whole' });
      if (head === undefined || file === undefined) throw new Error('nothing encoded');
      const { thread } = await adapter.open(channel, head, 'head');
      await adapter.upload(thread, file, 'file');
    }
    expect([...slack.server.world.files.values()].map((f) => String(f.content))).toEqual(['whole']);
    const files = discord.server.world.messages.flatMap((m) => m.attachments);
    expect(files.map((f) => f.text)).toEqual(['whole']);
  } finally {
    await discord.stop();
    await slack.stop();
  }
});
