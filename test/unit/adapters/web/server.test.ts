import { statSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { WebPage } from '../../../../src/adapters/web/server.ts';
import { run, startPage } from './web-side.ts';

const KEY = 'abcdefgh-1';

test.each(['0.0.0.0', '192.168.1.4', '::', 'example.org', '127.0.0.1.example.org', '127.0.0.999'])(
  'A4 the page refuses to listen on %s',
  (host) => {
    const make = () =>
      new WebPage({
        config: { host, port: 0, stateDir: '/nowhere' },
      } as unknown as ConstructorParameters<typeof WebPage>[0]);
    expect(make).toThrow(/loopback only/);
  },
);

test('A4 the token is 32 random bytes in a file of the user alone', async () => {
  const { stateDir, token } = await startPage();
  expect(Buffer.from(token, 'base64url')).toHaveLength(32);
  expect(statSync(join(stateDir, 'web-token')).mode & 0o777).toBe(0o600);
});

test('A4 another name in Host is refused, on every path (DNS rebinding)', async () => {
  const { call, port } = await startPage();
  for (const host of [
    'evil.example',
    `evil.example:${port}`,
    '127.0.0.1:1',
    `127.0.0.1.evil.example:${port}`,
  ]) {
    for (const path of ['/', '/api/runs', '/healthz', '/page/main.js', '/nope']) {
      expect([host, path, (await call('GET', path, { host })).status]).toEqual([host, path, 403]);
    }
  }
  expect((await call('GET', '/', { host: `localhost:${port}` })).status).toBe(200);
});

test('A4 another Origin is refused, and a POST without one (CSRF)', async () => {
  const { call, login, token, events, port } = await startPage();
  const { cookie } = await login();
  const body = JSON.stringify({ key: KEY, text: 'rm -rf' });
  const type = 'application/json';
  const tries: Record<string, string>[] = [
    {},
    { origin: 'null' },
    { origin: 'https://evil.example' },
    { origin: `https://127.0.0.1:${port}` },
    { origin: 'http://127.0.0.1' },
    { origin: `http://127.0.0.1:${port}`, 'sec-fetch-site': 'cross-site' },
    { origin: `http://127.0.0.1:${port}`, 'sec-fetch-site': 'same-site' },
  ];
  for (const headers of tries) {
    const answer = await call(
      'POST',
      `/api/runs/${run.id}/reply`,
      { cookie, 'content-type': type, ...headers },
      body,
    );
    expect([headers, answer.status]).toEqual([headers, 403]);
  }
  expect((await call('GET', '/api/runs', { cookie, origin: 'https://evil.example' })).status).toBe(
    403,
  );
  const wrong = await call(
    'POST',
    '/api/login',
    { origin: 'https://evil.example', 'content-type': type },
    JSON.stringify({ token }),
  );
  expect(wrong.status).toBe(403);
  expect(events).toEqual([]);
});

test('A4 nothing of a run is told without a session; the shell and the probes are', async () => {
  const { call, post } = await startPage();
  for (const path of [
    '/api/runs',
    `/api/runs/${run.id}`,
    `/api/runs/${run.id}/items`,
    '/api/events',
    '/api/nope',
  ]) {
    expect([path, (await call('GET', path)).status]).toEqual([path, 401]);
  }
  expect((await post(`/api/runs/${run.id}/reply`, { key: KEY, text: 'x' })).status).toBe(401);
  for (const path of ['/', `/run/${run.id}`, '/healthz'])
    expect((await call('GET', path)).status).toBe(200);
});

test('A4 login gives a cookie that no script reads and that is not the token', async () => {
  const { post, call, token } = await startPage();
  const answer = await post('/api/login', { token });
  const [cookie = ''] = [answer.headers['set-cookie'] ?? []].flat();
  expect(cookie).toMatch(/; HttpOnly/i);
  expect(cookie).toMatch(/; SameSite=Strict/i);
  expect(cookie).not.toContain(token);
  expect(answer.body).not.toContain(token);
  const value = cookie.split(';')[0] ?? '';
  expect((await call('GET', '/api/runs', { cookie: value })).status).toBe(200);
  const [name = '', session = ''] = value.split('=');
  const forged = [
    `${name}=${session.slice(0, -2)}AA`,
    `${name}=${token}`,
    `${name}=`,
    `${name}=a.b.c`,
    `${name}=${session.replace(/^./, 'z')}`,
  ];
  for (const bad of forged)
    expect([bad, (await call('GET', '/api/runs', { cookie: bad })).status]).toEqual([bad, 401]);
});

test('A4 guesses are limited', async () => {
  const { post, token } = await startPage();
  for (let i = 0; i < 10; i += 1) {
    expect((await post('/api/login', { token: `wrong${i}` })).status).toBe(401);
  }
  const answer = await post('/api/login', { token });
  expect(answer.status).toBe(429);
  expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
});

test('A4 every answer has the strict policy and is not stored', async () => {
  const { call } = await startPage();
  for (const path of ['/', '/api/runs', '/healthz']) {
    const { headers } = await call('GET', path);
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    expect(headers['content-security-policy']).not.toContain('unsafe');
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['cache-control']).toMatch(/no-store|no-cache/);
  }
});

