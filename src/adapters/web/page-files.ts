import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Handler } from 'hono';
import { problem } from './guard.ts';

/** Beside this file, in `src` and in `dist`. */
export const shippedPage = fileURLToPath(new URL('./page/', import.meta.url));

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.webmanifest': 'application/manifest+json',
};

interface PageFile {
  readonly body: string;
  readonly type: string;
  readonly etag: string;
}

const load = (dir: string): ReadonlyMap<string, PageFile> =>
  new Map(
    readdirSync(dir).flatMap((name): [string, PageFile][] => {
      const type = TYPES[extname(name)];
      if (type === undefined) return [];
      const body = readFileSync(join(dir, name), 'utf8');
      const etag = `"${createHash('sha256').update(body).digest('hex').slice(0, 16)}"`;
      return [[name, { body, type, etag }]];
    }),
  );

/** Serves the page's files by name; read once, so nothing outside the folder can ever be asked for. */
export const pageFiles = (dir: string): { file: Handler; index: Handler } => {
  const files = load(dir);
  const serve =
    (nameOf: (path: string) => string): Handler =>
    (c) => {
      const found = files.get(nameOf(c.req.path));
      if (found === undefined) return problem(c, 404, 'no-page', 'There is nothing here.');
      c.header('Cache-Control', 'no-cache');
      c.header('ETag', found.etag);
      if (c.req.header('if-none-match') === found.etag) return c.body(null, 304);
      c.header('Content-Type', found.type);
      return c.body(found.body);
    };
  return {
    file: serve((path) => path.replace(/^\/page\//, '')),
    index: serve(() => 'index.html'),
  };
};
