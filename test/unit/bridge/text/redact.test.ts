import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { patternProblem } from '../../../../src/bridge/text/custom-pattern.ts';
import { makeRedact, withheld } from '../../../../src/bridge/text/redact.ts';

const redact = makeRedact({
  tokens: ['own-token-1234', 'own-token-1234-longer', 'abc'],
  patterns: ['ACME-[0-9A-F]{8}'],
});
/** Dummies are put together here, so that no scanner takes this file for a leak. */
const x = (n: number, c = 'a1B2') => c.repeat(Math.ceil(n / c.length)).slice(0, n);

describe('P7 what is always masked', () => {
  test.each([
    ['an own token', 'use own-token-1234 here', 'use [masked:token] here'],
    ['the longer own token first', 'own-token-1234-longer', '[masked:token]'],
    ['not a token too short to be one', 'abc', 'abc'],
    ['a custom pattern', 'id ACME-0123ABCD.', 'id [masked:pattern].'],
    ['Slack', `xoxb-${x(24)}`, '[masked:slack-token]'],
    ['Slack app level', `xapp-1-${x(20)}`, '[masked:slack-token]'],
    ['a Slack webhook', `https://hooks.slack.com/services/${x(20)}`, 'https://[masked:webhook]'],
    ['Discord', `M${x(23)}.${x(6)}.${x(30)}`, '[masked:discord-token]'],
    ['Anthropic', `sk-ant-api03-${x(20)}`, '[masked:anthropic-key]'],
    ['sk-', `sk-proj-${x(30)}`, '[masked:api-key]'],
    ['GitHub', `ghp_${x(36)}`, '[masked:github-token]'],
    ['GitHub fine-grained', `github_pat_${x(40)}`, '[masked:github-token]'],
    ['GitLab', `glpat-${x(20)}`, '[masked:gitlab-token]'],
    ['AWS', `AKIA${x(16, 'A1B2')}`, '[masked:aws-key]'],
    ['Google', `AIza${x(35)}`, '[masked:google-key]'],
    ['npm', `npm_${x(36)}`, '[masked:npm-token]'],
    ['a JWT', `eyJ${x(12)}.eyJ${x(12)}.${x(12)}`, '[masked:jwt]'],
    [
      'a bearer header',
      `Authorization: Bearer ${x(24)}`,
      'Authorization: Bearer [masked:authorization]',
    ],
    [
      'a password in an address',
      'postgres://me:hunter2@db/x',
      'postgres://me:[masked:url-password]@db/x',
    ],
    [
      'a token in an address',
      'https://h/?token=12345678&a=b',
      'https://h/?token=[masked:url-secret]&a=b',
    ],
    ['an assignment', 'API_KEY=hunter2', 'API_KEY=[masked:env]'],
    ['an exported one', 'export DB_PASSWORD="hun ter2"', 'export DB_PASSWORD=[masked:env]'],
    [
      'one before a command',
      'run `GH_TOKEN=x1 gh pr list`',
      'run `GH_TOKEN=[masked:env] gh pr list`',
    ],
    ['one with spaces', "MY_SECRET = 'x'", 'MY_SECRET = [masked:env]'],
    ['a JSON member', '{"apiKey": "abcdefgh"}', '{"apiKey": "[masked:env]"}'],
  ])('%s', (_, text, want) => {
    expect(redact(text)).toBe(want);
  });

  test('a private key, also one without its end', () => {
    const key = (end: string) => `-----BEGIN RSA PRIVATE ${'KEY'}-----\n${x(64)}\n${end}`;
    expect(redact(`a\n${key('-----END RSA PRIVATE KEY-----')}\nb`)).toBe(
      'a\n[masked:private-key]\nb',
    );
    expect(redact(`a\n${key('')}`)).toBe('a\n[masked:private-key]\n');
  });
});

