import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encode, type SlackPart } from '../../../../src/adapters/slack/encode.ts';
import type { OutboundMessage } from '../../../../src/bridge/model/chat.ts';
import { type ActorId, type DialogId, id } from '../../../../src/bridge/model/ids.ts';
import { readBlocks } from '../../../fakes/slack-fake.ts';
import { pingsOf } from '../../../fakes/slack-pings.ts';
import { checkMessage } from '../../../fakes/slack-validate.ts';

const say = (markdown: string): OutboundMessage => ({ type: 'text', author: 'agent', markdown });
const partsOf = (message: OutboundMessage): readonly SlackPart[] =>
  encode(message).map((part) => JSON.parse(part.data) as SlackPart);
const read = (markdown: string): string =>
  partsOf(say(markdown))
    .map((p) => readBlocks(p.blocks))
    .join('\n');
const elements = (markdown: string) => {
  const [part] = partsOf(say(markdown));
  const [block] = part?.blocks ?? [];
  return block?.['elements'] as readonly Record<string, unknown>[];
};

const pinging = fc.constantFrom(
  '<!channel>',
  '<!here|here>',
  '<@U0ALICE>',
  '<!subteam^S0TEAM|@team>',
  '@channel',
  '@everyone',
  '<https://a.example|<!here>>',
  '&lt;!channel&gt;',
  '[<!here>](https://a.example)',
  '![<@U0BOB>](https://a.example/x.png)',
);
const markdownish = fc
  .array(
    fc.oneof(
      fc.string({ maxLength: 60, unit: 'grapheme' }),
      pinging,
      fc.constantFrom(
        '\n',
        '\n\n',
        '```\n',
        '```ts\n',
        '~~~\n',
        '# ',
        '- ',
        '  - ',
        '1. ',
        '> ',
        '| a | b |\n|---|---|\n| 1 | 2 |\n',
        '**',
        '_',
        '`',
        '~~',
        '[x](',
        ')',
        '[^1]',
        '[^1]: ',
        '<b>',
        '---\n',
        '- [ ] ',
        '\t',
        '\u0000',
        '\u202e',
        '👩‍👩‍👧‍👦',
      ),
      fc.integer({ min: 1, max: 3_000 }).map((n) => 'word '.repeat(n)),
      fc.integer({ min: 1, max: 2_000 }).map((n) => '<&>'.repeat(n)),
    ),
    { maxLength: 30 },
  )
  .map((pieces) => pieces.join(''));

const labels = fc.array(fc.string({ maxLength: 300 }), { maxLength: 130 });
const messages: fc.Arbitrary<OutboundMessage> = fc.oneof(
  markdownish.map(say),
  fc
    .record({ by: markdownish, markdown: markdownish })
    .map((r) => ({ type: 'text' as const, author: 'user' as const, ...r })),
  fc
    .record({ title: markdownish, lines: fc.array(markdownish, { maxLength: 12 }) })
    .map((r) => ({ type: 'head' as const, ...r })),
  fc
    .record({ lines: fc.array(markdownish, { maxLength: 15 }), details: markdownish })
    .map((r) => ({ type: 'activity' as const, ...r })),
  fc.record({ markdown: markdownish, labels, multiSelect: labels, link: fc.webUrl() }).map((r) => ({
    type: 'dialog' as const,
    dialog: id<DialogId>('d'),
    markdown: r.markdown,
    buttons: r.labels.map((label, n) => ({
      label,
      answer: { type: 'choose' as const, choices: [[n]] },
    })),
    multiSelect: r.multiSelect,
    takesOwnWords: true,
    link: r.link,
    isOpen: true,
  })),
  fc.record({ markdown: markdownish, labels }).map((r) => ({
    type: 'notice' as const,
    markdown: r.markdown,
    buttons: r.labels.map((label) => ({ label, action: { type: 'continue' as const } })),
  })),
  fc
    .record({ name: fc.string(), summary: markdownish, content: markdownish })
    .map((r) => ({ type: 'file' as const, ...r })),
);

