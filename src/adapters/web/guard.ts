import type { Context, MiddlewareHandler } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';

/** Every error of the page has this form; `message` is a sentence for a person. */
export const problem = (
  c: Context,
  status: ContentfulStatusCode,
  code: string,
  message: string,
): Response => c.json({ error: { code, message } }, status);

/** Names under which this server may be called; others are a rebound name or another site. */
export interface Names {
  readonly hosts: ReadonlySet<string>;
  readonly origins: ReadonlySet<string>;
}

/** Loopback names with the port (browsers leave 80 out), and where a proxy serves the page. */
export const namesFor = (address: string, port: number, baseUrl: string | undefined): Names => {
  const names = ['127.0.0.1', 'localhost', '[::1]', ...(address.includes(':') ? [] : [address])];
  const local = names.map((name) => (port === 80 ? name : `${name}:${port}`));
  const hosts = new Set(local);
  const origins = new Set(local.map((host) => `http://${host}`));
  if (baseUrl !== undefined) {
    const base = new URL(baseUrl);
    hosts.add(base.host);
    origins.add(base.origin);
  }
  return { hosts, origins };
};

const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD']);

/**
 * Host and Origin on everything (A4). A page on another site can make a browser call a loopback
 * address, and can point its own name at it: the first shows in Origin, the second in Host.
 */
export const checkNames =
  (names: () => Names): MiddlewareHandler =>
  async (c, next) => {
    const { hosts, origins } = names();
    const host = c.req.header('host')?.toLowerCase();
    if (host === undefined || !hosts.has(host)) {
      return problem(
        c,
        403,
        'host',
        'This name is not one of the bridge. Open it by 127.0.0.1, or set web.baseUrl.',
      );
    }
    const origin = c.req.header('origin')?.toLowerCase();
    const isSafe = SAFE_METHODS.has(c.req.method);
    if (origin === undefined ? !isSafe : !origins.has(origin)) {
      return problem(c, 403, 'origin', 'This request does not come from the bridge’s own page.');
    }
    const site = c.req.header('sec-fetch-site');
    const isApi = c.req.path.startsWith('/api/');
    if (isApi && site !== undefined && site !== 'same-origin' && site !== 'none') {
      return problem(c, 403, 'origin', 'This request does not come from the bridge’s own page.');
    }
    await next();
  };

const CSP = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "manifest-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

export const securityHeaders: MiddlewareHandler = async (c, next) => {
  await next();
  c.header('Content-Security-Policy', CSP);
  c.header('X-Content-Type-Options', 'nosniff');
  c.header('X-Frame-Options', 'DENY');
  c.header('Referrer-Policy', 'no-referrer');
  c.header('Cross-Origin-Opener-Policy', 'same-origin');
  c.header('Cross-Origin-Resource-Policy', 'same-origin');
  if (c.res.headers.get('cache-control') === null) c.header('Cache-Control', 'no-store');
};

/** `127.0.0.1`, any other 127/8, `::1`, `localhost`. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || /^127(\.(25[0-5]|2[0-4]\d|1?\d?\d)){3}$/.test(host);
