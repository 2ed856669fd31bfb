import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { COMMANDS, parseCommand } from '../../../../src/bridge/chat/commands-parse.ts';
import { type DecideContext, decide } from '../../../../src/bridge/chat/decide.ts';
import { isStopSign } from '../../../../src/bridge/chat/policy.ts';
import { MOST_PER_MINUTE, Rates } from '../../../../src/bridge/chat/rates.ts';
import type { ChatEvent } from '../../../../src/bridge/model/chat.ts';
import { type ActorId, id } from '../../../../src/bridge/model/ids.ts';
import { RUN } from './chat-side.ts';

/** `AFK_FUZZ=100000 npx vitest run --project fast commands.test.ts` is the full count. */
const numRuns = Number(process.env['AFK_FUZZ'] ?? 2_000);

describe('A1 words for the bridge', () => {
  test.each([
    ['!help', 'help', ''],
    [' !Help ', 'help', ''],
    ['! help', 'help', ''],
    ['！help', 'help', ''],
    ['！ｓｔａｔｕｓ', 'status', ''],
    ['\u200b!status\ufeff', 'status', ''],
    ['!status.', 'status', ''],
    ['!status!', 'status', ''],
    ['!answer  yes,\nplease ', 'answer', 'yes,\nplease'],
    ['!notify off', 'notify', 'off'],
    ['!cmd /compact', 'cmd', '/compact'],
  ])('%j is ours', (text, name, argument) => {
    expect(parseCommand(text)).toEqual({ type: 'command', name, argument });
  });

  test.each([
    ['!stauts', 'status'],
    ['!intrrupt', 'interrupt'],
    ['!helpp', 'help'],
    ['!interrupt the build and rest', 'interrupt'],
    ['!tail.log', 'tail'],
  ])('%j is asked about', (text, meant) => {
    expect(parseCommand(text)).toEqual({ type: 'doubt', meant });
  });

  test.each([
    '!ls -l',
    '!important: read this',
    '!',
    '! ',
    'help',
    'what is !help',
    '!!status',
    '!5',
  ])('%j is for the agent', (text) => {
    expect(parseCommand(text)).toEqual({ type: 'text' });
  });

  test('each command is itself, and no other is near it', () => {
    for (const name of COMMANDS) {
      expect(parseCommand(`!${name}`)).toEqual({ type: 'command', name, argument: '' });
    }
  });

  test('A3 no input at all throws, in parse or decide', () => {
    const near = fc.tuple(
      fc.constantFrom('!', '！', ' !', '! ', ''),
      fc.constantFrom(...COMMANDS, 'helo', ''),
      fc.string({ unit: 'binary', maxLength: 60 }),
    );
    const text = fc.oneof(
      near.map((parts) => parts.join('')),
      fc.string({ unit: 'binary' }),
    );
    fc.assert(
      fc.property(text, fc.constantFrom(undefined, 'observer', 'driver', 'owner'), (said, role) => {
        const decision = decide(event(said), { ...ctx, role });
        if (role === undefined || role === 'observer') {
          expect(['create', 'continue', 'wish', 'again']).not.toContain(decision.type);
        }
      }),
      { numRuns },
    );
  });
});

const thread = { platform: id('slack'), channel: id('slack:C0'), thread: '1' } as const;
const event = (text: string): ChatEvent =>
  ({
    key: 'k',
    platform: id('slack'),
    actor: {
      id: id('slack:T0/user:U0BOB'),
      displayName: 'Bob',
      groups: [],
      isBot: false,
      isGuest: false,
    },
    target: { thread },
    at: 1_000,
    body: { type: 'reply', text },
  }) as ChatEvent;

const ctx: DecideContext = {
  role: 'driver',
  whomToAsk: 'an owner',
  pace: 'fine',
  stopSigns: ['🛑'],
  isIgnored: false,
  run: RUN,
  isLeft: false,
  delivery: undefined,
  waiting: 0,
  now: 1_000,
  holdForMs: 60_000,
  maxReplyBytes: 10_000,
  confirmWithinMs: 60_000,
};

test('I1 an interrupt sign counts in every variant', () => {
  expect(isStopSign('🛑', ['🛑'])).toBe(true);
  expect(isStopSign('✋🏽', ['✋'])).toBe(true);
  expect(isStopSign('⏹️', ['⏹'])).toBe(true);
  expect(isStopSign('👍', ['🛑'])).toBe(false);
});

test('A3 a person who is too fast is told once, and may go on a minute later', () => {
  const rates = new Rates();
  const bob = id<ActorId>('slack:user:U0BOB');
  for (let n = 0; n < MOST_PER_MINUTE; n++) expect(rates.note(bob, 1_000 + n)).toBe('fine');
  expect(rates.note(bob, 2_000)).toBe('too-fast');
  expect(rates.note(bob, 2_001)).toBe('still-too-fast');
  expect(rates.note(id('slack:user:U0EVE'), 2_001)).toBe('fine');
  expect(rates.note(bob, 62_000)).toBe('fine');
});

test('D7 what somebody else made of a reply is not typed', () => {
  const messageRef = { thread, message: '2' };
  const delivery = {
    id: 'd',
    actor: id('slack:T0/user:U0EVE'),
    kind: 'reply',
    run: RUN,
    text: 'a',
  };
  const edit = { ...event(''), body: { type: 'edit', messageRef, text: 'evil' } } as ChatEvent;
  const known = { ...ctx, delivery: { ...delivery, outcome: { status: 'waiting' } } };
  expect(decide(edit, known as DecideContext)).toMatchObject({
    type: 'refuse',
    reason: { why: 'not-the-author' },
  });
});
