import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type { ChatEventSink } from '../../bridge/ports/chat-adapter.ts';
import type { Clock } from '../../bridge/ports/clock.ts';
import type { Log } from '../../bridge/ports/log.ts';
import type { ChangeFeed } from '../../bridge/ports/run-reader.ts';
import { MAX_BODY_BYTES } from './body.ts';
import { streamEvents } from './events.ts';
import { checkNames, type Names, problem, securityHeaders } from './guard.ts';
import { pageFiles } from './page-files.ts';
import { actRoutes } from './routes-act.ts';
import { loginRoutes, needSession } from './routes-login.ts';
import { type ReadDeps, readRoutes } from './routes-read.ts';

/** A page of the operator's own tools (`/healthz`, `/readyz`, `/metrics`): no session, no content of runs. */
export type Probe = () => Response | Promise<Response>;

export interface AppDeps extends ReadDeps {
  readonly changes: ChangeFeed;
  readonly sink: ChatEventSink;
  readonly clock: Clock;
  readonly log: Log;
  readonly newId: () => string;
  readonly token: string;
  readonly isSecure: boolean;
  readonly names: () => Names;
  /** By path. */
  readonly probes: Readonly<Record<string, Probe>>;
  readonly pageDir: string;
  readonly signal: AbortSignal;
}

/** The whole web server but its socket. */
export const createApp = (deps: AppDeps): Hono => {
  const app = new Hono();
  app.use(securityHeaders);
  app.use(checkNames(deps.names));
  app.use(
    bodyLimit({
      maxSize: MAX_BODY_BYTES,
      onError: (c) => {
        // The rest of the body is not read: the connection cannot carry another request.
        c.header('Connection', 'close');
        return problem(
          c,
          413,
          'too-large',
          `At most ${MAX_BODY_BYTES / 1024} kB can be sent at once.`,
        );
      },
    }),
  );
  for (const [path, probe] of Object.entries(deps.probes)) app.get(path, () => probe());

  const page = pageFiles(deps.pageDir);
  app.get('/', page.index);
  app.get('/run/:id', page.index);
  app.get('/page/:name', page.file);

  app.route('/api', loginRoutes(deps));
  app.use('/api/*', needSession(deps));
  app.route('/api', readRoutes(deps));
  app.route('/api', actRoutes(deps));
  app.get('/api/events', streamEvents(deps));

  app.notFound((c) => problem(c, 404, 'no-page', 'There is nothing here.'));
  app.onError((error, c) => {
    deps.log.error({ err: error, path: c.req.path }, 'the web page could not be served');
    return problem(c, 500, 'failed', 'Something went wrong here; the bridge’s log tells more.');
  });
  return app;
};
