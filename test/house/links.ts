import { existsSync } from 'node:fs';
import { posix } from 'node:path';

/** What a page refers to in this project: targets of links, and paths in code spans. */
export interface Reference {
  readonly text: string;
  /** From the root of the project. */
  readonly path: string;
  readonly anchor?: string;
}

const FENCE = /^(```|~~~)[\s\S]*?^\1/gm;
const LINK = /\[[^\]]*\]\((?<target>[^)\s]+)\)/g;
const SPAN = /`(?<path>(?:src|test|docs|compat|migrations|scripts|\.ci)\/[\w./-]+)`/g;

export const referencesIn = (page: string, text: string): readonly Reference[] => {
  const prose = text.replaceAll(FENCE, '');
  const links = [...prose.matchAll(LINK)].flatMap(({ groups }): Reference[] => {
    const target = groups?.['target'] ?? '';
    if (/^[a-z]+:/.test(target)) return [];
    const [path = '', anchor] = target.split('#');
    return [
      {
        text: target,
        path: path === '' ? page : posix.join(posix.dirname(page), path),
        ...(anchor === undefined ? {} : { anchor }),
      },
    ];
  });
  const spans = [...prose.matchAll(SPAN)].map(({ groups }) => {
    const path = groups?.['path'] ?? '';
    return { text: path, path };
  });
  return [...links, ...spans];
};

/** The anchors that a page's headings make. */
export const anchorsOf = (text: string): readonly string[] =>
  [...text.replaceAll(FENCE, '').matchAll(/^#+ +(.+)$/gm)].map((m) =>
    (m[1] ?? '')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );

export const brokenReferences = (
  page: string,
  text: string,
  read: (path: string) => string,
): readonly string[] =>
  referencesIn(page, text).flatMap(({ text: shown, path, anchor }) => {
    if (!existsSync(path)) return [`${page}: ${shown} is not there`];
    const isThere = anchor === undefined || anchorsOf(read(path)).includes(anchor);
    return isThere ? [] : [`${page}: ${shown} has no such heading`];
  });
