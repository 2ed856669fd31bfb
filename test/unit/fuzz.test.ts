import fc from 'fast-check';
import { expect, test } from 'vitest';
import { encode as encodeForDiscord } from '../../src/adapters/discord/encode.ts';
import { encode as encodeForSlack } from '../../src/adapters/slack/encode.ts';
import { redactItem } from '../../src/bridge/chat/redact-item.ts';
import { redactMessage } from '../../src/bridge/chat/redact-message.ts';
import type { OutboundMessage } from '../../src/bridge/model/chat.ts';
import { type DialogId, id } from '../../src/bridge/model/ids.ts';
import { makeRedact, withheld } from '../../src/bridge/text/redact.ts';
import { splitMarkdown } from '../../src/bridge/text/split.ts';
import { named } from './bridge/text/corpus/named.ts';
import { tokens } from './bridge/text/corpus/tokens.ts';
import { fixture, fixtureNames, readAll } from './provider/claude-code/reading.ts';

/** `npm run test:fuzz` asks for 100,000; part of every `npm test` is a few hundred. */
const inputs = Number(process.env.AFK_FUZZ ?? 400);
const numRuns = Math.ceil(inputs / 4);
const minutes = inputs > 10_000 ? 60 : 1;

const redact = makeRedact({ tokens: ['the-bridge-own-token'], patterns: ['ACME-[0-9A-F]{8}'] });
const secrets = [...tokens.map(({ token }) => token), ...named.map(({ text }) => text)];

/** What means something to a parser, a terminal, a platform or the redactor, and what does not. */
const piece = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.constantFrom(...secrets),
  fc.constantFrom(
    ...[
      '```',
      '~~~',
      '`',
      '\n',
      '\n\n',
      '\r\n',
      '\t',
      '|',
      '| a | b |\n|---|---|\n',
      '> ',
      '- ',
      '#',
    ],
    ...[
      '<@U123>',
      '<!channel>',
      '@everyone',
      '@here',
      '<@&1>',
      'https://a.example/x',
      '[a](b)',
      '&lt;',
    ],
    ...[
      '\u001b[0m',
      '\u001b]0;x\u0007',
      '\u001b[201~',
      '\u0000',
      '\u200b',
      '\u202e',
      '\ud800',
      '👩‍👩‍👧',
      'e\u0301',
    ],
    ...[
      '[masked:env]',
      '[masked:',
      'KEY=',
      '"password": "',
      'Bearer ',
      '-----BEGIN PRIVATE KEY-----',
      '://a:b@',
    ],
  ),
);
const words = fc
  .array(piece, { maxLength: 30 })
  .chain((pieces) => fc.constantFrom(1, 1, 1, 40).map((times) => pieces.join('').repeat(times)))
  .map((text) => text.slice(0, 30_000));

test(
  'P7 whatever stands in a text, masking ends, is idempotent and leaves no known token',
  () => {
    fc.assert(
      fc.property(words, fc.constantFrom(...tokens), words, (before, { token }, after) => {
        const shown = redact(`${before} ${token} ${after}`);
        expect(shown === withheld || !shown.includes(` ${token} `)).toBe(true);
        expect(redact(shown)).toBe(shown);
      }),
      { numRuns },
    );
  },
  minutes * 60_000,
);

test(
  'P3 whatever stands in a text, it is split within the limit',
  () => {
    const limit = fc.integer({ min: 200, max: 4_000 });
    fc.assert(
      fc.property(words, limit, (text, most) => {
        const split = splitMarkdown(text, { limit: most, measure: (part) => part.length });
        const parts = 'parts' in split ? split.parts : [];
        for (const part of parts) expect(part.length).toBeLessThanOrEqual(most);
      }),
      { numRuns },
    );
  },
  minutes * 60_000,
);

const messages = (text: string): readonly OutboundMessage[] => [
  { type: 'head', title: text, lines: [text, text] },
  { type: 'text', author: 'agent', by: text, markdown: text },
  { type: 'activity', lines: [text, text], details: text },
  {
    type: 'dialog',
    dialog: id<DialogId>('d'),
    markdown: text,
    buttons: [{ label: text, answer: { type: 'approve' } }],
    multiSelect: [text, text],
    takesOwnWords: true,
    isOpen: true,
  },
  { type: 'lifecycle', markdown: text },
  { type: 'notice', markdown: text, buttons: [{ label: text, action: { type: 'continue' } }] },
  { type: 'file', name: text, summary: text, content: text },
];

test(
  'P3 whatever stands in a message, each platform encodes it, the same each time',
  () => {
    fc.assert(
      fc.property(words, fc.nat({ max: 6 }), (text, which) => {
        const message = messages(text)[which];
        if (message === undefined) return;
        const masked = redactMessage(message, redact);
        for (const encode of [encodeForSlack, encodeForDiscord]) {
          expect(encode(masked)).toEqual(encode(masked));
        }
      }),
      { numRuns },
    );
  },
  minutes * 60_000,
);

const lines = fixtureNames.flatMap((name) => fixture(name).toString('utf8').split('\n'));

/** A real row with something else in it: a value replaced, a piece cut out, a byte changed, or no row at all. */
const line = fc.oneof(
  fc.constantFrom(...lines),
  fc
    .tuple(fc.constantFrom(...lines), fc.double({ min: 0, max: 1, noNaN: true }), piece)
    .map(([row, at, other]) => {
      const from = Math.floor(row.length * at);
      return `${row.slice(0, from)}${other.replaceAll('\n', ' ')}${row.slice(from)}`;
    }),
  fc
    .tuple(fc.constantFrom(...lines), fc.nat({ max: 60 }), fc.jsonValue())
    .map(([row, which, value]) => {
      let n = 0;
      return row.replace(/:("(?:[^"\\]|\\.)*"|\d+|true|false|null)/g, (whole) =>
        n++ === which ? `:${JSON.stringify(value)}` : whole,
      );
    }),
  fc.jsonValue().map((value) => JSON.stringify(value)),
  words,
);

test(
  'L4 whatever stands in a transcript, it is read to its end, and what is read can be masked',
  () => {
    fc.assert(
      fc.property(fc.array(line, { maxLength: 12 }), (rows) => {
        const { items } = readAll(Buffer.from(`${rows.join('\n')}\n`));
        for (const item of items.values()) redactItem(item, redact, true);
      }),
      { numRuns },
    );
  },
  minutes * 60_000,
);