test.each([
  'NODE_ENV=production npm test',
  'API_KEY=$OTHER and API_KEY="$OTHER"',
  'MAX_TOKENS=4096',
  'MONKEY=1',
  'if (TOKEN == other) return;',
  'const token = getToken();',
  'sk-short',
  'https://example.net/a?page=12345678',
  '```ts\nconst key = map.keys();\n```',
])('left alone: %s', (text) => {
  expect(redact(text)).toBe(text);
});

const piece = fc.oneof(
  fc.string({ maxLength: 20 }),
  fc.constantFrom(
    ...[
      'own-token-1234',
      'API_KEY=',
      'SECRET="',
      '"',
      "'",
      '\n',
      ' ',
      '=',
      '[masked:env]',
      'masked',
    ],
    ...[`ghp_${x(36)}`, 'Bearer ', 'https://a:', '@b', '-----BEGIN PRIVATE KEY-----', x(30), 'eyJ'],
  ),
);
const text = fc.array(piece, { maxLength: 20 }).map((pieces) => pieces.join(''));

test('P7 masking twice is masking once, whatever the custom patterns', () => {
  const pattern = fc.constantFrom(
    '[a-z]+',
    'a*',
    '.',
    '\\bmasked\\b',
    '(?<=x)y',
    '\\[masked',
    '^a|b$',
  );
  fc.assert(
    fc.property(text, fc.array(pattern, { maxLength: 3 }), (t, patterns) => {
      const twice = makeRedact({ tokens: ['own-token-1234', 'masked'], patterns });
      expect(twice(twice(t))).toBe(twice(t));
    }),
    { numRuns: 500 },
  );
});

test('P7 an own token never comes through, whatever stands around it', () => {
  fc.assert(
    fc.property(text, text, (before, after) => {
      expect(redact(`${before}own-token-1234${after}`)).not.toContain('own-token-1234');
    }),
    { numRuns: 500 },
  );
});

test('P7 masking fails closed: nothing of a text is shown that could not be masked', () => {
  // Every mask lays the next letter bare: this would take as many passes as there are letters.
  const creeping = makeRedact({ tokens: [], patterns: ['(?<![a-z])[a-z]'] });
  expect(creeping('abcdefghijklmnopqrstuvwxyz')).toBe(withheld);
  expect(creeping('abc')).toBe('[masked:pattern]'.repeat(3));
});

test.each([
  ['spaces', `A_KEY${' '.repeat(200_000)}`],
  ['open quotes', 'A_KEY="'.repeat(30_000)],
  ['half a JWT', 'eyJabcdefgh.'.repeat(20_000)],
  ['dashes', 'a-'.repeat(100_000)],
  ['heads', 'sk-'.repeat(60_000)],
  ['names', 'key='.repeat(40_000)],
  ['passwords', 'password:\n'.repeat(20_000)],
  ['frames', `-----BEGIN PRIVATE ${'KEY'}-----\nabc`.repeat(6_000)],
  ['ends of frames', `-----END PRIVATE ${'KEY'}-----`.repeat(6_000)],
  ['addresses', '://a:'.repeat(40_000)],
  ['queries', '?token='.repeat(30_000)],
  ['written quotes', '\\"key\\":'.repeat(20_000)],
  ['JWT heads', 'eyJ-'.repeat(50_000)],
  ['nearly own tokens', 'own-token-'.repeat(20_000)],
])('long %s take no longer than their length', (_, long) => {
  const began = performance.now();
  redact(long);
  expect(performance.now() - began).toBeLessThan(5_000);
});

test('a pattern that is not a regular expression says so at start', () => {
  expect(() => makeRedact({ tokens: [], patterns: ['('] })).toThrow(
    /redact\.patterns: "\(" must be a regular expression/,
  );
});

