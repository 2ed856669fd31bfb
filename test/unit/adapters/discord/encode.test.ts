import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { encode, partData } from '../../../../src/adapters/discord/encode.ts';
import {
  headBody,
  nonceOf,
  postBody,
  tagsOf,
} from '../../../../src/adapters/discord/encode-body.ts';
import { clickedOf, customIdOf } from '../../../../src/adapters/discord/encode-custom-id.ts';
import { discordMarkdown } from '../../../../src/adapters/discord/encode-markdown.ts';
import type { EncodedPart, OutboundMessage } from '../../../../src/bridge/model/chat.ts';
import type { FakeRow } from '../../../fakes/discord-model.ts';
import { checkMessage, checkThreadName } from '../../../fakes/discord-validate.ts';

const text = (markdown: string): OutboundMessage => ({ type: 'text', author: 'agent', markdown });
const contents = (message: OutboundMessage) => encode(message).map((p) => partData(p).content);
const fence = '```';

describe('Markdown as Discord shows it (P3)', () => {
  test.each([
    ['plain *it* **b** ~~s~~ `c`', 'plain *it* **b** ~~s~~ `c`'],
    ['# One\n### Three\n##### Five', '# One\n### Three\n**Five**'],
    ['a || b || c', 'a \\|\\| b \\|\\| c'],
    ['`a || b`', '`a || b`'],
    ['>>> x = 1', '\\>>> x = 1'],
    ['~~~py\nx\n~~~', '```py\nx\n```'],
    ['````md\n```js\nx\n```\n````', '```md\n`\u200b``js\nx\n`\u200b``\n```'],
    ['```ts title="a b"\nx\n```', '```ts\nx\n```'],
    ['```\nnever closed', '```\nnever closed\n```'],
    ['```sh\necho "```"\n```', '```sh\necho "`\u200b``"\n```'],
    ['type ``` to open', 'type `\u200b`` to open'],
    ['- item\n  ```js\n  x\n  ```', '- item\n  ```js\n  x\n  ```'],
    ['[docs](https://e.invalid/a_(b))', 'docs (<https://e.invalid/a_(b)>)'],
    [
      '[https://good.invalid](https://evil.invalid)',
      'https://good.invalid (<https://evil.invalid>)',
    ],
    ['[https://e.invalid/](https://e.invalid/)', '<https://e.invalid/>'],
    ['[x](https://e.invalid "https://good.invalid")', 'x (<https://e.invalid>)'],
    ['![shot](https://e.invalid/i.png)', 'shot (<https://e.invalid/i.png>)'],
    ['[file](src/a.ts) `[c](https://e.invalid)`', '[file](src/a.ts) `[c](https://e.invalid)`'],
  ])('%j', (given, shown) => {
    expect(discordMarkdown(given)).toBe(shown);
  });

  test('a table stands in columns; a wide one row by row', () => {
    const table = '| a | bb |\n|---|:-:|\n| 1 | `x` |\n| 日本 | |';
    expect(discordMarkdown(`before\n${table}\nafter`)).toBe(
      ['before', fence, 'a    │ bb', '─────┼────', '1    │ `x`', '日本 │', fence, 'after'].join(
        '\n',
      ),
    );
    const wide = `| name | what |\n|---|---|\n| ${'n'.repeat(60)} | ${'w'.repeat(60)} |`;
    expect(discordMarkdown(wide)).toBe(
      [fence, `name: ${'n'.repeat(60)}`, `what: ${'w'.repeat(60)}`, fence].join('\n'),
    );
  });
});

