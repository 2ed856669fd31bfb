import { readdirSync, readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { shippedPage } from '../../../../src/adapters/web/page-files.ts';
import { run, startPage } from './web-side.ts';

const type = 'application/json';

/** A bare connection: what it sends is what goes over the wire. */
const bare = (
  port: number,
): { readonly socket: Socket; heard: () => string; isGone: () => boolean } => {
  const socket = connect(port, '127.0.0.1');
  let heard = '';
  let isGone = false;
  socket.setEncoding('utf8');
  socket.on('data', (chunk: string) => {
    heard += chunk;
  });
  socket.on('close', () => {
    isGone = true;
  });
  socket.on('error', () => {
    isGone = true;
  });
  onTestFinished(() => {
    socket.destroy();
  });
  return { socket, heard: () => heard, isGone: () => isGone };
};

describe('A4 attacks on the page', () => {
  test('a rebound name cannot even fetch the shell, whatever way it is written', async () => {
    const { call, port } = await startPage();
    const hosts = [
      'localhost',
      `LOCALHOST.:${port}`,
      `127.1:${port}`,
      `0.0.0.0:${port}`,
      `[::ffff:127.0.0.1]:${port}`,
      `user@127.0.0.1:${port}`,
      `127.0.0.1:${port}, evil.example`,
      `evil.example#127.0.0.1:${port}`,
    ];
    for (const host of hosts) {
      const answer = await call('GET', '/', { host });
      expect([host, [400, 403].includes(answer.status)]).toEqual([host, true]);
    }
  });

  test('an absolute request line and a forwarded name do not get around Host', async () => {
    const { port, call } = await startPage();
    const raw = bare(port);
    raw.socket.write(
      `GET http://127.0.0.1:${port}/ HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n`,
    );
    await vi.waitFor(() => expect(raw.isGone()).toBe(true));
    expect(raw.heard()).toMatch(/^HTTP\/1\.1 (400|403)/);
    const headers = { host: 'evil.example', 'x-forwarded-host': `127.0.0.1:${port}` };
    expect((await call('GET', '/', headers)).status).toBe(403);
  });

  test('two Host headers are refused', async () => {
    const { port } = await startPage();
    const raw = bare(port);
    raw.socket.write(
      `GET / HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nHost: evil.example\r\nConnection: close\r\n\r\n`,
    );
    await vi.waitFor(() => expect(raw.isGone()).toBe(true));
    expect(raw.heard()).not.toContain('text/html');
  });

  test('another site reads nothing: no live events, no list, no CORS', async () => {
    const { call, login } = await startPage();
    const { cookie } = await login();
    const sites: Record<string, string>[] = [
      { origin: 'https://evil.example' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { origin: 'null' },
    ];
    for (const site of sites) {
      for (const path of ['/api/events', '/api/runs', `/api/runs/${run.id}/items`]) {
        const answer = await call('GET', path, { cookie, ...site });
        expect([path, site, answer.status]).toEqual([path, site, 403]);
        expect(answer.headers['access-control-allow-origin']).toBeUndefined();
      }
    }
    const preflight = await call('OPTIONS', '/api/login', {
      origin: 'https://evil.example',
      'access-control-request-method': 'POST',
    });
    expect(preflight.status).toBe(403);
    expect(preflight.headers['access-control-allow-origin']).toBeUndefined();
  });

  test('a form of another site cannot act: no simple content type is taken', async () => {
    const { call, login, port, events } = await startPage();
    const { cookie } = await login();
    const origin = `http://127.0.0.1:${port}`;
    for (const simple of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      '',
    ]) {
      const headers = { cookie, origin, 'content-type': simple };
      const body = JSON.stringify({ key: 'abcdefgh-1', text: 'x' });
      expect((await call('POST', `/api/runs/${run.id}/reply`, headers, body)).status).toBe(415);
    }
    for (const method of ['PUT', 'DELETE', 'PATCH', 'TRACE', 'GET']) {
      const answer = await call(method, `/api/runs/${run.id}/reply`, { cookie, origin });
      expect([method, answer.status >= 400]).toEqual([method, true]);
    }
    expect(events).toEqual([]);
  });

  test('the token is in no answer, no address that is sent, and no referrer', async () => {
    const { call, login, token, page } = await startPage();
    const { cookie } = await login();
    for (const path of [
      '/',
      '/page/main.js',
      '/api/runs',
      '/healthz',
      '/nope',
      `/?token=${token}`,
    ]) {
      const answer = await call('GET', path, { cookie });
      expect(answer.headers['referrer-policy']).toBe('no-referrer');
      expect(JSON.stringify(answer)).not.toContain(token);
    }
    // Behind the #: a browser sends it to nobody, nor does it stand in an access log of a proxy.
    expect(new URL(page.loginUrl).search).toBe('');
    expect(new URL(page.loginUrl).hash).toBe(`#token=${token}`);
    expect((await call('GET', `/api/runs?token=${token}`)).status).toBe(401);
    expect((await call('GET', '/api/runs', { authorization: `Bearer ${token}` })).status).toBe(401);
  });

  test('nothing outside of the page’s folder is served, however the path is written', async () => {
    const { call, stateDir } = await startPage();
    const paths = [
      '/page/../web-token',
      '/page/..%2f..%2fweb-token',
      '/page/%2e%2e%2fserver.ts',
      '/page/..\\server.ts',
      '/page/%00main.js',
      '/page//etc/passwd',
      '/page/main.js/../../token.ts',
      '/page/__proto__',
      '/page/constructor',
      `/page/${encodeURIComponent(join(stateDir, 'web-token'))}`,
      '//etc/passwd',
      '/page/%c0%ae%c0%ae/token.ts',
      '/.git/config',
      '/web-token',
    ];
    for (const path of paths) {
      const { status } = await call('GET', path);
      expect([path, status === 404 || status === 400]).toEqual([path, true]);
    }
  });

  test('an id of a run is only ever looked up', async () => {
    const { call, login } = await startPage();
    const { cookie } = await login();
    for (const wanted of [
      '..%2f..%2fetc%2fpasswd',
      '__proto__',
      'a'.repeat(4_000),
      '%00',
      '%ff',
      "'; drop table runs; --",
    ].map((x) => x.replaceAll(' ', '%20'))) {
      const answer = await call('GET', `/api/runs/${wanted}`, { cookie });
      expect([wanted.slice(0, 20), [400, 404].includes(answer.status)]).toEqual([
        wanted.slice(0, 20),
        true,
      ]);
    }
  });

  test('a body too large, also one without a length, is cut off', async () => {
    const { port } = await startPage();
    const raw = bare(port);
    const head = `POST /api/login HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nOrigin: http://127.0.0.1:${port}\r\nContent-Type: ${type}\r\nTransfer-Encoding: chunked\r\n\r\n`;
    raw.socket.write(head);
    const chunk = 'x'.repeat(65_536);
    for (let n = 0; n < 40 && !raw.isGone(); n++) {
      raw.socket.write(`${chunk.length.toString(16)}\r\n${chunk}\r\n`);
    }
    await vi.waitFor(() => expect(raw.heard()).toMatch(/^HTTP\/1\.1 413/), { timeout: 10_000 });
  });

  test('headers without an end are cut off by their size', async () => {
    const { port } = await startPage();
    const raw = bare(port);
    raw.socket.write(`GET / HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n`);
    for (let n = 0; n < 2_000 && !raw.isGone(); n++)
      raw.socket.write(`X-H${n}: ${'x'.repeat(100)}\r\n`);
    await vi.waitFor(() => expect(raw.isGone()).toBe(true), { timeout: 10_000 });
    expect(raw.heard()).toMatch(/^(HTTP\/1\.1 4\d\d|$)/);
  });

  const quick = {
    headersTimeout: 150,
    requestTimeout: 300,
    keepAliveTimeout: 100,
    connectionsCheckingInterval: 40,
    maxConnections: 12,
  };

  test('who sends headers or a body slowly is cut off; live events go on', async () => {
    const { port, login, changes } = await startPage(undefined, quick);
    const { cookie } = await login();
    const host = `Host: 127.0.0.1:${port}\r\n`;
    const events = bare(port);
    events.socket.write(`GET /api/events HTTP/1.1\r\n${host}Cookie: ${cookie}\r\n\r\n`);
    await vi.waitFor(() => expect(events.heard()).toContain('event: hello'));
    const headers = bare(port);
    headers.socket.write(`GET / HTTP/1.1\r\n${host}X-Slow: `);
    const body = bare(port);
    body.socket.write(
      `POST /api/login HTTP/1.1\r\n${host}Origin: http://127.0.0.1:${port}\r\nContent-Type: ${type}\r\nContent-Length: 100\r\n\r\n{`,
    );
    await vi.waitFor(() => expect(headers.isGone() && body.isGone()).toBe(true), {
      timeout: 10_000,
    });
    changes.emit(run.id);
    await vi.waitFor(() => expect(events.heard()).toContain('event: run'));
    expect(events.isGone()).toBe(false);
  });

  test('who only connects takes no more places than there are', async () => {
    const { port } = await startPage(undefined, {
      ...quick,
      headersTimeout: 60_000,
      requestTimeout: 60_000,
    });
    const many = Array.from({ length: 30 }, () => bare(port));
    await vi.waitFor(() => expect(many.filter(({ isGone }) => isGone()).length).toBe(18));
  });

  test('guesses are limited for all together, and a right token waits as well', async () => {
    const { post, token, call } = await startPage();
    const tries = await Promise.all(
      Array.from({ length: 40 }, (_, n) => post('/api/login', { token: `guess-${n}` })),
    );
    const statuses = tries.map((answer) => answer.status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(10);
    expect(statuses.filter((status) => status === 429)).toHaveLength(30);
    expect((await post('/api/login', { token })).status).toBe(429);
    expect((await call('GET', '/healthz')).status).toBe(200);
  });

  test('the policy lets nothing in from elsewhere, and the page asks for nothing from elsewhere', async () => {
    const { call } = await startPage();
    const { headers } = await call('GET', '/');
    const csp = String(headers['content-security-policy']);
    expect(csp).not.toMatch(/unsafe|https?:|\*|blob:/);
    for (const rule of [
      "default-src 'none'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
      "form-action 'self'",
      "connect-src 'self'",
      "script-src 'self'",
    ]) {
      expect(csp).toContain(rule);
    }
    expect(headers['x-frame-options']).toBe('DENY');
    expect(headers['cross-origin-opener-policy']).toBe('same-origin');
    expect(headers['cross-origin-resource-policy']).toBe('same-origin');
    for (const name of readdirSync(shippedPage)) {
      const text = readFileSync(join(shippedPage, name), 'utf8').replace(
        /http:\/\/www\.w3\.org\/[\w/]+/g,
        '',
      );
      expect([
        name,
        text.match(/(?:src|href|url|import|fetch)\W{1,4}(?:https?:)?\/\/\w+/g),
      ]).toEqual([name, null]);
      expect([
        name,
        /\.innerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function/.test(text),
      ]).toEqual([name, false]);
    }
  });

  test('a session of another bridge, or of before the token changed, is none', async () => {
    const one = await startPage();
    const two = await startPage();
    const { cookie } = await one.login();
    const other = await two.login();
    const [name = ''] = other.cookie.split('=');
    const value = cookie.slice(cookie.indexOf('=') + 1);
    expect((await two.call('GET', '/api/runs', { cookie: `${name}=${value}` })).status).toBe(401);
    expect((await one.call('GET', '/api/runs', { cookie })).status).toBe(200);
  });
});
