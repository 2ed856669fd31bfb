import { type CharSet, type Node, parsePattern } from './pattern-syntax.ts';
import type { Finder, Span } from './spans.ts';

/** An endless repetition goes no further; the rest of the line is masked with it. */
const mostRepeats = 256;
/** From here on a repetition counts as long: two of them must not fight for the same characters. */
const long = 50;
const longestPattern = 1_000;

interface Piece {
  readonly set: CharSet;
  readonly isLong: boolean;
  readonly isCertain: boolean;
}

const children = (node: Node): readonly Node[] => {
  switch (node.type) {
    case 'sequence':
      return node.parts;
    case 'choice':
      return node.branches;
    case 'repeat':
    case 'look':
      return [node.body];
    default:
      return [];
  }
};

const some = (node: Node, test: (node: Node) => boolean): boolean =>
  test(node) || children(node).some((child) => some(child, test));

const setOf = (node: Node): CharSet =>
  node.type === 'set' ? node.set : children(node).reduce((all, child) => all | setOf(child), 0n);

const mayBeEmpty = (node: Node): boolean => {
  switch (node.type) {
    case 'set':
      return false;
    case 'sequence':
      return node.parts.every(mayBeEmpty);
    case 'choice':
      return node.branches.some(mayBeEmpty);
    case 'repeat':
      return node.min === 0 || mayBeEmpty(node.body);
    default:
      return true;
  }
};

/** What it can begin with. */
const firstOf = (node: Node): CharSet => {
  if (node.type !== 'sequence') return node.type === 'look' ? 0n : setOf(node);
  let first = 0n;
  for (const part of node.parts) {
    first |= firstOf(part);
    if (!mayBeEmpty(part) && part.type !== 'look') break;
  }
  return first;
};

const isVariable = (node: Node): boolean => node.type === 'repeat' && node.min !== node.max;
const isLongRepeat = (node: Node): boolean => node.type === 'repeat' && node.max >= long;
const isUncertain = (node: Node): boolean =>
  node.type === 'choice' &&
  node.branches.some(
    (branch, n) =>
      mayBeEmpty(branch) ||
      node.branches.slice(n + 1).some((other) => (firstOf(branch) & firstOf(other)) !== 0n),
  );

const flat = (node: Node): readonly Node[] =>
  node.type === 'sequence' ? node.parts.flatMap(flat) : [node];

const pieceOf = (node: Node): Piece => ({
  set: setOf(node),
  isLong: some(node, isLongRepeat),
  isCertain: !mayBeEmpty(node),
});

/** Two long repetitions in a row that could share out the same characters in many ways. */
const fight = (node: Node): boolean => {
  const pieces = flat(node)
    .filter((part) => part.type !== 'look')
    .map(pieceOf);
  const isFight = pieces.some(
    (piece, n) =>
      piece.isLong &&
      pieces.slice(n + 1).some((later, m) => {
        if (!later.isLong || (piece.set & later.set) === 0n) return false;
        const between = pieces.slice(n + 1, n + 1 + m);
        return !between.some((mid) => mid.isCertain && (mid.set & piece.set) === 0n);
      }),
  );
  return isFight || children(node).some(fight);
};

/** Why a pattern of the operator is refused, as the end of a sentence that begins with it; undefined: it is taken. */
export const patternProblem = (pattern: string): string | undefined => {
  try {
    new RegExp(pattern, 'gu');
  } catch {
    return 'must be a regular expression';
  }
  if (pattern.length > longestPattern) return `is longer than ${longestPattern} characters`;
  const { root } = parsePattern(pattern, mostRepeats);
  if (some(root, (node) => node.type === 'back-reference')) {
    return 'has a back-reference, whose running time has no bound';
  }
  if (some(root, (node) => node.type === 'look' && some(node.body, isLongRepeat))) {
    return 'repeats something without a bound inside of a look-ahead or look-behind';
  }
  const isNested = (node: Node): boolean =>
    node.type === 'repeat' &&
    node.max > 5 &&
    some(node.body, (inner) => isVariable(inner) || isUncertain(inner));
  if (some(root, isNested)) {
    return 'repeats a group that itself repeats or branches, like (a+)+ or (a|ab)*, which can take for ever on some texts';
  }
  return fight(root)
    ? 'has two long repetitions that can match the same characters, like .*x.*, which can take for ever on some texts'
    : undefined;
};

const endOfLine = (text: string, from: number): number => {
  const at = text.indexOf('\n', from);
  return at < 0 ? text.length : at;
};

/** Finds what a pattern of the operator matches. Throws for a pattern that is refused. */
export const makeFindCustom = (pattern: string): Finder => {
  const problem = patternProblem(pattern);
  if (problem !== undefined) {
    throw new Error(`redact.patterns: ${JSON.stringify(pattern)} ${problem}`);
  }
  const compiled = new RegExp(parsePattern(pattern, mostRepeats).bounded, 'gu');
  return (text) =>
    [...text.matchAll(compiled)].map((found): Span => {
      const end = found.index + found[0].length;
      // It may have gone on: what was cut off by the bound is as secret as the rest.
      const isAtBound = found[0].length >= mostRepeats;
      return { start: found.index, end: isAtBound ? endOfLine(text, end) : end, kind: 'pattern' };
    });
};
