import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';

/** How a module is named by another. `type`: gone when the program runs. */
export interface Import {
  readonly specifier: string;
  readonly isType: boolean;
  /** Names between the braces; empty for the other forms. */
  readonly names: readonly string[];
}

export interface SourceFile {
  /** From the root of the project, with forward slashes. */
  readonly path: string;
  readonly text: string;
  /** The text with comments blanked and the insides of strings and templates emptied. */
  readonly code: string;
  readonly imports: readonly Import[];
  readonly lines: number;
}

// A comment, a string, a template or a regular expression after something that cannot end a value.
const TOKEN =
  /\/\/[^\n]*|\/\*[\s\S]*?\*\/|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\[\s\S]|[^`\\])*`|(?<=[(,=:[!&|?{};\n]\s*)\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n])+\//g;

const isComment = (token: string): boolean => /^\/[/*]/.test(token);
const holes = (template: string): string => (template.match(/\$\{[^}]*\}/g) ?? []).join(' ');

/** Code without comments and without the insides of strings; `keeps` says which strings stay, by the code before them. */
export const strip = (text: string, keeps: (before: string) => boolean): string =>
  text.replace(TOKEN, (token: string, offset: number) => {
    if (isComment(token)) return token.replace(/[^\n]/g, ' ');
    if (token.startsWith('/')) return '/ /';
    if (keeps(text.slice(Math.max(0, offset - 40), offset))) return token;
    return token.startsWith('`') ? `\`${holes(token)}\`` : `${token[0]}${token[0]}`;
  });

const namesModule = (before: string): boolean => /\b(from|import|require)\s*\(?\s*$/.test(before);

const FROM =
  /\b(?:import|export)\s+(?<type>type\s+)?(?<clause>[\w*\s{},$]*?)\s*from\s*['"](?<specifier>[^'"]+)['"]/g;
const BARE = /\bimport\s*['"](?<specifier>[^'"]+)['"]/g;
const CALL = /\b(?:import|require)\s*\(\s*['"`](?<specifier>[^'"`]+)['"`]/g;

const namesOf = (clause: string): readonly string[] =>
  (/\{(?<names>[^}]*)\}/.exec(clause)?.groups?.['names'] ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');

/** Value, type, re-export, side-effect and dynamic imports of a source text. */
export const importsOf = (text: string): readonly Import[] => {
  const code = strip(text, namesModule);
  const found: Import[] = [];
  for (const { groups } of code.matchAll(FROM)) {
    const names = namesOf(groups?.['clause'] ?? '');
    found.push({
      specifier: groups?.['specifier'] ?? '',
      isType:
        groups?.['type'] !== undefined ||
        (names.length > 0 && names.every((name) => name.startsWith('type '))),
      names: names.map((name) => name.replace(/^type /, '')),
    });
  }
  for (const pattern of [BARE, CALL]) {
    for (const { groups } of code.matchAll(pattern)) {
      found.push({ specifier: groups?.['specifier'] ?? '', isType: false, names: [] });
    }
  }
  return found;
};

export const sourceFile = (path: string, text: string): SourceFile => ({
  path,
  text,
  code: strip(text, () => false),
  imports: importsOf(text),
  lines: text.split('\n').length - (text.endsWith('\n') ? 1 : 0),
});

/** Paths of the files below a folder that end in one of `endings`, sorted; none when there is no such folder. */
export const pathsBelow = (folder: string, endings: readonly string[]): readonly string[] =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .map((path) => posix.join(folder, path))
        .filter((path) => endings.some((ending) => path.endsWith(ending)))
        .sort()
    : [];

export const sourcesBelow = (folder: string): readonly SourceFile[] =>
  pathsBelow(folder, ['.ts', '.js'])
    .filter((path) => !path.includes('/fixtures/'))
    .map((path) => sourceFile(path, readFileSync(path, 'utf8')));

/** The file that a relative import means; undefined for a package. */
export const targetOf = (from: string, specifier: string): string | undefined =>
  specifier.startsWith('.') ? posix.join(posix.dirname(from), specifier) : undefined;

/** The package that a bare import means: `@scope/name`, `name`, `node:fs`. */
export const packageOf = (specifier: string): string =>
  specifier.startsWith('@')
    ? specifier.split('/').slice(0, 2).join('/')
    : (specifier.split('/')[0] ?? specifier);
