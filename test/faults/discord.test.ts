import type { ChatEvent, ThreadRef } from '../../src/bridge/model/chat.ts';
import type { RestFault, RestFaultKind } from '../fakes/discord-faults.ts';
import type { DiscordServer } from '../fakes/discord-server.ts';
import { setUpDiscord, textChannel } from '../fakes/discord-stage.ts';
import { describeFaults, type Fault, type FaultStage } from './faults.suite.ts';

interface Stage extends FaultStage {
  readonly server: DiscordServer;
  failSink: number;
}

/** The thread that a test opened: there is only one. */
const theThread = ({ world }: DiscordServer): string => {
  const found = [...world.channels.values()].find((c) => c.type === 11);
  if (found === undefined) throw new Error('no thread yet');
  return found.id;
};

const setUp = async (): Promise<Stage> => {
  const { server, adapter, another, stop } = await setUpDiscord({
    timing: { heartbeatWithin: 1_500, callTimeout: 1_500 },
  });
  server.gateway.heartbeatMs = 250;
  const { world, people } = server;
  const aborted = new AbortController();
  const kept: ChatEvent[] = [];
  const made: Stage = {
    server,
    adapter,
    channel: textChannel,
    kept,
    failSink: 0,
    restarted: another,
    ours: ({ thread }: ThreadRef) =>
      world.messages
        .filter((m) => m.author.id === world.bot.id && m.type === 0 && !m.isDeleted)
        .filter((m) => m.channel_id === thread || m.id === thread)
        .map((m) => m.content.replaceAll('**', '')),
    say: ({ thread }, text) => {
      people.say(thread, text);
    },
    listen: async (thread, since) => {
      adapter.follow(() => [{ thread, since }]);
      await adapter.start(async (event) => {
        if (made.failSink > 0) {
          made.failSink--;
          throw new Error('the disk is full');
        }
        if (!kept.some(({ key }) => key === event.key)) kept.push(event);
      }, aborted.signal);
    },
    stop: async () => {
      aborted.abort();
      await stop();
    },
  };
  return made;
};

const call = (kind: RestFaultKind, more: Omit<RestFault, 'kind'> = {}): Fault<Stage> => ({
  name: more.times === undefined ? kind : `${kind}, ${more.times} times`,
  begin: ({ server }) => server.fail({ kind, ...more }),
});

const cut = (name: string, begin: (server: DiscordServer) => void): Fault<Stage> => ({
  name,
  begin: ({ server }) => begin(server),
});

const history = /^GET .*\/messages$/;
const manageThreads = 1n << 34n;
const sendInThreads = 1n << 38n;

describeFaults<Stage>({
  name: 'Discord',
  setUp,
  ofCalls: [
    call('lost'),
    call('refused'),
    call('hang-after'),
    call('hang-before'),
    call('broken'),
    call('broken', { times: 5 }),
    call('broken-after'),
    call('rate-limited'),
    call('rate-limited', { times: 8, retryAfterMs: 60 }),
    call('rate-limited-globally'),
    call('banned', { times: 2 }),
    call('unauthorised', { times: 2 }),
    {
      name: 'lost, and the nonce is forgotten',
      begin: ({ server }) => {
        server.world.nonceWindowMs = 0;
        server.fail({ kind: 'lost' });
      },
    },
    {
      name: 'lost, and then what was posted cannot be looked for',
      begin: ({ server }) => {
        server.world.nonceWindowMs = 0;
        server.fail({ kind: 'lost' });
        server.fail({ kind: 'broken', on: history, times: 2 });
      },
    },
    {
      name: 'nobody at home',
      begin: ({ server }) => server.close(),
      end: ({ server }) => server.reopen(),
    },
    {
      name: 'the thread is archived',
      begin: ({ server }) => server.people.archive(theThread(server)),
    },
    {
      name: 'the thread is locked for a while',
      begin: ({ server }) => {
        server.world.botPermissions &= ~manageThreads;
        server.people.archive(theThread(server), true);
      },
      end: ({ server }) => server.people.unlock(theThread(server)),
    },
    {
      name: 'a permission is taken for a while',
      begin: ({ server }) => {
        server.world.botPermissions &= ~sendInThreads;
      },
      end: ({ server }) => {
        server.world.botPermissions |= sendInThreads;
      },
    },
    {
      name: 'kicked, and invited again',
      begin: ({ server }) => server.people.kickBot(),
      end: ({ server }) => server.people.inviteBot(),
    },
    {
      name: 'the token is revoked for a while',
      begin: ({ server }) => server.revokeToken(),
      end: ({ server }) => server.restoreToken(),
    },
  ],
  ofListening: [
    cut('dropped', ({ gateway }) => gateway.drop()),
    cut('half-open', ({ gateway }) => gateway.freeze()),
    cut('dropped, and refused three times', ({ gateway }) => {
      gateway.refuses = 3;
      gateway.drop();
    }),
    cut('op 7', ({ gateway }) => gateway.askToReconnect()),
    cut('op 9 true', ({ gateway }) => gateway.invalidate(true)),
    cut('op 9 false', ({ gateway }) => gateway.invalidate(false)),
    ...[1000, 1001, 4000, 4003, 4007, 4008, 4009].map((code) =>
      cut(`close ${code}`, ({ gateway }) => gateway.close(code)),
    ),
    cut('close 4004, and login fails twice', (server) => {
      server.fail({ kind: 'broken', on: /^GET \/gateway\/bot/, times: 2 });
      server.gateway.close(4004);
    }),
    cut('close 4014', ({ gateway }) => gateway.close(4014)),
    {
      name: 'the token is revoked for a while',
      begin: ({ server }) => server.revokeToken(),
      end: ({ server }) => server.restoreToken(),
    },
    {
      name: 'Message Content switched off and on',
      begin: ({ server: { gateway } }) => {
        gateway.isContentAllowed = false;
        gateway.close(4014);
      },
      end: ({ server: { gateway } }) => {
        gateway.isContentAllowed = true;
      },
    },
    {
      name: 'heartbeats are not acknowledged',
      begin: ({ server: { gateway } }) => {
        gateway.isSilent = true;
      },
      end: ({ server: { gateway } }) => {
        gateway.isSilent = false;
      },
    },
    {
      name: 'nobody at home',
      begin: ({ server }) => server.close(),
      end: ({ server }) => server.reopen(),
    },
    cut('each dispatch three times', ({ gateway }) => {
      gateway.copies = 3;
    }),
    {
      name: 'the last dispatch again, later',
      begin: () => undefined,
      end: ({ server }) => server.gateway.replay('MESSAGE_CREATE'),
    },
    {
      name: 'the inbox cannot be written',
      begin: (stage) => {
        stage.failSink = 3;
      },
    },
    {
      name: 'dropped, and the inbox cannot be written',
      begin: (stage) => {
        stage.failSink = 3;
        stage.server.gateway.close(1000);
      },
    },
    cut('a new session, and threads cannot be read back at once', (server) => {
      server.fail({ kind: 'broken', on: history, times: 2 });
      server.fail({ kind: 'rate-limited', on: history, retryAfterMs: 1_200 });
      server.gateway.close(1000);
    }),
    cut('a new session, and nobody says who wrote', (server) => {
      server.fail({ kind: 'broken', on: /^GET .*\/members\//, times: 2 });
      server.gateway.close(1000);
    }),
    {
      name: 'kicked, and invited again',
      begin: ({ server }) => server.people.kickBot(),
      end: ({ server }) => server.people.inviteBot(),
    },
  ],
});
