import { createSlackAdapter } from '../../src/adapters/slack/adapter.ts';
import type { ChatEvent } from '../../src/bridge/model/chat.ts';
import { systemClock } from '../../src/bridge/system-clock.ts';
import { silentLog } from '../fakes/silent-log.ts';
import { type FakeSlack, readSlack, readSlackThread, startFakeSlack } from '../fakes/slack-fake.ts';
import type { SlackFault, SlackFaultKind } from '../fakes/slack-faults.ts';
import { BOT_USER } from '../fakes/slack-world.ts';
import { describeFaults, type Fault, type FaultStage } from './faults.suite.ts';

interface SlackStage extends FaultStage {
  readonly slack: FakeSlack;
  failSink: number;
}

const CHANNEL = 'C0AGENTS';

const setUp = async (): Promise<SlackStage> => {
  const slack = await startFakeSlack();
  const { server, people, channel, config } = slack;
  server.sockets.times.ackWithinMs = 300;
  server.sockets.times.redeliverAfterMs = [0, 300, 1_500];
  const make = () =>
    createSlackAdapter(config, {
      clock: systemClock,
      log: silentLog,
      timeoutMs: 800,
      pongWithinMs: 900,
    });
  const adapter = make();
  const aborted = new AbortController();
  const kept: ChatEvent[] = [];
  const stage: SlackStage = {
    slack,
    adapter,
    channel,
    kept,
    failSink: 0,
    restarted: make,
    ours: (thread) =>
      readSlackThread(slack, thread)
        .filter((m) => m.user === BOT_USER)
        .map(readSlack),
    say: ({ thread }, text) => {
      people.say({ user: 'U0ALICE', channel: CHANNEL, thread, text });
    },
    listen: async (thread, since) => {
      adapter.follow(() => [{ thread, since }]);
      await adapter.start(async (event) => {
        if (stage.failSink > 0) {
          stage.failSink--;
          throw new Error('the disk is full');
        }
        if (!kept.some(({ key }) => key === event.key)) kept.push(event);
      }, aborted.signal);
    },
    stop: async () => {
      aborted.abort();
      await adapter.stop();
      await slack.stop();
    },
  };
  return stage;
};

const call = (kind: SlackFaultKind, more: Omit<SlackFault, 'kind'> = {}): Fault<SlackStage> => ({
  name: typeof kind === 'string' ? kind : kind.error,
  begin: ({ slack }) => slack.server.faults.arm({ kind, ...more }),
});

const dropAnd = (name: string, fault: SlackFault): Fault<SlackStage> => ({
  name: `dropped, and then ${name}`,
  begin: ({ slack }) => {
    slack.server.faults.arm(fault);
    slack.server.sockets.drop();
  },
});

const open = 'apps.connections.open';

describeFaults<SlackStage>({
  name: 'Slack',
  setUp,
  ofCalls: [
    call('lost'),
    call('reset'),
    call('hang-after'),
    call('hang-before'),
    call('server-error'),
    call('server-error-after'),
    call('server-error', { times: 5 }),
    call('html'),
    call('html-after'),
    call('rate-limited'),
    call('rate-limited', { times: 3 }),
    call({ error: 'internal_error' }),
    call({ error: 'fatal_error' }),
    call({ error: 'token_revoked' }, { times: 2 }),
    {
      name: 'lost, and then what was posted cannot be looked for',
      begin: ({ slack }) => {
        slack.server.faults.arm({ kind: 'lost' });
        slack.server.faults.arm({
          kind: 'server-error',
          method: 'conversations.replies',
          times: 2,
        });
      },
    },
    {
      name: 'nobody at home',
      begin: ({ slack }) => slack.server.close(),
      end: ({ slack }) => slack.server.reopen(),
    },
    {
      name: 'the channel is archived for a while',
      begin: ({ slack }) => slack.people.archive(CHANNEL),
      end: ({ slack }) => slack.people.unarchive(CHANNEL),
    },
    {
      name: 'kicked, and invited again',
      begin: ({ slack }) => slack.people.kick(CHANNEL),
      end: ({ slack }) => slack.people.invite(CHANNEL),
    },
  ],
  ofListening: [
    { name: 'dropped', begin: ({ slack }) => slack.server.sockets.drop() },
    { name: 'half-open', begin: ({ slack }) => slack.server.sockets.halfOpen() },
    {
      name: 'dropped, and refused three times',
      begin: ({ slack }) => {
        slack.server.socketsToRefuse = 3;
        slack.server.sockets.drop();
      },
    },
    {
      name: 'asked to refresh',
      begin: ({ slack }) => slack.server.sockets.disconnect('refresh_requested'),
    },
    { name: 'warned', begin: ({ slack }) => slack.server.sockets.disconnect('warning') },
    {
      name: 'Socket Mode switched off and on',
      begin: ({ slack }) => {
        slack.server.isSocketModeOn = false;
        slack.server.sockets.disconnect('link_disabled');
      },
      end: ({ slack }) => {
        slack.server.isSocketModeOn = true;
      },
    },
    dropAnd('500', { kind: 'server-error', method: open }),
    dropAnd('three 500', { kind: 'server-error', method: open, times: 3 }),
    dropAnd('a reset', { kind: 'reset', method: open }),
    dropAnd('a hang', { kind: 'hang-before', method: open }),
    dropAnd('HTML', { kind: 'html', method: open }),
    dropAnd('429', { kind: 'rate-limited', method: open }),
    {
      name: 'nobody at home',
      begin: ({ slack }) => slack.server.close(),
      end: ({ slack }) => slack.server.reopen(),
    },
    {
      name: 'each envelope twice',
      begin: ({ slack }) => {
        slack.server.sockets.toDuplicate = 3;
      },
    },
    {
      name: 'acks are lost',
      begin: ({ slack }) => {
        slack.server.sockets.acksToLose = 3;
      },
    },
    { name: 'too many events', begin: ({ slack }) => slack.server.sockets.rateLimitEvents() },
    {
      name: 'the inbox cannot be written',
      begin: (stage) => {
        stage.failSink = 3;
      },
    },
    {
      name: 'nobody says who wrote',
      begin: ({ slack }) =>
        slack.server.faults.arm({ kind: 'server-error', method: 'users.info', times: 2 }),
    },
    {
      name: 'events are never sent again',
      begin: ({ slack }) => {
        slack.server.sockets.times.redeliverAfterMs = [];
        slack.server.sockets.drop();
      },
    },
    {
      name: 'dropped, and threads cannot be read back at once',
      begin: ({ slack }) => {
        slack.server.sockets.times.redeliverAfterMs = [];
        slack.server.faults.arm({
          kind: 'server-error',
          method: 'conversations.replies',
          times: 2,
        });
        slack.server.sockets.drop();
      },
    },
  ],
});
