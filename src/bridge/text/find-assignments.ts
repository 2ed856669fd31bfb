import { execAt } from './find-tokens.ts';
import { isSecretValue, type Standing } from './judge-value.ts';
import { anySecretWord, nameStrength } from './secret-names.ts';
import type { Finder, Span } from './spans.ts';

/** A name and what stands between it and its value: `apiKey": `, `PASSWORD=`, `token: string = `. */
const named =
  /(?<![A-Za-z0-9_.-])([A-Za-z_][A-Za-z0-9_.-]{1,80})\\{0,6}["'`]?\]?\*{0,2}(?::[ \t]{0,4}&?[A-Za-z]{1,20})?[ \t]{0,20}(:=|=>|=(?![=>])|:(?!:))\*{0,2}\s{0,40}/g;

/** The name of an environment variable; before a command, in a file, in a list of strings. */
const envName = /^(?:[a-z]{0,2})[A-Z][A-Z0-9_]{2,}$/;

/** `"…"` as it stands, or as it stands inside of a JSON string (`\"…\"`); the closing quote may be cut off. */
const quoted = /(\\{0,6})(["'`])/y;
const contents: Readonly<Record<string, RegExp>> = {
  '"': /(?:\\[^\n]|[^"\\\n]){0,256}/y,
  "'": /(?:\\[^\n]|[^'\\\n]){0,256}/y,
  '`': /(?:\\[^\n]|[^`\\\n]){0,256}/y,
};
const escapedContent = /[^"'`\\\n]{0,256}/y;
/** YAML's `|` and `>`: the lines below that are indented. */
const block =
  /[|>][-+]?[ \t]{0,20}\r?\n([ \t]{1,100}\S[^\n]*(?:\r?\n[ \t]{1,100}\S[^\n]*){0,200})/y;
const bare = /[^\s"'`]{1,256}/y;
/** A value is judged by its beginning; where it is a secret and longer than that, all of it is one. */
const judged = 256;
const rest = /[^\s"'`]*/y;

interface Value {
  readonly start: number;
  readonly end: number;
  readonly standing: Standing;
}

const bareStanding = (text: string, nameAt: number, end: number, isColon: boolean): Standing => {
  const after = text.charAt(end);
  if (!isColon) return /[,)\]}]/.test(after) ? 'inline' : 'line';
  const near = text.slice(Math.max(0, nameAt - 200), nameAt);
  const before = near.slice(near.lastIndexOf('\n') + 1);
  const isWholeLine = after === '' || after === '\n' || after === '\r';
  return isWholeLine && /^(?:\d+)?[\s\-+>|│→*]*$/.test(before) ? 'line' : 'inline';
};

const valueAt = (text: string, from: number, nameAt: number, name: string, sep: string): Value => {
  const isEnv = sep === '=' && envName.test(name);
  const open = execAt(quoted, text, from);
  if (open !== null) {
    const start = from + open[0].length;
    const content = open[1] === '' ? contents[open[2] ?? '"'] : escapedContent;
    const { length } = execAt(content ?? escapedContent, text, start)?.[0] ?? '';
    const isMasked = isEnv;
    // An environment variable's quotes are masked with it, as a shell would take them away.
    const closing = isMasked && text.charAt(start + length) === open[2] ? 1 : 0;
    return {
      start: isMasked ? from : start,
      end: start + length + closing,
      standing: isEnv ? 'env' : 'quoted',
    };
  }
  const lines = sep === ':' ? execAt(block, text, from) : null;
  if (lines !== null) {
    const end = from + lines[0].length;
    return { start: end - (lines[1] ?? '').length, end, standing: 'quoted' };
  }
  const found = execAt(bare, text, from)?.[0] ?? '';
  if (isEnv) return { start: from, end: from + found.length, standing: 'env' };
  const cut = /^[^,;&|<>)\]}\\]*/.exec(found)?.[0] ?? '';
  const end = from + cut.length;
  return { start: from, end, standing: bareStanding(text, nameAt, end, sep.startsWith(':')) };
};

const unquote = (value: string): string => value.replace(/^["'`]|["'`]$/g, '');

const findNamed = (text: string): readonly Span[] => {
  const spans: Span[] = [];
  for (let found = execAt(named, text, 0); found !== null; found = named.exec(text)) {
    const [whole, name = '', sep = ''] = found;
    const from = found.index + whole.length;
    // The value may be the next name (`a: { password: … }`): go on right behind the name.
    named.lastIndex = found.index + name.length;
    if (nameStrength(name) === 'none') continue;
    const isSplit = whole.includes('\n') && sep !== ':' && sep !== '=>';
    if (isSplit) continue;
    const value = valueAt(text, from, found.index, name, sep);
    const shown = text.slice(value.start, value.end);
    const bareValue = value.standing === 'env' ? unquote(shown) : shown;
    if (!isSecretValue(name, bareValue, value.standing)) continue;
    const isLonger = value.end - value.start >= judged;
    const end = isLonger ? value.end + (execAt(rest, text, value.end)?.[0].length ?? 0) : value.end;
    spans.push({ start: value.start, end, kind: 'env' });
    named.lastIndex = end;
  }
  return spans;
};

/** Names and values in other forms; the name is group 1, the value group 2. */
const forms: readonly { readonly form: RegExp; readonly standing: Standing }[] = [
  { form: /<([A-Za-z][\w.:-]{1,60})>([^<>\n]{3,500})<\//dg, standing: 'quoted' },
  {
    form: /\b(?:key|name)=["']([\w.:-]{2,60})["']\s{1,10}value=["']([^"'\n]{1,500})/dgi,
    standing: 'quoted',
  },
  {
    form: /\bname\\{0,4}["']?\s{0,5}[:=]\s{0,5}\\{0,4}["']?([\w.-]{2,60})\\{0,4}["']?\s{0,10},?\s{0,60}\\{0,4}["']?value\\{0,4}["']?\s{0,5}[:=]\s{0,5}\\{0,4}["']?([^\s"',}\\]{1,500})/dgi,
    standing: 'env',
  },
  {
    form: /(?<![\w-])--([a-z][a-z0-9-]{1,40})(?:=|[ \t]{1,4})["']?([^\s"'`|;<>()]{1,1000})/dg,
    standing: 'inline',
  },
  {
    form: /(?<![\w-])--((?:[a-z0-9]{1,20}-){0,3}(?:password|passphrase|secret))(?:=|[ \t]{1,4})["']?([^\s"'`|;<>()-][^\s"'`|;<>()]{0,1000})/dg,
    standing: 'env',
  },
  {
    form: /\b((?:pass(?:word|phrase|code)|secret|token|api[ _-]?key)s?)[ \t]{1,3}(?:is|was|to)[ \t]{1,3}[`"'*]{0,3}([^\s`"'*,;]{8,500})/dgi,
    standing: 'inline',
  },
];

const findForms = (text: string): readonly Span[] =>
  forms.flatMap(({ form, standing }) =>
    [...text.matchAll(form)].flatMap((found): Span[] => {
      const place = found.indices?.[2];
      const [, name = '', value = ''] = found;
      if (place === undefined || !isSecretValue(name, value, standing)) return [];
      return [{ start: place[0], end: place[1], kind: 'env' }];
    }),
  );

/** Values that are secrets by the name that they stand beside: `.env`, JSON, YAML, code, XML, flags. */
export const findAssignments: Finder = (text) =>
  anySecretWord.test(text) ? [...findNamed(text), ...findForms(text)] : [];