describe('messages', () => {
  test('who said it is named; names and titles are shown as they are', () => {
    expect(contents({ type: 'text', author: 'user', by: '*Al*', markdown: 'hi' })).toEqual([
      '👤 **\\*Al\\***\nhi',
    ]);
    expect(contents({ type: 'head', title: 'a_b_c', lines: ['⚙️ working', '📁 /w/x_y_z'] })).toEqual(
      ['**a\\_b\\_c**\n⚙️ working\n📁 /w/x\\_y\\_z'],
    );
  });

  test('a long text is a file under its beginning; a short one has numbered parts', () => {
    const [file, ...none] = encode(text('word '.repeat(5_000)));
    expect(none).toEqual([]);
    expect(file?.file?.content).toBe('word '.repeat(5_000));
    expect(contents(text('word '.repeat(700))).at(-1)).toMatch(/\(2\/2\)$/);
  });

  test('a file beyond what Discord takes is cut, and says so', () => {
    const [part] = encode({
      type: 'file',
      name: 'a.md',
      summary: 's',
      content: 'é'.repeat(6_000_000),
    });
    expect(Buffer.byteLength(part?.file?.content ?? '')).toBeLessThanOrEqual(10 * 1024 * 1024);
    expect(part?.file?.content).toContain('cut here');
  });

  test('the buttons stand under the last part only', () => {
    const parts = encode({
      type: 'dialog',
      dialog: 'd' as never,
      markdown: 'word '.repeat(700),
      buttons: [{ label: 'Red', answer: { type: 'choose', choices: [[0]] } }],
      isOpen: true,
    });
    expect(parts.map((p) => partData(p).components?.length)).toEqual([0, 1]);
  });

  test.each([
    ['⚙️ working, 2 in the background', 'working'],
    ['❓ a question waits', 'question'],
    ['📋 a plan waits for approval', 'plan'],
    ['🔐 an approval waits', 'approval'],
    ['🚧 blocked: it wants a login', 'blocked'],
    ['⏹ ended (killed)', 'ended'],
    ['➡️ gone on with another conversation, in its thread', undefined],
  ])('%s shows as tag %s', (line, state) => {
    const [head] = encode({ type: 'head', title: 't', lines: [line] });
    expect(head && partData(head).head?.state).toBe(state);
  });

  test('a moderated tag is never set', () => {
    const tags = [{ id: '1', name: 'ended', moderated: true }];
    expect(tagsOf({ tags, needsTag: false }, 'ended', [])).toEqual([]);
  });
});

// Properties: whatever an agent or a person writes.
const evil = fc.constantFrom(
  '@everyone',
  '<@800000000000000001>',
  '<@&900000000000000001>',
  '```',
  '````',
  '~~~',
  '`',
  '||',
  '[a](https://e.invalid)',
  'https://e.invalid',
  '\n',
  '| a | b |\n|---|---|\n| 1 | 2 |\n',
  '👩‍👩‍👧‍👦',
  'שלום',
  '> ',
  '- ',
  ' ',
  'word '.repeat(150),
  '}{":',
);
const anyText = fc
  .array(fc.oneof(evil, fc.string({ maxLength: 30 })), { maxLength: 60 })
  .map((a) => a.join(''));
const label = fc.oneof(fc.string({ maxLength: 200 }), anyText);
const answer = fc.oneof(
  fc.nat(30).map((n) => ({ type: 'choose' as const, choices: [[n]] })),
  fc.constant({ type: 'approve' as const }),
  fc.constant({ type: 'deny' as const }),
);
const message: fc.Arbitrary<OutboundMessage> = fc.oneof(
  anyText.map(text),
  fc.record({
    type: fc.constant('head' as const),
    title: anyText,
    lines: fc.array(anyText, { maxLength: 4 }),
  }),
  fc.record({
    type: fc.constant('activity' as const),
    lines: fc.array(anyText, { maxLength: 5 }),
    details: anyText,
  }),
  fc.record({
    type: fc.constant('dialog' as const),
    dialog: fc.string({ minLength: 1, maxLength: 120 }).map((d) => d as never),
    markdown: anyText,
    buttons: fc.array(fc.record({ label, answer }), { maxLength: 30 }),
    multiSelect: fc.array(label, { maxLength: 30 }),
    takesOwnWords: fc.boolean(),
    link: fc.constantFrom(
      'https://e.invalid/r',
      'tmux attach -t x',
      'https://e.invalid/'.padEnd(700, 'x'),
    ),
    isOpen: fc.boolean(),
    mentions: fc.constant(['discord:800000000000000001' as never, 'slack:U1' as never]),
  }),
  fc.record({
    type: fc.constant('notice' as const),
    markdown: anyText,
    buttons: fc.array(fc.record({ label, action: fc.constant({ type: 'continue' as const }) }), {
      maxLength: 30,
    }),
  }),
  fc.record({
    type: fc.constant('file' as const),
    name: fc.constant('a.md'),
    summary: anyText,
    content: anyText,
  }),
);