describe('encode for Slack', () => {
  it('P09 whatever is said fits Slack, pings nobody, and is the same again (P3)', () => {
    fc.assert(
      fc.property(messages, (message) => {
        const parts = encode(message);
        expect(parts.length).toBeGreaterThan(0);
        expect(parts.length).toBeLessThanOrEqual(4);
        expect(encode(message)).toEqual(parts);
        for (const { data } of parts) {
          const part = JSON.parse(data) as SlackPart;
          // As the server does, for a post and for an edit.
          checkMessage({ ...part }, 'post');
          checkMessage({ ...part }, 'update');
          expect(pingsOf({ ...part })).toEqual([]);
        }
      }),
      { numRuns: 50 },
    );
  });

  it('the parts of plain words join back to them, or the file is the whole (P3)', () => {
    const word = fc.stringMatching(/^[a-zäöü]{1,12}$/);
    const bare = (text: string): string => text.replace(/\s+/g, '');
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 3_000 }), (words) => {
        const text = words.join(' ');
        const parts = encode(say(text));
        const [first] = parts;
        if (first?.file !== undefined) {
          expect(first.file.content).toBe(text);
          return;
        }
        const joined = parts
          .map((p) => readBlocks((JSON.parse(p.data) as SlackPart).blocks))
          .map((t) => (parts.length > 1 ? t.replace(/\(\d\/\d\)$/, '') : t));
        expect(bare(joined.join(' '))).toBe(bare(text));
      }),
      { numRuns: 100 },
    );
  });

  it('P33 code arrives as it was written, backticks and all (P3)', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[ -~\n]{1,500}$/), (code) => {
        const fence = '`'.repeat(
          Math.max(3, ...(code.match(/`+/g) ?? []).map((r) => r.length + 1)),
        );
        const [first] = elements(`${fence}ts\n${code}\n${fence}`);
        expect(first).toMatchObject({ type: 'rich_text_preformatted', elements: [{ text: code }] });
      }),
    );
  });

  it('three parts at most, beyond that a file under its beginning and its size (P3)', () => {
    expect(encode(say('word '.repeat(2_000)))).toHaveLength(3);
    const long = 'word '.repeat(20_000);
    const [only, ...none] = encode(say(long));
    expect(none).toEqual([]);
    expect(only?.file).toEqual({ name: 'message.md', content: long });
    expect(only?.data).toContain('100,000 characters, the whole text is in the file');
  });

  it('a link tells where it leads, and only to places that a browser opens', () => {
    expect(read('[bank.example](https://evil.example)')).toBe(
      'bank.example (https://evil.example)',
    );
    expect(read('[docs](https://a.example/x)')).toBe('docs');
    expect(elements('[docs](https://a.example/x)')[0]).toMatchObject({
      elements: [{ type: 'link', url: 'https://a.example/x', text: 'docs' }],
    });
    expect(read('[run](javascript:alert(1)) [f](src/a.ts)')).toBe(
      'run (javascript:alert(1)) f (src/a.ts)',
    );
    expect(elements('[a][1]\n\n[1]: https://a.example')[0]).toMatchObject({
      elements: [{ type: 'link', url: 'https://a.example', text: 'a' }],
    });
  });

  it('P32 a table stands in columns where a phone has room, else row by row', () => {
    expect(read('| a | b |\n|---|---|\n| 1 | **two** |')).toBe('a | b\n--|----\n1 | two');
    const wide = `| name | what it does |\n|---|---|\n| alpha | ${'long '.repeat(12)}|\n| beta | short |`;
    expect(read(wide)).toBe(
      `name: alpha\nwhat it does: ${'long '.repeat(12).trim()}\n\nname: beta\nwhat it does: short`,
    );
  });

  it('nested lists keep their places and numbers, code inside them too', () => {
    const list = elements('3. a\n   - x\n   - y\n4. b\n\n   ```\n   code\n   ```\n5. c');
    expect(list.map((e) => [e['type'], e['style'], e['indent'], e['offset']])).toEqual([
      ['rich_text_list', 'ordered', undefined, 2],
      ['rich_text_list', 'bullet', 1, undefined],
      ['rich_text_list', 'ordered', undefined, 3],
      ['rich_text_preformatted', undefined, undefined, undefined],
      ['rich_text_list', 'ordered', undefined, 4],
    ]);
  });

  it('who wrote is no Markdown, and mentions are only of those who asked (P6)', () => {
    const [part] = partsOf({ type: 'text', author: 'user', by: '**Al** <!here>', markdown: 'hi' });
    expect(readBlocks(part?.blocks ?? [])).toBe('👤 **Al** <!here>\nhi');
    const mentions = [id<ActorId>('slack:T0TEAM/user:U0BOB')];
    const [limit] = partsOf({ type: 'lifecycle', markdown: '⏳ limit', mentions });
    expect(pingsOf({ ...limit })).toEqual(['@U0BOB']);
  });
});
