import type { z } from 'zod';
import { type ConfigDocument, type Problem, readDocument } from './config-document.ts';
import { allowedAt, configKeys, sectionNames } from './config-keys.ts';
import { type FileConfig, fileSchema } from './config-schema.ts';
import { nearest } from './config-suggest.ts';

/** The parsed file, or everything that is wrong with it, by position. */
export type ParsedFile =
  | { readonly ok: true; readonly file: FileConfig; readonly document: ConfigDocument }
  | { readonly ok: false; readonly problems: readonly Problem[] };

const pathText = (path: readonly PropertyKey[]): string =>
  path
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`))
    .join('')
    .slice(1);

const unknownKey = (path: readonly PropertyKey[], key: string): string => {
  const here = nearest(key, allowedAt(path));
  const elsewhere = configKeys().find((known) => known.path.split('.').at(-1) === key)?.path;
  const meant = here ?? elsewhere;
  const name = pathText([...path, key]);
  return meant === undefined
    ? `${name}: unknown key; known here: ${allowedAt(path).join(', ')}`
    : `${name}: unknown key; did you mean ${meant}?`;
};

const problemsOf = (issue: z.core.$ZodIssue, document: ConfigDocument): readonly Problem[] => {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      ...document.placeOfKey(issue.path, key),
      message: unknownKey(issue.path, key),
    }));
  }
  const name = pathText(issue.path);
  const place = document.placeOf(issue.path);
  return [{ ...place, message: name === '' ? issue.message : `${name}: ${issue.message}` }];
};

/** Plain words for what the schema says in its own. */
const inWords = (issue: z.core.$ZodRawIssue): string | undefined => {
  if (issue.input === undefined) return 'is missing';
  if (issue.code === 'invalid_value') return `must be one of ${issue.values.join(', ')}`;
  if (issue.code !== 'invalid_type') return undefined;
  const names: Readonly<Record<string, string>> = {
    string: 'text',
    boolean: 'true or false',
    array: 'a list',
    object: 'a section with keys',
  };
  return `must be ${names[issue.expected] ?? issue.expected}`;
};

/** An empty section (`runs:` with everything under it commented out) is as good as none. */
const withoutEmptySections = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const sections = new Set(sectionNames());
  return Object.fromEntries(
    Object.entries(value).map(([key, v]) => [key, v === null && sections.has(key) ? {} : v]),
  );
};

/** Reads and validates the text of a configuration file. */
export const parseConfig = (
  text: string,
  env: Readonly<Record<string, string | undefined>>,
): ParsedFile => {
  const document = readDocument(text, env);
  const result = fileSchema.safeParse(withoutEmptySections(document.value), { error: inWords });
  // What a variable left empty would be reported twice: once here, once by the schema.
  const places = new Set(document.problems.map((p) => `${p.line}:${p.col}`));
  const found = result.success
    ? []
    : result.error.issues
        .flatMap((issue) => problemsOf(issue, document))
        .filter((p) => !places.has(`${p.line}:${p.col}`));
  const problems = [...document.problems, ...found].sort(
    (a, b) => a.line - b.line || a.col - b.col,
  );
  return result.success && problems.length === 0
    ? { ok: true, file: result.data, document }
    : { ok: false, problems };
};
