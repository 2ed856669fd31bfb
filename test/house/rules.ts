import { packageOf, type SourceFile, targetOf } from './source.ts';
import {
  ENTRIES,
  FOLDERS,
  type FolderRule,
  HOMES,
  PURE,
  PURE_OF_NODE,
  TYPES_FOR_ALL,
} from './table.ts';

/** What is wrong, as sentences with the file's path; empty when the house is in order. */
export type Violations = readonly string[];

const isIn = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(`${folder}/`);

const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/'));

const ruleOf = (path: string): FolderRule | undefined =>
  FOLDERS.filter((rule) =>
    rule.isFlat === true ? folderOf(path) === rule.folder : isIn(path, rule.folder),
  ).sort((a, b) => b.folder.length - a.folder.length)[0];

const isPure = (path: string): boolean => PURE.some((pattern) => pattern.test(path));

/** Each import is allowed by the table. */
export const importViolations = (file: SourceFile): Violations => {
  const rule = ruleOf(file.path);
  if (rule === undefined) return [`${file.path}: the import table has no row for its folder`];
  return file.imports.flatMap(({ specifier, isType }) => {
    const target = targetOf(file.path, specifier);
    if (target === undefined) {
      const name = packageOf(specifier);
      const homes = HOMES[name];
      if (homes !== undefined && !homes.some((home) => isIn(file.path, home))) {
        return [`${file.path}: ${name} stands in ${homes.join(', ')} only`];
      }
      return name.startsWith('node:') || rule.packages.includes(name)
        ? []
        : [`${file.path}: ${rule.folder} may not import the package ${name}`];
    }
    const isEntry = ENTRIES.some((entry) => isIn(target, entry));
    if (isEntry && !ENTRIES.some((entry) => isIn(file.path, entry))) {
      return [`${file.path}: nobody imports ${target}`];
    }
    const isOwn =
      rule.isFlat === true ? folderOf(target) === rule.folder : isIn(target, rule.folder);
    const isAllowed =
      isOwn ||
      rule.may.some((folder) => isIn(target, folder)) ||
      (isType && TYPES_FOR_ALL.includes(target) && !isPure(file.path));
    return isAllowed ? [] : [`${file.path}: ${rule.folder} may not import ${target}`];
  });
};

const IMPURE: readonly (readonly [RegExp, string])[] = [
  [/\bDate\.now\b/, 'the clock (Date.now)'],
  [/\bnew Date\(\s*\)/, 'the clock (new Date())'],
  [/\bperformance\./, 'the clock (performance)'],
  [/\bMath\.random\b/, 'randomness (Math.random)'],
  [/\brandom(UUID|Bytes|Int)\b/, 'randomness (crypto)'],
  [/\bset(Timeout|Interval|Immediate)\b/, 'a timer'],
  [/\bqueueMicrotask\b/, 'a timer'],
  [/(?<![.\w])process\./, 'the process'],
  [/(?<![.\w])fetch\(/, 'the network'],
];

/** A pure file uses nothing of the outside world, nor a file that does. */
export const purityViolations = (file: SourceFile): Violations => {
  if (!isPure(file.path)) return [];
  const used = IMPURE.flatMap(([pattern, what]) =>
    pattern.test(file.code) ? [`${file.path}: is pure, yet uses ${what}`] : [],
  );
  const imported = file.imports.flatMap(({ specifier, isType, names }) => {
    const target = targetOf(file.path, specifier);
    if (isType) return [];
    if (target !== undefined) {
      return isPure(target) ? [] : [`${file.path}: is pure, yet imports ${target}, which is not`];
    }
    const allowed = PURE_OF_NODE[specifier] ?? [];
    const isAllowed = names.length > 0 && names.every((name) => allowed.includes(name));
    return specifier.startsWith('node:') && !isAllowed
      ? [`${file.path}: is pure, yet imports ${specifier}`]
      : [];
  });
  return [...used, ...imported];
};

export const MAX_LINES = 400;
export const MAX_MEDIAN = 120;

export const sizeViolations = (files: readonly SourceFile[]): Violations => {
  const sizes = files.map((file) => file.lines).sort((a, b) => a - b);
  const median = sizes[Math.floor(sizes.length / 2)] ?? 0;
  return [
    ...files
      .filter((file) => file.lines > MAX_LINES)
      .map((file) => `${file.path}: ${file.lines} lines, more than ${MAX_LINES}`),
    ...(median > MAX_MEDIAN
      ? [`the median file has ${median} lines, more than ${MAX_MEDIAN}`]
      : []),
  ];
};

const FORBIDDEN_PART = /(^|[-.])(utils?|helpers?|manager|service|handler|index)([-.]|$)/;
const FORBIDDEN_NAME =
  /\b(?:class|interface|type|function|const)\s+(\w*(?:Utils?|Helpers?|Manager|Service|Handler))\b/g;
const KEBAB = /^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z]+){0,2}\.(ts|js)$/;

export const nameViolations = (file: SourceFile): Violations => {
  const base = file.path.slice(file.path.lastIndexOf('/') + 1);
  const parts = file.path.split('/').filter((part) => FORBIDDEN_PART.test(part));
  return [
    ...(KEBAB.test(base) ? [] : [`${file.path}: a file's name is kebab-case`]),
    ...parts.map((part) => `${file.path}: "${part}" says nothing`),
    ...[...file.code.matchAll(FORBIDDEN_NAME)].map((m) => `${file.path}: ${m[1]} says nothing`),
  ];
};

export const exportViolations = (file: SourceFile): Violations => {
  const withoutReExports = file.code.replace(
    /\bexport\s+(type\s+)?(\{[^}]*\}|\*(\s+as\s+\w+)?)\s*from\s*''\s*;?/g,
    '',
  );
  const reExports = withoutReExports !== file.code;
  return [
    ...(/\bexport\s+default\b/.test(file.code) ? [`${file.path}: no default exports`] : []),
    ...(/\bexport\s+(type\s+)?\*/.test(file.code) ? [`${file.path}: no export *`] : []),
    ...(reExports && withoutReExports.trim() === '' ? [`${file.path}: is a barrel`] : []),
  ];
};

const SWALLOWED = /\bcatch\s*(\([^)]*\))?\s*\{\s*\}|\.catch\(\s*\(\w*\)\s*=>\s*\{\s*\}\s*\)/;

/** An error is dropped without a word why; a comment in the empty block is such a word. */
export const swallowViolations = (file: SourceFile): Violations =>
  SWALLOWED.test(file.text) ? [`${file.path}: swallows an error without saying why`] : [];

/** Cycles of value imports, each once, as `a → b → a`. */
export const cycleViolations = (files: readonly SourceFile[]): Violations => {
  const next = new Map(
    files.map((file) => [
      file.path,
      file.imports.flatMap((i) => (i.isType ? [] : (targetOf(file.path, i.specifier) ?? []))),
    ]),
  );
  const done = new Set<string>();
  const found: string[] = [];
  const visit = (path: string, trail: readonly string[]): void => {
    const start = trail.indexOf(path);
    if (start >= 0) found.push([...trail.slice(start), path].join(' → '));
    if (start >= 0 || done.has(path)) return;
    for (const target of next.get(path) ?? []) visit(target, [...trail, path]);
    done.add(path);
  };
  for (const path of next.keys()) visit(path, []);
  return found;
};