const accept = (part: EncodedPart, body: { components: unknown }) =>
  checkMessage(
    body as { components: readonly FakeRow[] },
    part.file === undefined ? [] : [{ size: Buffer.byteLength(part.file.content) }],
    { content: '', files: 0, rows: 0 },
  );

/** Without what splitting adds: labels, fences that end and begin again, blanks at the edges. */
const bare = (parts: readonly string[]) =>
  parts
    .map((p) => p.replace(/\n\(\d\/\d\)$/, ''))
    .join('\n')
    .split('\n')
    .filter((line) => !/^[\s>\d.)*+-]*```[\w+\-.#]*$/.test(line))
    .join('')
    .replace(/\s/g, '');

describe('whatever is in it', () => {
  test('P25 every part is one that Discord takes, as a post and as a head', () => {
    fc.assert(
      fc.property(message, (given) => {
        for (const part of encode(given)) {
          const data = partData(part);
          accept(part, postBody(data, 'key'));
          accept(part, headBody({ content: data.content }, 'key'));
          if (data.head !== undefined) checkThreadName(data.head.name);
        }
      }),
      { numRuns: 300 },
    );
  });

  test('nobody is pinged but who was named for it', () => {
    fc.assert(
      fc.property(message, (given) => {
        for (const part of encode(given)) {
          const { allowed_mentions: allowed, flags } = postBody(partData(part), 'key');
          expect(allowed.parse).toEqual([]);
          expect(allowed.users ?? []).toEqual(
            'mentions' in given && partData(part).users !== undefined ? ['800000000000000001'] : [],
          );
          expect(flags & 4).toBe(4);
        }
      }),
    );
  });

  test('parts joined are the text again', () => {
    fc.assert(
      fc.property(anyText, (given) => {
        const parts = encode(text(given));
        const [first] = parts;
        if (first?.file !== undefined) expect(first.file.content).toBe(given);
        else if (given.trim() !== '')
          expect(bare(contents(text(given)))).toBe(bare([discordMarkdown(given)]));
      }),
      { numRuns: 300 },
    );
  });

  test('nothing is left out of Markdown: letters and digits stay, in order', () => {
    const letters = (of: string) => of.replace(/[^\p{L}\p{N}]/gu, '');
    fc.assert(
      fc.property(
        fc
          .array(
            fc.oneof(
              fc.constantFrom('```', '||', '`', '\n', '> ', '#### ', '| a | b |\n'),
              fc.string({ maxLength: 20 }),
            ),
            { maxLength: 30 },
          )
          .map((a) => a.join(''))
          .filter((t) => !/[~`]{3,}[^\n`~]|\]\(/.test(t)),
        (given) => {
          expect(letters(discordMarkdown(given))).toBe(letters(given));
        },
      ),
      { numRuns: 300 },
    );
  });

  test('fences are balanced: Discord shows as code what is code', () => {
    fc.assert(
      fc.property(anyText, (given) => {
        expect((discordMarkdown(given).match(/```/g) ?? []).length % 2).toBe(0);
      }),
      { numRuns: 300 },
    );
  });

  test('a custom id says what it was made of, or there is none', () => {
    const anyId = fc.string({ minLength: 1, maxLength: 60 }).map((t) => t as never);
    const body = fc.oneof(
      fc.record({ type: fc.constant('answer' as const), dialog: anyId, answer }),
      fc.record({
        type: fc.constant('discard' as const),
        delivery: fc.stringMatching(/^d[0-9a-f]{24}$/).map((d) => d as never),
      }),
      fc.record({
        type: fc.constant('interrupt' as const),
        turn: fc.option(
          fc.uuid().map((u) => u as never),
          { nil: undefined },
        ),
      }),
    );
    fc.assert(
      fc.property(body, (given) => {
        const made = customIdOf({ type: 'act', body: given });
        if (made !== undefined) {
          expect(made.length).toBeLessThanOrEqual(100);
          expect(clickedOf(made)).toEqual({ type: 'act', body: given });
        }
      }),
    );
  });

  test('a nonce fits, and the same key has the same one', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), (key) => {
        expect(nonceOf(key).length).toBeLessThanOrEqual(25);
        expect(nonceOf(key)).toBe(nonceOf(key));
      }),
    );
  });
});
