import { describe, expect, it } from 'vitest';
import type { OutboundMessage, ThreadRef } from '../../../../src/bridge/model/chat.ts';
import { type DeliveryId, type DialogId, id } from '../../../../src/bridge/model/ids.ts';
import { readSlack } from '../../../fakes/slack-fake.ts';
import { CHANNEL, type SlackRig, slackRig, until } from './rig.ts';

const dialog = (
  more: Partial<Extract<OutboundMessage, { type: 'dialog' }>> = {},
): OutboundMessage => ({
  type: 'dialog',
  dialog: id<DialogId>('toolu_1'),
  markdown: '❓ **Colour**: which?\n1. **Red**\n2. **Blue**',
  buttons: [
    { label: 'Red', answer: { type: 'choose', choices: [[0]] } },
    { label: 'Blue', answer: { type: 'choose', choices: [[1]] } },
  ],
  takesOwnWords: true,
  link: 'https://bridge.example.net/run/r1',
  isOpen: true,
  ...more,
});

describe('dialogs in Slack (Q1)', () => {
  const at = slackRig();

  const show = async (rig: SlackRig, message: OutboundMessage): Promise<[ThreadRef, string]> => {
    const thread = await rig.thread();
    await rig.start();
    const [part] = rig.adapter.encode(message);
    if (part === undefined) throw new Error('nothing encoded');
    return [thread, (await rig.adapter.post(thread, part, 'd1')).message];
  };

  it('a click is an answer by a person, in its thread, durable before it is acknowledged', async () => {
    const rig = at();
    const [thread, ts] = await show(rig, dialog());
    rig.failSink = 1;
    const { people } = rig.slack;
    people.clickWithinMs = 500;
    // What could not be kept is not acknowledged: the person sees that it failed, and clicks again.
    await expect(people.click('U0BOB', CHANNEL, ts, 'Blue')).rejects.toThrow('operation_timeout');
    expect(rig.events).toEqual([]);
    people.clickWithinMs = 3_000;
    await people.click('U0BOB', CHANNEL, ts, 'Blue');
    expect(rig.events).toMatchObject([
      {
        actor: { id: 'slack:T0TEAM/user:U0BOB' },
        target: { thread },
        body: { type: 'answer', dialog: 'toolu_1', answer: { type: 'choose', choices: [[1]] } },
      },
    ]);
  });

  it('two clicks of one person are two events, one click sent twice is one', async () => {
    const rig = at();
    const [, ts] = await show(rig, dialog());
    rig.slack.server.sockets.toDuplicate = 1;
    await rig.slack.people.click('U0BOB', CHANNEL, ts, 'Red');
    await rig.slack.people.click('U0BOB', CHANNEL, ts, 'Red');
    await until(() => expect(rig.given).toHaveLength(3));
    expect(rig.events).toHaveLength(2);
  });

  it('several are chosen and submitted together; none is said to that person alone', async () => {
    const rig = at();
    const multiSelect = ['Tests', 'Docs', 'x'.repeat(200)];
    const [, ts] = await show(rig, dialog({ buttons: [], multiSelect }));
    const { people, server } = rig.slack;
    await people.click('U0BOB', CHANNEL, ts, 'Submit');
    await until(() => expect(server.world.whispers).toHaveLength(1));
    expect(server.world.whispers[0]).toMatchObject({ user: 'U0BOB' });
    expect(rig.events).toEqual([]);
    // Too long for Slack: numbered, as the text is.
    await people.click('U0BOB', CHANNEL, ts, 'Submit', ['2. Docs', '1. Tests']);
    expect(rig.events[0]?.body).toMatchObject({ answer: { type: 'choose', choices: [[0, 1]] } });
  });

  it('own words open a form at once and come back as an answer', async () => {
    const rig = at();
    const [thread, ts] = await show(rig, dialog());
    const { people, server } = rig.slack;
    await people.click('U0BOB', CHANNEL, ts, '✏️ Own words');
    await until(() => expect(server.world.views.size).toBe(1));
    const [view = ''] = server.world.views.keys();
    const answer = await people.submit('U0BOB', view, '  ');
    expect(answer).toEqual({ response_action: 'errors', errors: { own: 'Write your answer.' } });
    expect(rig.events).toEqual([]);
    await people.submit('U0BOB', view, 'Green & "light"');
    expect(rig.events).toMatchObject([
      {
        key: `form:${view}`,
        target: { thread },
        body: { type: 'answer', answer: { type: 'own-words', text: 'Green & "light"' } },
      },
    ]);
  });

  it('a form that does not open is said to that person, with the other way', async () => {
    const rig = at();
    const [, ts] = await show(rig, dialog());
    const { people, server } = rig.slack;
    server.faults.arm({ kind: { error: 'expired_trigger_id' }, method: 'views.open' });
    await people.click('U0BOB', CHANNEL, ts, '✏️ Own words');
    await until(() => expect(server.world.whispers).toHaveLength(1));
    expect(server.world.whispers[0]?.version.text).toContain('!answer');
  });

  it('labels that are too long are numbered; the link is acknowledged and is no event', async () => {
    const rig = at();
    const long = dialog({
      buttons: ['a', 'b'].map((letter, n) => ({
        label: letter.repeat(200),
        answer: { type: 'choose', choices: [[n]] } as const,
      })),
    });
    const [, ts] = await show(rig, long);
    const labels = rig.slack.people.buttons(CHANNEL, ts).map((b) => b.label);
    expect(labels[0]).toMatch(/^1\. a{60,}…$/);
    expect(labels[1]).toMatch(/^2\. b{60,}…$/);
    expect(labels.slice(2)).toEqual(['✏️ Own words', '🔗 Open']);
    await rig.slack.people.click('U0BOB', CHANNEL, ts, '🔗 Open');
    expect(rig.events).toEqual([]);
  });

  it('a settled dialog has no buttons; an edit takes them away (Q5)', async () => {
    const rig = at();
    const [thread, ts] = await show(rig, dialog());
    const [part] = rig.adapter.encode(dialog({ isOpen: false, buttons: [] }));
    if (part === undefined) throw new Error('nothing encoded');
    await rig.adapter.edit({ thread, message: ts }, part);
    expect(rig.slack.people.buttons(CHANNEL, ts)).toEqual([]);
    const message = rig.slack.server.world.message(CHANNEL, ts);
    expect(message && readSlack(message)).toContain('Colour: which?');
  });

  it('only those who asked are mentioned (P6)', async () => {
    const rig = at();
    const mentions = ['slack:T0TEAM/user:U0BOB', 'discord:1/user:2'].map((who) => id<never>(who));
    const [, ts] = await show(rig, dialog({ mentions, markdown: '<@U0ALICE> <!here> which?' }));
    expect(rig.slack.server.world.pings).toEqual([{ ts, whom: '@U0BOB' }]);
  });

  it('buttons of a notice carry what they do', async () => {
    const rig = at();
    const delivery = id<DeliveryId>('d1');
    const [, ts] = await show(rig, {
      type: 'notice',
      markdown: '↩ Back in the box.',
      buttons: [
        { label: 'Send again', action: { type: 'send-again', delivery } },
        { label: 'Discard', action: { type: 'discard', delivery } },
      ],
    });
    await rig.slack.people.click('U0BOB', CHANNEL, ts, 'Discard');
    expect(rig.events[0]?.body).toEqual({ type: 'discard', delivery });
  });
});