describe('P7 patterns of the operator', () => {
  test.each([
    ['(a+)+$', 'itself repeats'],
    ['(?:a|ab)*c', 'itself repeats'],
    ['(?:[a-z]+,)*x', 'itself repeats'],
    ['(?:a?){30}x', 'itself repeats'],
    ['.*x.*', 'two long repetitions'],
    ['[a-z]+[a-z0-9]+!', 'two long repetitions'],
    ['(a)\\1', 'back-reference'],
    ['(?<n>a)\\k<n>', 'back-reference'],
    ['(?<=a.*)b', 'look-ahead'],
    ['a'.repeat(2_000), 'longer than'],
    ['[z-a]', 'must be a regular expression'],
  ])('refused, with the reason: %s', (pattern, why) => {
    expect(patternProblem(pattern)).toContain(why);
    expect(() => makeRedact({ tokens: [], patterns: [pattern] })).toThrow(why);
  });

  test.each([
    ['ACME-[0-9A-F]{8}', 'ACME-0123ABCD'],
    ['\\bINT-\\d+-[A-Z]+\\b', 'INT-17-SECRET'],
    ['(?<=key: ).*', 'key: all of the line'],
    ['acme_(?:live|test)_[a-z0-9]+', 'acme_live_0a1b'],
    ['[\\w.+-]+@acme\\.example', 'alice@acme.example'],
    ['(?:[A-F0-9]{4}-){3}[A-F0-9]{4}', 'AAAA-BBBB-CCCC-DDDD'],
    ['[\\u{41}-\\x5a]{4}\\p{L}', 'ABCDé'],
  ])('taken: %s', (pattern, text) => {
    const masking = makeRedact({ tokens: [], patterns: [pattern] });
    expect(masking(`x ${text} y`)).toContain('[masked:pattern]');
  });

  test('a taken one is bounded in time, and what goes on beyond its bound is masked too', () => {
    const masking = makeRedact({ tokens: [], patterns: ['[a-z]+@acme', 'long:x+'] });
    const began = performance.now();
    expect(masking('a'.repeat(100_000))).toHaveLength(100_000);
    expect(performance.now() - began).toBeLessThan(5_000);
    expect(masking(`long:${'x'.repeat(5_000)}\nnext`)).toBe('[masked:pattern]\nnext');
  });
});

describe('P7 a secret with something in between', () => {
  const token = `ghp_${x(36)}`;
  test.each([
    ['a line break', `${token.slice(0, 20)}\n${token.slice(20)}`],
    ['a wrapped frame', `│ ${token.slice(0, 30)}\n│ ${token.slice(30)} │`],
    ['a wrapped diff', `+ ${token.slice(0, 30)}\n+ ${token.slice(30)}`],
    ['a colour', `${token.slice(0, 4)}\u001b[0m${token.slice(4)}`],
    ['a written line break before', `first\\n${token}`],
    ['an encoded sign before', `q%3D${token}`],
    ['an own token that wraps', `own-tok\n  en-1234-longer`],
    ['an own token in base64', Buffer.from('me:own-token-1234-longer').toString('base64')],
    ['an own token in an address', encodeURIComponent('/own-token-1234-longer')],
  ])('%s', (_, text) => {
    const shown = redact(text);
    expect(shown).toContain('[masked:');
    expect(shown.replace(/\s|[│+]/g, '')).not.toMatch(/[A-Za-z0-9]{12}/);
  });

  test.each([`a ghp_${x(9)}`, `a ghp_${x(9)}…`, `a AKIA${x(6, 'A1')}... more`])(
    'a piece that was cut off: %s',
    (text) => {
      expect(redact(text)).toMatch(/\[masked:/);
    },
  );
});

test('P7 where a text cannot be masked nothing of it is shown, and it is told without the text', () => {
  const errors: Error[] = [];
  const creeping = makeRedact({
    tokens: [],
    patterns: ['(?<![a-z])[a-z]'],
    onWithheld: (error) => errors.push(error),
  });
  expect(creeping('abcdefghijklmnopqrstuvwxyz')).toBe(withheld);
  expect(errors.map(String).join()).not.toContain('abcdef');
  expect(errors).toHaveLength(1);
});
