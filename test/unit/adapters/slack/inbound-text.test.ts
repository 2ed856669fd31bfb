import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Identity, readEvent } from '../../../../src/adapters/slack/inbound.ts';
import { readInteraction } from '../../../../src/adapters/slack/inbound-actions.ts';
import { emojiOf, sameEmoji } from '../../../../src/adapters/slack/inbound-emoji.ts';
import { plainText, withoutCall } from '../../../../src/adapters/slack/inbound-text.ts';

const nameOf = (user: string): string => ({ U1: 'Alice' })[user] ?? user;
const plain = (text: string, blocks?: readonly unknown[]): string =>
  plainText({ text, ...(blocks !== undefined && { blocks }) }, nameOf);

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

describe('what Slack writes for a person’s words, in plain form (D7)', () => {
  it.each([
    ['<@U1> and <@U2>, <@U3|carl>', '@Alice and @U2, @carl'],
    ['<#C1|general> <#C2>', '#general #C2'],
    ['<!here> <!channel|channel> <!subteam^S1|@team> <!subteam^S2>', '@here @channel @team @S2'],
    ['<https://a.example/x?a=1&amp;b=2>', 'https://a.example/x?a=1&b=2'],
    ['see <http://a.example|a.example>', 'see a.example'],
    ['<https://a.example/x|the docs>', 'the docs (https://a.example/x)'],
    ['<mailto:a@b.example|a@b.example>', 'a@b.example'],
    ['<!date^1392734382^{date}|Feb 18>', 'Feb 18'],
    ['&amp;lt; is not &lt;', '&lt; is not <'],
    ['`if (a &lt; b &amp;&amp; c &gt; d)`', '`if (a < b && c > d)`'],
  ])('%s', (text, expected) => expect(plain(text)).toBe(expected));

  it('P10 text without entities arrives as it was typed, decoded exactly once', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(plain(escaped(text))).toBe(text);
      }),
    );
  });

  it('signs are themselves where Slack says which they are, else they keep their name', () => {
    const blocks = [
      { type: 'rich_text', elements: [{ type: 'emoji', name: '+1', unicode: '1f44d' }] },
    ];
    expect(plain(':+1: :party-parrot:', blocks)).toBe('👍 :party-parrot:');
  });

  it('the call of the bot goes, other mentions stay', () => {
    expect(withoutCall('<@U0BOT>, go on with <@U1>', 'U0BOT')).toBe('go on with <@U1>');
    expect(withoutCall('ask <@U0BOT>', 'U0BOT')).toBe('ask <@U0BOT>');
  });
});

describe('D27 names of reactions', () => {
  it.each([
    ['🛑', 'octagonal_sign'],
    [':octagonal_sign:', 'octagonal_sign'],
    ['octagonal_sign', 'octagonal_sign'],
    ['⏹️', 'black_square_for_stop'],
    ['✋🏽', 'raised_hand::skin-tone-4'],
    ['hand', 'raised_hand'],
    [':our-own-stop:', 'our-own-stop'],
  ])('%s is the reaction %s', (configured, reaction) =>
    expect(emojiOf(reaction)).toBe(sameEmoji(configured)),
  );
});

describe('D09 events that are nobody’s words', () => {
  const self: Identity = { team: 'T1', botUser: 'U0BOT', botId: 'B0BOT' };
  const event = (more: object): unknown => ({
    type: 'event_callback',
    event: {
      type: 'message',
      channel: 'C1',
      ts: '2.0',
      thread_ts: '1.0',
      user: 'U1',
      text: 'x',
      ...more,
    },
  });

  it.each([
    'channel_join',
    'channel_topic',
    'message_replied',
    'reminder_add',
    'bot_add',
    'channel_posting_permissions',
    'ekm_access_denied',
    'something_new',
  ])('%s (trap 15)', (subtype) =>
    expect(readEvent(event({ subtype }), self)).toEqual({ type: 'ignored' }),
  );

  it.each([undefined, 'file_share', 'thread_broadcast', 'me_message'])('P13 but %s is', (subtype) =>
    expect(readEvent(event(subtype === undefined ? {} : { subtype }), self).type).toBe('message'),
  );

  it('our own update has no author at its top and is still ours (trap 14)', () => {
    const ours = { ts: '2.0', thread_ts: '1.0', bot_id: 'B0BOT', user: 'U0BOT', text: 'new' };
    const more = {
      subtype: 'message_changed',
      user: undefined,
      message: ours,
      previous_message: { ...ours, text: 'old' },
    };
    expect(readEvent(event(more), self)).toEqual({ type: 'ignored' });
  });

  it('P20 a first message that was deleted under its replies is no edit, and its replies are none', () => {
    const root = { ts: '1.0', thread_ts: '1.0', user: 'U1', text: 'first' };
    const gone = { ...root, subtype: 'tombstone', user: 'USLACKBOT', text: 'This was deleted.' };
    const reply = { ts: '2.0', thread_ts: '1.0', user: 'U1', text: 'a reply' };
    const changed = (message: object, before: object): unknown =>
      event({
        subtype: 'message_changed',
        user: undefined,
        message,
        previous_message: before,
      });
    expect(readEvent(changed(gone, root), self)).toEqual({ type: 'ignored' });
    expect(readEvent(changed({ ...reply, parent_user_id: undefined }, reply), self)).toEqual({
      type: 'ignored',
    });
    // What is really edited still is.
    const edited = { ...reply, text: 'other', edited: { ts: '3.0' } };
    expect(readEvent(changed(edited, reply), self)).toMatchObject({ type: 'edit' });
  });

  it('nothing that arrives makes it throw', () => {
    fc.assert(
      fc.property(fc.anything(), (body) => {
        readEvent(body, self);
        readEvent({ type: 'event_callback', event: body }, self);
        readInteraction(body);
        readInteraction({ type: 'block_actions', actions: body });
      }),
    );
  });
});
