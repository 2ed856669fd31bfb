/**
 * What agents write, and worse, the same for the same number. Every word carries a mark: `q12z` stands
 * once and in order wherever it is shown, `u12z` (an address) at least once, `t12z` (a table) at least
 * once and in any order.
 */
export interface MixedTurn {
  readonly markdown: string;
  /** Code of fences that stand by themselves, as it must be shown. */
  readonly codes: readonly string[];
}

export const family = '👩‍👩‍👧‍👦';
const emoji = [family, '🇩🇪', '👍🏽', '❤️', '1️⃣', '🧑🏿‍🚀', '🏴󠁧󠁢󠁳󠁣󠁴󠁿', 'e\u0301', '한', '✅'];
const rightToLeft = [
  'שלום עולם',
  'مرحبا بالعالم',
  'עברית (with English) וחזרה',
  '\u2067اختبار\u2069',
];
/** Everything that one of the platforms could read as a call to somebody, or as a place. */
const calls = [
  '@everyone',
  '@here',
  '@channel',
  '<!channel>',
  '<!here|here>',
  '<!everyone>',
  '<@U0ALICE>',
  '<@U0ALICE|alice>',
  '<!subteam^S0TEAM>',
  '<#C0AGENTS|agents>',
  '<@800000000000000001>',
  '<@!800000000000000002>',
  '<@&900000000000000001>',
  '<#600000000000000001>',
  '<:party:700000000000000009>',
  '<t:1700000000:R>',
  '<id:customize>',
  '</clear:700000000000000008>',
];
const tags = [
  '<script>alert(1)</script>',
  '<div class="x">a < b && c > d</div>',
  '<!-- hidden -->',
  '&lt;b&gt; &amp;amp; &#64;everyone',
  '<br/>',
  '<https://example.test/raw>',
];
const languages = ['', 'ts', 'python', 'diff', 'c++', 'sh title="x"', 'json5'];

class Writer {
  readonly codes: string[] = [];
  #state: number;
  #count = 0;

  constructor(seed: number) {
    this.#state = (seed * 2_654_435_761 + 97) % 2_147_483_648;
  }

  below(most: number): number {
    this.#state = (this.#state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((this.#state / 2_147_483_648) * most);
  }

  pick(from: readonly string[]): string {
    return from[this.below(from.length)] ?? '';
  }

  mark(kind: 'q' | 't' | 'u' = 'q'): string {
    return `${kind}${++this.#count}z`;
  }

  many(count: number, make: () => string, between: string): string {
    return Array.from({ length: count }, make).join(between);
  }

  words(count: number): string {
    return this.many(count, () => this.word(), ' ');
  }

  word(): string {
    const mark = this.mark();
    switch (this.below(14)) {
      case 0:
        return `**${mark}**`;
      case 1:
        return `*${mark}*`;
      case 2:
        return `~~${mark}~~`;
      case 3:
        return `\`${mark} ${this.pick(calls)}\``;
      case 4:
        return `${this.pick(calls)} ${mark}`;
      case 5:
        return `${this.pick(emoji)}${this.pick(emoji)} ${mark} ${this.pick(emoji)}`;
      case 6:
        return `${this.pick(rightToLeft)} ${mark}`;
      case 7:
        return `[${mark} label](https://example.test/${this.mark('u')}?a=1&b=%20)`;
      case 8:
        return `https://example.test/${this.mark('u')}/@here ${mark}`;
      case 9:
        return `${this.pick(tags)} ${mark}`;
      default:
        return `word ${mark}`;
    }
  }

  code(): string {
    const lines = 1 + this.below(6);
    const line = (): string =>
      `${' '.repeat(2 * this.below(4))}${this.pick(['if (a < b) {', '// ', 'const s = "<@U0ALICE>";', '@everyone', '| not | a table |', '# no heading'])} ${this.mark()}`;
    return this.many(lines, line, '\n');
  }

  fence(): string {
    const code = this.code();
    this.codes.push(code);
    switch (this.below(3)) {
      case 0:
        return `\`\`\`${this.pick(languages)}\n${code}\n\`\`\``;
      case 1:
        return `~~~${this.pick(['', 'ts', 'text'])}\n${code}\n~~~`;
      default:
        return `\`\`\`\`md\n\`\`\`ts\n${code}\n\`\`\`\n\`\`\`\``;
    }
  }

  table(): string {
    const columns = 2 + this.below(4);
    const cell = (): string => `${this.pick(['', 'a ', 'long words in a cell '])}${this.mark('t')}`;
    const row = (): string => `| ${this.many(columns, cell, ' | ')} |`;
    const rule = `|${this.many(columns, () => '---', '|')}|`;
    return [row(), rule, ...Array.from({ length: 1 + this.below(8) }, row)].join('\n');
  }

  list(depth = 0): string {
    const pad = '   '.repeat(depth);
    const item = (_: unknown, n: number): string => {
      const mark = this.pick(['-', `${n + 1}.`, '- [x]', '*']);
      const inner = depth < 3 && this.below(4) === 0 ? `\n${this.list(depth + 1)}` : '';
      return `${pad}${mark} ${this.words(1 + this.below(4))}${inner}`;
    };
    return Array.from({ length: 1 + this.below(4) }, item).join('\n');
  }

  block(): string {
    switch (this.below(10)) {
      case 0:
        return `${'#'.repeat(1 + this.below(6))} ${this.words(2)}`;
      case 1:
        return this.fence();
      case 2:
        return this.table();
      case 3:
        return this.list();
      case 4:
        return `> ${this.words(4)}\n> ${this.words(3)}`;
      case 5:
        // Wherever it is cut, it is cut at one of them.
        return `${'x'.repeat(this.below(12))}${this.many(20 + this.below(200), () => this.pick(emoji), '')} ${this.mark()}`;
      case 6:
        return `${this.pick(rightToLeft)}\n${this.words(5)}`;
      case 7:
        return `- ${this.words(2)}\n\n  \`\`\`js\n  ${this.mark()}\n  \`\`\``;
      default:
        return this.words(3 + this.below(40));
    }
  }
}

/** How long: mostly short, at times longer than one message, seldom a file. */
const lengthOf = (writer: Writer): number => {
  const kind = writer.below(20);
  if (kind < 12) return 200 + writer.below(600);
  if (kind < 17) return 1_500 + writer.below(4_500);
  return kind < 19 ? 6_000 + writer.below(6_000) : 15_000 + writer.below(20_000);
};

export const mixedTurn = (n: number): MixedTurn => {
  const writer = new Writer(n);
  const length = lengthOf(writer);
  let markdown = '';
  while (markdown.length < length) markdown += `${markdown === '' ? '' : '\n\n'}${writer.block()}`;
  // An agent that was interrupted leaves its fence open.
  if (writer.below(15) === 0) markdown += `\n\n\`\`\`ts\n${writer.mark()}`;
  return { markdown, codes: writer.codes };
};
