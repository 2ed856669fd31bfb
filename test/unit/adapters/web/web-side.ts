import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type WebLimits, WebPage } from '../../../../src/adapters/web/server.ts';
import { createChangeFeed } from '../../../../src/bridge/chat/change-feed.ts';
import type { ChatEvent } from '../../../../src/bridge/model/chat.ts';
import { id, type RunId } from '../../../../src/bridge/model/ids.ts';
import type { RunSummary } from '../../../../src/bridge/model/run-state.ts';
import { tempDir } from '../../../fakes/temp-dir.ts';

export const run: RunSummary = {
  id: id<RunId>('h-1-1'),
  pid: 1,
  procStart: '1',
  startedAt: 1,
  cwd: '/w',
  title: 'Fix the login',
  lastActivityAt: 1,
  state: { name: 'working' },
};

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
  json(): unknown;
}

/** A started page over fakes, and a client that can lie about Host and Origin. */
export const startPage = async (baseUrl?: string, limits?: WebLimits) => {
  const stateDir = tempDir();
  const events: ChatEvent[] = [];
  const changes = createChangeFeed();
  const page = new WebPage({
    config: { host: '127.0.0.1', port: 0, baseUrl, stateDir },
    runs: {
      list: () => Promise.resolve([run]),
      run: (wanted) => Promise.resolve(wanted === run.id ? run : null),
      window: (_, before, limit) =>
        Promise.resolve({ items: [], cursor: `c${before ?? ''}-${limit}` }),
      changes: (_, cursor) => Promise.resolve({ items: [], cursor }),
    },
    deliveries: { forRun: () => [] },
    ...(limits === undefined ? {} : { limits }),
    changes,
    clock: {
      now: () => Date.now(),
      sleep: (ms, signal) =>
        new Promise((resolve) => {
          const timer = setTimeout(resolve, ms);
          signal?.addEventListener('abort', () => {
            clearTimeout(timer);
            resolve();
          });
        }),
    },
    log: { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} },
    probes: { '/healthz': () => Response.json({ ok: true }) },
  });
  let isBroken = false;
  await page.start((event) => {
    if (isBroken) return Promise.reject(new Error('disk full'));
    events.push(event);
    return Promise.resolve();
  }, new AbortController().signal);
  onTestFinished(() => page.stop());
  const port = Number(new URL(page.url).port);
  const token = readFileSync(join(stateDir, 'web-token'), 'utf8').trim();

  const call = (
    method: string,
    path: string,
    headers: Record<string, string> = {},
    body?: string,
  ): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const req = request(
        {
          host: '127.0.0.1',
          port,
          method,
          path,
          headers: { host: `127.0.0.1:${port}`, ...headers },
        },
        (res) => {
          let text = '';
          res.setEncoding('utf8');
          res.on('data', (chunk: string) => {
            text += chunk;
          });
          res.on('end', () =>
            resolve({
              status: res.statusCode ?? 0,
              headers: res.headers,
              body: text,
              json: () => JSON.parse(text) as unknown,
            }),
          );
        },
      );
      req.on('error', reject);
      req.end(body);
    });
  const json = { 'content-type': 'application/json', origin: `http://127.0.0.1:${port}` };
  const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    call('POST', path, { ...json, ...headers }, JSON.stringify(body));
  const login = async (): Promise<{ cookie: string }> => {
    const answer = await post('/api/login', { token });
    const [cookie = ''] = [answer.headers['set-cookie'] ?? []].flat();
    return { cookie: cookie.split(';')[0] ?? '' };
  };
  return {
    page,
    port,
    token,
    stateDir,
    events,
    changes,
    call,
    post,
    login,
    breakStore: () => {
      isBroken = true;
    },
  };
};
