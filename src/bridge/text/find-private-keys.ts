import { execAt } from './find-tokens.ts';
import type { Finder, Span } from './spans.ts';

const begin = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;
const end = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;
/** A key with both its ends is no longer than this, characters (frames and diff signs included). */
const longestKey = 20_000;

/** What stands between the lines of a key: breaks (also written `\n`), numbers, quote marks, diff signs, frames. */
const gap = /(?:[\s"',|│>+-]|\\[nr"]|\d{1,6}[\t:→-]|\.{3}|…)*/y;
const chunk = /[A-Za-z0-9+/=]{16,200}/y;
const lastChunk = /[A-Za-z0-9+/=]{2,200}(?=\s|["'\\]|$)/y;
const header = /(?:Proc-Type|DEK-Info|Version|Comment|Hash|Charset): ?[^\n\\]{0,100}/y;

/** Where the lines of a key that has no end in sight stop. */
const endOfLines = (text: string, from: number): number => {
  let last = from;
  for (;;) {
    const at = last + (execAt(gap, text, last)?.[0].length ?? 0);
    const piece = execAt(header, text, at) ?? execAt(chunk, text, at);
    if (piece !== null) {
      last = at + piece[0].length;
      continue;
    }
    const short = last === from ? null : execAt(lastChunk, text, at);
    return short === null ? last : at + short[0].length;
  }
};

/** The line above ends in a piece of a key: base64 and nothing else, but for what a tool puts before it. */
const keyLine =
  /^[\s|│>+-]{0,20}(?:[\w./-]{0,200}[:-])?(?:\d{1,6}[\t:→ -]{1,4})?[A-Za-z0-9+/=]{1,200}\s{0,4}$/;

const keyFrame = /^[\s|│>+-]{0,20}(?:[\w./-]{0,200}[:-])?(?:\d{1,6}[\t:→ -]{1,4})?$/;

/** Where the lines of a key whose beginning is not shown start. */
const startOfLines = (text: string, to: number, notBefore: number): number => {
  // The frame itself may stand behind a diff sign or a file's name.
  const before =
    text
      .slice(Math.max(notBefore, to - 200), to)
      .split('\n')
      .at(-1) ?? '';
  let start = keyFrame.test(before) ? to - before.length : to;
  while (start > notBefore) {
    const above = text.lastIndexOf('\n', start - 2) + 1;
    const line = text.slice(Math.max(above, start - 600), start);
    if (above < notBefore || start - above > 600 || !keyLine.test(line)) break;
    start = above;
  }
  // All in one line: `…abc\n-----END`.
  const inline = /[A-Za-z0-9+/=\\]{16,600}(?:\\n)?$/.exec(
    text.slice(Math.max(notBefore, start - 600), start),
  );
  return inline === null ? start : start - inline[0].length;
};

/** How a key begins in base64 when its frame is not shown: OpenSSH, PKCS#8 (RSA, EC, Ed25519), SEC1, encrypted. */
const bareKey =
  /(?<![A-Za-z0-9+/])(?:b3BlbnNzaC1rZXktdjE|MII[A-Za-z0-9+/]{2}[A-Za-z]IBADANBgkqhkiG9w0BAQEFAASC|MIGHAgEAMBMGByqGSM49|MHcCAQEE|MIGkAgEBBD|MC4CAQAwBQYDK2VwBCIEI|MII[A-Za-z0-9+/]{3}IBAAKC|MIIFH[A-Za-z0-9+/]{2}BJBgkqhkiG9w0BBQ0)/g;

/** Private keys: framed, cut off at either end, in one line, and OpenSSH's and PKCS's without a frame. */
export const findPrivateKeys: Finder = (text) => {
  const spans: Span[] = [];
  const add = (start: number, to: number): number => {
    spans.push({ start, end: to, kind: 'private-key' });
    return to;
  };
  let done = 0;
  const ends = [...text.matchAll(end)];
  let next = 0;
  for (const found of text.matchAll(begin)) {
    if (found.index < done) continue;
    while ((ends[next]?.index ?? text.length) < found.index) next++;
    const close = ends[next];
    const isNear = close !== undefined && close.index - found.index <= longestKey;
    const after = found.index + found[0].length;
    const to = isNear ? close.index + close[0].length : endOfLines(text, after);
    // The frame alone, in prose or code, is no key.
    const isBare = isNear ? close.index - after < 16 : to === after;
    if (!isBare) done = add(found.index, to);
  }
  const framed = [...spans];
  let before = 0;
  let nearest = 0;
  for (const close of ends) {
    const to = close.index + close[0].length;
    while ((framed[nearest]?.end ?? text.length) <= close.index) nearest++;
    const isCovered = (framed[nearest]?.start ?? text.length) <= close.index;
    const start = isCovered ? close.index : startOfLines(text, close.index, before);
    if (!isCovered && start < close.index) add(start, to);
    before = to;
  }
  for (const found of text.matchAll(bareKey)) {
    if (found.index < done) continue;
    done = add(found.index, endOfLines(text, found.index));
  }
  // PuTTY's format counts its lines.
  for (const found of text.matchAll(/Private-Lines: \d{1,3}[ \t]*\r?\n/g)) {
    const after = found.index + found[0].length;
    const to = endOfLines(text, after);
    if (to > after) add(after, to);
  }
  return spans;
};