test('A3 what is sent is bounded and checked, with a clear error', async () => {
  const { call, post, login, events, port } = await startPage();
  const { cookie } = await login();
  const at = `/api/runs/${run.id}/reply`;
  const origin = `http://127.0.0.1:${port}`;
  expect((await post(at, { key: KEY, text: 'x'.repeat(600_000) }, { cookie })).status).toBe(413);
  expect(
    (await call('POST', at, { cookie, origin, 'content-type': 'text/plain' }, '{}')).status,
  ).toBe(415);
  expect(
    (await call('POST', at, { cookie, origin, 'content-type': 'application/json' }, '{"key":'))
      .status,
  ).toBe(400);
  const bad = await post(at, { key: 'short', text: 7 }, { cookie });
  expect(bad.status).toBe(400);
  expect(bad.json()).toMatchObject({
    error: { code: 'invalid', message: expect.stringContaining('key:') },
  });
  expect((await post(at, { key: KEY, text: 'x', actor: 'root' }, { cookie })).status).toBe(400);
  expect((await call('GET', `/api/runs/${run.id}/items?limit=100000`, { cookie })).status).toBe(
    400,
  );
  for (const path of ['/page/../server.ts', '/page/..%2fserver.ts', '/page/%2e%2e/token.ts']) {
    expect([path, (await call('GET', path)).status]).toEqual([path, 404]);
  }
  expect(events).toEqual([]);
});

test('a reply, an answer and buttons become chat events of the owner, keyed by what the page made', async () => {
  const { post, login, events } = await startPage();
  const { cookie } = await login();
  const answers = [
    await post(`/api/runs/${run.id}/reply`, { key: 'key-reply1', text: 'hello' }, { cookie }),
    await post(
      `/api/runs/${run.id}/answer`,
      { key: 'key-answer', dialog: 'q', answer: { type: 'choose', choices: [[1]] } },
      { cookie },
    ),
    await post(`/api/runs/${run.id}/interrupt`, { key: 'key-inter1', turn: 't1' }, { cookie }),
    await post(`/api/runs/${run.id}/continue`, { key: 'key-conti1' }, { cookie }),
    await post('/api/deliveries/d1/send-again', { key: 'key-again1', run: run.id }, { cookie }),
    await post('/api/deliveries/d1/discard', { key: 'key-disca1', run: run.id }, { cookie }),
    await post(
      '/api/deliveries/d1/use-as-answer',
      { key: 'key-useas1', run: run.id, dialog: 'q' },
      { cookie },
    ),
  ];
  expect(answers.map((a) => a.status)).toEqual(answers.map(() => 202));
  expect(events.map((e) => [e.key, e.body.type, e.actor.id])).toEqual([
    ['web:key-reply1', 'reply', 'web:owner'],
    ['web:key-answer', 'answer', 'web:owner'],
    ['web:key-inter1', 'interrupt', 'web:owner'],
    ['web:key-conti1', 'continue', 'web:owner'],
    ['web:key-again1', 'send-again', 'web:owner'],
    ['web:key-disca1', 'discard', 'web:owner'],
    ['web:key-useas1', 'use-as-answer', 'web:owner'],
  ]);
});

test('L1 what could not be stored is not acknowledged', async () => {
  const { post, login, breakStore } = await startPage();
  const { cookie } = await login();
  breakStore();
  const answer = await post(`/api/runs/${run.id}/reply`, { key: KEY, text: 'x' }, { cookie });
  expect(answer.status).toBe(503);
  expect(answer.json()).toMatchObject({ error: { code: 'not-stored' } });
});

test('A4 a proxy’s name is allowed, with a Secure cookie', async () => {
  const { call, token, page } = await startPage('https://bridge.example.org');
  const headers = {
    host: 'bridge.example.org',
    origin: 'https://bridge.example.org',
    'content-type': 'application/json',
  };
  const answer = await call('POST', '/api/login', headers, JSON.stringify({ token }));
  expect(answer.status).toBe(200);
  expect([answer.headers['set-cookie'] ?? []].flat()[0]).toMatch(/; Secure/i);
  expect(page.loginUrl).toBe(`https://bridge.example.org/#token=${token}`);
});

test('O5 live events tell that something changed, never what; stop ends them', async () => {
  const { port, login, changes, page } = await startPage();
  const { cookie } = await login();
  let heard = '';
  let isEnded = false;
  const req = request(
    {
      host: '127.0.0.1',
      port,
      path: '/api/events',
      headers: { host: `127.0.0.1:${port}`, cookie },
    },
    (res) => {
      res.setEncoding('utf8');
      res.on('data', (chunk: string) => {
        heard += chunk;
      });
      res.on('close', () => {
        isEnded = true;
      });
    },
  );
  req.on('error', () => {
    isEnded = true;
  });
  req.end();
  await vi.waitFor(() => expect(heard).toContain('event: hello'));
  for (let i = 0; i < 5; i += 1) changes.emit(run.id);
  changes.emit(undefined);
  await vi.waitFor(() => expect(heard).toContain('event: list'));
  expect(heard.match(/event: run/g)).toHaveLength(1);
  await page.stop();
  await vi.waitFor(() => expect(isEnded).toBe(true));
  expect(page.health().isConnected).toBe(false);
});

test('a taken port is said with the remedy', async () => {
  const first = await startPage();
  const second = new WebPage({
    config: { host: '127.0.0.1', port: first.port, stateDir: first.stateDir },
    probes: {},
  } as unknown as ConstructorParameters<typeof WebPage>[0]);
  await expect(second.start(() => Promise.resolve(), new AbortController().signal)).rejects.toThrow(
    /web\.port/,
  );
});

test('A4, S2 a HEAD of the event stream takes no listener’s place for ever', async () => {
  const { call, login } = await startPage();
  const { cookie } = await login();
  for (let n = 0; n < 65; n++) {
    expect((await call('HEAD', '/api/events', { cookie })).status).toBe(405);
  }
});
