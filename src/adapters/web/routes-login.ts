import type { Context, MiddlewareHandler } from 'hono';
import { Hono } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import type { Clock } from '../../bridge/ports/clock.ts';
import type { Log } from '../../bridge/ports/log.ts';
import { bodies, readBody } from './body.ts';
import { problem } from './guard.ts';
import {
  cookieName,
  GuessLimit,
  isSameSecret,
  isSession,
  makeSession,
  SESSION_MS,
} from './session.ts';

export interface LoginDeps {
  readonly token: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly newId: () => string;
  /** A proxy speaks TLS to the browser. */
  readonly isSecure: boolean;
}

const hasSession = (c: Context, deps: LoginDeps): boolean => {
  const value = getCookie(c, cookieName(deps.token));
  return value !== undefined && isSession(deps.token, value, deps.clock.now());
};

/** Everything under it needs a session. */
export const needSession =
  (deps: LoginDeps): MiddlewareHandler =>
  async (c, next) => {
    if (!hasSession(c, deps)) {
      return problem(
        c,
        401,
        'login',
        'This device is not logged in. Open the link with the token.',
      );
    }
    await next();
  };

/** `POST /api/login`: the token, once per device, for a cookie that no script can read. */
export const loginRoutes = (deps: LoginDeps): Hono => {
  const app = new Hono();
  const guesses = new GuessLimit();
  const name = cookieName(deps.token);
  app.post('/login', async (c) => {
    const now = deps.clock.now();
    const wait = guesses.waitSeconds(now);
    if (wait > 0) {
      c.header('Retry-After', String(wait));
      return problem(c, 429, 'too-many', `Too many wrong tokens. Try again in ${wait} s.`);
    }
    const read = await readBody(c, bodies.login);
    if ('response' in read) return read.response;
    if (!isSameSecret(read.value.token.trim(), deps.token)) {
      guesses.wrong(now);
      deps.log.warn({}, 'wrong token at the web page');
      return problem(c, 401, 'token', 'That is not the token of this bridge.');
    }
    setCookie(c, name, makeSession(deps.token, now, deps.newId()), {
      httpOnly: true,
      sameSite: 'Strict',
      path: '/',
      secure: deps.isSecure,
      maxAge: SESSION_MS / 1000,
    });
    return c.json({ ok: true });
  });
  return app;
};
