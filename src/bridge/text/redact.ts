import {
  assignment,
  isSecretName,
  jsonMember,
  secretShapes,
  toConstantName,
} from './secret-shapes.ts';

/** Masks secrets (P7). Applied before splitting, so that no secret straddles two parts. */
export type Redact = (text: string) => string;

export interface RedactOptions {
  /** The bridge's own tokens, masked exactly wherever they stand. */
  readonly tokens: readonly string[];
  /** Regular expressions of the operator, in addition to what is always masked. */
  readonly patterns: readonly string[];
}

type Rule = (text: string) => string;

const mask = (kind: string): string => `[masked:${kind}]`;
const masks = /(\[masked:[a-z-]+\])/;

/** What stands in place of a text that could not be masked for certain. */
export const withheld = mask('withheld');

/** A shorter one would mask ordinary words. */
const shortestToken = 6;
const mostPasses = 20;

const ownTokens = (tokens: readonly string[]): Rule => {
  const known = [...tokens]
    .filter((token) => token.length >= shortestToken)
    .sort((a, b) => b.length - a.length);
  return (text) => known.reduce((rest, token) => rest.replaceAll(token, mask('token')), text);
};

const shape =
  (kind: string, pattern: RegExp): Rule =>
  (text) =>
    text.replace(pattern, (match) => (match === '' ? '' : mask(kind)));

/** A reference to a variable is not its value. */
const isReference = (value: string): boolean => /^["']?\$/.test(value);

const assignments: Rule = (text) =>
  text
    .replace(assignment, (whole, before: string, name: string, equals: string, value: string) =>
      isSecretName(name.replace(/^export\s+/, '')) && !isReference(value)
        ? `${before}${name}${equals}${mask('env')}`
        : whole,
    )
    .replace(jsonMember, (whole, name: string, between: string, value: string) =>
      isSecretName(toConstantName(name)) && !isReference(value)
        ? `${name}${between}${mask('env')}`
        : whole,
    );

const compile = (pattern: string): RegExp => {
  try {
    return new RegExp(pattern, 'gu');
  } catch (cause) {
    throw new Error(`redact.patterns: ${JSON.stringify(pattern)} is not a regular expression`, {
      cause,
    });
  }
};

/** What is masked already is never looked at again: a mask cannot grow or be masked. */
const outsideMasks = (rule: Rule, text: string): string =>
  text
    .split(masks)
    .map((piece, index) => (index % 2 === 1 || piece === '' ? piece : rule(piece)))
    .join('');

/**
 * Idempotent: the rules run until they change nothing (a mask can lay a boundary bare). Fails
 * closed: where a rule throws or the passes do not settle, nothing of the text is shown.
 * Throws for a pattern that is not a regular expression.
 */
export const makeRedact = (options: RedactOptions): Redact => {
  const rules: readonly Rule[] = [
    ownTokens(options.tokens),
    ...secretShapes.map(({ kind, shape: pattern }) => shape(kind, pattern)),
    assignments,
    ...options.patterns.map((pattern) => shape('pattern', compile(pattern))),
  ];
  const pass = (text: string) => rules.reduce((rest, rule) => outsideMasks(rule, rest), text);
  return (text) => {
    try {
      let shown = text;
      for (let n = 0; n < mostPasses; n++) {
        const next = pass(shown);
        if (next === shown) return shown;
        shown = next;
      }
      return withheld;
    } catch {
      return withheld;
    }
  };
};
