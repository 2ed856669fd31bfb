import { readFileSync } from 'node:fs';
import { pathsBelow } from './source.ts';

/** A rule of the project that one test shows: its title is `invariant N: …`. */
export interface Invariant {
  readonly number: number;
  readonly text: string;
  readonly file: string;
}

// After the bracket of `it(` or of `it.each(…)(`.
const TITLE = /\(\s*(['"`])invariant (\d+): (.*?)\1\s*,/g;

export const invariantsIn = (file: string, text: string): readonly Invariant[] =>
  [...text.matchAll(TITLE)].map((m) => ({
    number: Number(m[2]),
    text: (m[3] ?? '').replace(/: %s$/, ''),
    file,
  }));

export const invariants = (): readonly Invariant[] =>
  ['test', 'compat']
    .flatMap((folder) => pathsBelow(folder, ['.test.ts']))
    .flatMap((file) => invariantsIn(file, readFileSync(file, 'utf8')))
    .sort((a, b) => a.number - b.number);

/** Numbers run from 1 without a gap, each in one title only. */
export const numberingViolations = (all: readonly Invariant[]): readonly string[] =>
  all.flatMap(({ number, file }, i) =>
    number === i + 1 ? [] : [`invariant ${number} in ${file}: expected number ${i + 1}`],
  );

/** docs/invariants.md. */
export const invariantsPage =
  (): string => `<!-- Generated from the titles of the tests by \`npm run docs\`. -->
# Invariants

Each stands in the title of exactly one test (\`invariant N: …\`). A new one takes the next number; a number is not given to another.

| | what always holds | shown by |
|---|---|---|
${invariants()
  .map(({ number, text, file }) => `| ${number} | ${text} | [${file}](../${file}) |`)
  .join('\n')}
`;
