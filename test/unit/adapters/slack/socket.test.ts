import { describe, expect, it } from 'vitest';
import type { ChatEvent } from '../../../../src/bridge/model/chat.ts';
import { CHANNEL, slackRig, until } from './rig.ts';

describe('Socket Mode', () => {
  const at = slackRig();

  it('P02 an event is acknowledged only when the inbox has it (trap 13)', async () => {
    const rig = at();
    const { thread } = await rig.thread();
    const { sockets } = rig.slack.server;
    let release: (() => void) | undefined;
    const kept: ChatEvent[] = [];
    const adapter = rig.make();
    await adapter.start(async (event) => {
      await new Promise<void>((resolve) => {
        release = resolve;
      });
      kept.push(event);
    }, new AbortController().signal);
    const before = sockets.unacked;
    rig.slack.people.say({ user: 'U0ALICE', channel: CHANNEL, thread, text: 'one' });
    await until(() => expect(release).toBeDefined());
    expect([kept.length, sockets.unacked - before]).toEqual([0, 1]);
    release?.();
    await until(() => expect(sockets.unacked - before).toBe(0));
    expect(kept).toHaveLength(1);
  });

  it('a refresh leaves no gap: the next socket is there before the old one goes (trap 8)', async () => {
    const rig = at();
    const { thread } = await rig.thread();
    await rig.start();
    const { sockets } = rig.slack.server;
    sockets.times.redeliverAfterMs = [];
    sockets.times.closeAfterMs = 3_000;
    sockets.disconnect('refresh_requested');
    for (let n = 0; n < 30; n++) {
      rig.slack.people.say({ user: 'U0ALICE', channel: CHANNEL, thread, text: `word ${n}` });
      await new Promise((resolve) => setTimeout(resolve, 15));
    }
    await until(() => expect(rig.events).toHaveLength(30));
    expect(sockets.lost).toEqual([]);
  });

  it('a refresh that came too fast is a gap, and threads are read back', async () => {
    const rig = at();
    const thread = await rig.thread();
    const { sockets, faults } = rig.slack.server;
    rig.adapter.follow(() => [{ thread, since: Date.now() - 60_000 }]);
    await rig.start();
    sockets.times.redeliverAfterMs = [];
    sockets.times.closeAfterMs = 0;
    faults.arm({ kind: 'hang-before', method: 'apps.connections.open' });
    sockets.disconnect('refresh_requested');
    await until(() => expect(sockets.count).toBe(0));
    const said = { user: 'U0ALICE', channel: CHANNEL, thread: thread.thread };
    rig.slack.people.say({ ...said, text: 'in the gap' });
    await until(() => expect(rig.events).toHaveLength(1));
    expect(rig.events[0]?.body).toMatchObject({ text: 'in the gap', isFromHistory: true });
  });

  it('a dropped socket is replaced at once, not after five seconds (trap 8)', async () => {
    const rig = at();
    await rig.start();
    const { sockets, calls } = rig.slack.server;
    sockets.drop();
    const opened = () => calls.filter((c) => c.method === 'apps.connections.open').length;
    await until(() => expect([opened(), sockets.count]).toEqual([2, 1]), 3_000);
  });

  it('P03 a half-open socket is noticed and replaced (trap 9)', async () => {
    const rig = at();
    const { thread } = await rig.thread();
    await rig.start();
    const { sockets, calls } = rig.slack.server;
    sockets.halfOpen();
    const opened = () => calls.filter((c) => c.method === 'apps.connections.open').length;
    await until(() => expect(opened()).toBe(2));
    sockets.times.redeliverAfterMs = [0, 0, 0, 0];
    sockets.times.ackWithinMs = 100;
    rig.slack.people.say({ user: 'U0ALICE', channel: CHANNEL, thread, text: 'hello?' });
    await until(() => expect(rig.events).toHaveLength(1));
  });

  it('calls are tried once after the socket was opened, too (trap 3)', async () => {
    const rig = at();
    const thread = await rig.thread();
    await rig.start();
    const [part] = rig.adapter.encode({ type: 'text', author: 'agent', markdown: 'one' });
    if (part === undefined) throw new Error('nothing encoded');
    rig.slack.server.faults.arm({ kind: 'server-error', method: 'chat.postMessage', times: 5 });
    const before = rig.slack.server.calls.length;
    await expect(rig.adapter.post(thread, part, 'k')).rejects.toMatchObject({ certain: false });
    expect(rig.slack.server.calls.slice(before).map((c) => c.method)).toEqual(['chat.postMessage']);
  });

  it('O06 another program with the same app token is told within one renewal (L3)', async () => {
    const rig = at();
    const adapter = rig.make({}, { renewAfterMs: 100 });
    await rig.start(adapter);
    expect(adapter.health().detail).toBe('Connected to Slack.');
    rig.slack.server.sockets.strangers = 2;
    await until(() => expect(adapter.health().detail).toContain('2 more connections'));
    rig.slack.server.sockets.strangers = 0;
    await until(() => expect(adapter.health().detail).toBe('Connected to Slack.'), 15_000);
  });

  it('a missing scope is named, and what needs it alone fails', async () => {
    const rig = at();
    const { server, people } = rig.slack;
    server.scopes = server.scopes.filter((scope) => scope !== 'users:read');
    const { thread } = await rig.thread();
    await rig.start();
    people.say({ user: 'U0ALICE', channel: CHANNEL, thread, text: 'one' });
    await until(() => expect(rig.events).toHaveLength(1));
    expect(rig.events[0]?.actor).toMatchObject({
      displayName: 'U0ALICE',
      isGuest: true,
      groups: [],
    });
    expect(rig.adapter.health()).toEqual({
      isConnected: true,
      detail:
        'Connected to Slack. The app lacks the scope users:read: update it from the manifest and install it again.',
    });
  });

  it('P26 a channel that was archived or left is named until it is well again (L2)', async () => {
    const rig = at();
    await rig.start();
    rig.slack.people.archive(CHANNEL);
    await until(() => expect(rig.adapter.health().detail).toContain('is archived: unarchive it'));
    rig.slack.people.unarchive(CHANNEL);
    await until(() => expect(rig.adapter.health().detail).toBe('Connected to Slack.'));
    rig.slack.people.kick(CHANNEL);
    await until(() => expect(rig.adapter.health().detail).toContain('does not have the bot'));
    rig.slack.people.invite(CHANNEL);
    await until(() => expect(rig.adapter.health().detail).toBe('Connected to Slack.'));
  });

  it('stop ends within its time, also while a call to Slack hangs', async () => {
    const rig = at();
    await rig.start();
    rig.slack.server.faults.arm({ kind: 'hang-before', method: 'apps.connections.open' });
    rig.slack.server.sockets.drop();
    const began = Date.now();
    await rig.adapter.stop();
    expect(Date.now() - began).toBeLessThan(5_000);
    expect(rig.adapter.health()).toEqual({ isConnected: false, detail: 'Stopped.' });
  });
});
