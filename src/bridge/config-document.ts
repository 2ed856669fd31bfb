import { isAlias, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from 'yaml';

/** Something wrong in the file; line and column count from 1. */
export interface Problem {
  readonly line: number;
  readonly col: number;
  readonly message: string;
}

export interface Place {
  readonly line: number;
  readonly col: number;
}

/** A YAML file as plain data, and where each value and key stands. */
export interface ConfigDocument {
  readonly value: unknown;
  readonly problems: readonly Problem[];
  /** The place of a value; of the nearest thing around it, where it has none of its own. */
  placeOf(path: readonly PropertyKey[]): Place;
  /** The place of a key. */
  placeOfKey(path: readonly PropertyKey[], key: string): Place;
}

const REFERENCE = /\$(\$)?\{([^}]*)\}/g;

/**
 * Reads the text and fills in `${NAME}` from `env` (`$${` stays `${`). Errors never quote the file's
 * text: it may hold secrets.
 */
export const readDocument = (
  text: string,
  env: Readonly<Record<string, string | undefined>>,
): ConfigDocument => {
  const lines = new LineCounter();
  const doc = parseDocument(text, { lineCounter: lines, prettyErrors: false, version: '1.2' });
  const places = new Map<string, Place>();
  const problems: Problem[] = [];
  const at = (offset: number): Place => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(1, line), col: Math.max(1, col) };
  };
  for (const error of [...doc.errors, ...doc.warnings]) {
    problems.push({ ...at(error.pos[0]), message: error.message });
  }

  const fill = (value: string, place: Place): string =>
    value.replace(REFERENCE, (whole, escaped: string | undefined, name: string) => {
      if (escaped !== undefined) return whole.slice(1);
      if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) {
        problems.push({ ...place, message: 'not a variable name; a literal ${ is written $${' });
        return '';
      }
      const found = env[name];
      if (found === undefined || found === '') {
        problems.push({ ...place, message: `the environment variable ${name} is not set` });
        return '';
      }
      return found;
    });

  const walk = (node: Node | null, path: readonly PropertyKey[]): unknown => {
    const place = at(node?.range?.[0] ?? 0);
    if (node?.range) places.set(JSON.stringify(path), place);
    if (isMap<Node, Node | null>(node)) {
      const entries = node.items.flatMap((pair): [string, unknown][] => {
        const key = isScalar(pair.key) ? String(pair.key.value) : undefined;
        const keyPlace = at(pair.key.range?.[0] ?? 0);
        if (key === undefined || isAlias(pair.key)) {
          problems.push({ ...keyPlace, message: 'a key must be a word' });
          return [];
        }
        places.set(JSON.stringify([...path, { key }]), keyPlace);
        return [[key, walk(pair.value, [...path, key])]];
      });
      return Object.fromEntries(entries);
    }
    if (isSeq<Node | null>(node)) return node.items.map((item, i) => walk(item, [...path, i]));
    if (isAlias(node)) {
      problems.push({ ...place, message: 'anchors and aliases are not read; write it out' });
      return undefined;
    }
    if (!isScalar(node)) return undefined;
    if (typeof node.value === 'string') return fill(node.value, place);
    // An unquoted id is longer than a number holds exactly.
    const isLongInteger = typeof node.value === 'number' && !Number.isSafeInteger(node.value);
    return isLongInteger && /^\d+$/.test(node.source ?? '') ? node.source : node.value;
  };
  const value = doc.errors.length > 0 ? {} : (walk(doc.contents, []) ?? {});

  const nearest = (path: readonly PropertyKey[]): Place => {
    for (let length = path.length; length > 0; length -= 1) {
      const head = path.slice(0, length);
      const key = head.at(-1);
      const found =
        places.get(JSON.stringify(head)) ??
        places.get(JSON.stringify([...head.slice(0, -1), { key }]));
      if (found !== undefined) return found;
    }
    return { line: 1, col: 1 };
  };
  return {
    value,
    problems,
    placeOf: nearest,
    placeOfKey: (path, key) =>
      places.get(JSON.stringify([...path, { key }])) ?? nearest([...path, key]),
  };
};
