import { makeFindCustom } from './custom-pattern.ts';
import { findAssignments } from './find-assignments.ts';
import { makeFindOwn } from './find-own-tokens.ts';
import { findPrivateKeys } from './find-private-keys.ts';
import { findTokens } from './find-tokens.ts';
import { stripControls } from './plain.ts';
import { findShapes } from './secret-shapes.ts';
import { type Finder, mergeSpans, outside, type Span } from './spans.ts';

/** Masks secrets (P7). Applied before splitting, so that no secret straddles two parts. */
export type Redact = (text: string) => string;

export interface RedactOptions {
  /** The bridge's own tokens, masked exactly wherever they stand. */
  readonly tokens: readonly string[];
  /** Regular expressions of the operator, in addition to what is always masked. */
  readonly patterns: readonly string[];
  /** Called where a text had to be withheld; the error holds nothing of it. */
  readonly onWithheld?: (error: Error) => void;
}

const mask = (kind: string): string => `[masked:${kind}]`;
const masks = /\[masked:[a-z-]+\]/g;

/** What stands in place of a text that could not be masked for certain. */
export const withheld = mask('withheld');

const mostPasses = 20;

const masked = (text: string): readonly Span[] =>
  [...text.matchAll(masks)].map((found) => ({
    start: found.index,
    end: found.index + found[0].length,
    kind: 'mask',
  }));

const replace = (text: string, spans: readonly Span[]): string => {
  let shown = '';
  let done = 0;
  for (const { start, end, kind } of spans) {
    shown += text.slice(done, start) + mask(kind);
    done = end;
  }
  return shown + text.slice(done);
};

/**
 * Idempotent: looks again until nothing is found (a mask can lay a boundary bare). Takes escape
 * sequences away first: one inside a token would hide it here and be gone on the screen. Fails
 * closed: where a finder throws or the passes do not settle, nothing of the text is shown.
 * Throws for a pattern that is no regular expression or could take for ever.
 */
export const makeRedact = (options: RedactOptions): Redact => {
  const finders: readonly Finder[] = [
    makeFindOwn(options.tokens),
    findPrivateKeys,
    findTokens,
    findShapes,
    findAssignments,
    ...options.patterns.map(makeFindCustom),
  ];
  const pass = (text: string): string => {
    const found = finders.flatMap((find) => find(text));
    return replace(text, outside(mergeSpans(found), masked(text)));
  };
  return (given) => {
    try {
      let shown = stripControls(given);
      for (let n = 0; n < mostPasses; n++) {
        const next = pass(shown);
        if (next === shown) return shown;
        shown = next;
      }
      throw new Error('the masks of a text did not settle');
    } catch (error) {
      options.onWithheld?.(error instanceof Error ? error : new Error('a masking rule failed'));
      return withheld;
    }
  };
};
