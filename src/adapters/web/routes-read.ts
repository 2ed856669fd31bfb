import { Hono } from 'hono';
import { id, type RunId } from '../../bridge/model/ids.ts';
import { type RunSummary, replyIs } from '../../bridge/model/run-state.ts';
import type { DeliveryReader, RunReader } from '../../bridge/ports/run-reader.ts';
import { query, readQuery } from './body.ts';
import { problem } from './guard.ts';

export interface ReadDeps {
  readonly runs: RunReader;
  readonly deliveries: DeliveryReader;
}

/** A run as the page gets it: what a reply would be now is said by the bridge, not guessed there (S1). */
const toView = (run: RunSummary) => ({ ...run, replyIs: replyIs(run.state) });

/** What the page reads. Nothing is cached: every call asks the reader. */
export const readRoutes = (deps: ReadDeps): Hono => {
  const app = new Hono();
  const runId = (value: string): RunId => id<RunId>(value);

  app.get('/runs', async (c) => c.json({ runs: (await deps.runs.list()).map(toView) }));

  app.get('/runs/:id', async (c) => {
    const run = await deps.runs.run(runId(c.req.param('id')));
    return run === null
      ? problem(c, 404, 'no-run', 'This run is not known here any more.')
      : c.json({ run: toView(run) });
  });

  app.get('/runs/:id/items', async (c) => {
    const read = readQuery(c, query.items);
    if ('response' in read) return read.response;
    const { before, limit } = read.value;
    return c.json(await deps.runs.window(runId(c.req.param('id')), before, limit));
  });

  app.get('/runs/:id/changes', async (c) => {
    const read = readQuery(c, query.changes);
    if ('response' in read) return read.response;
    return c.json(await deps.runs.changes(runId(c.req.param('id')), read.value.cursor));
  });

  app.get('/runs/:id/deliveries', (c) =>
    c.json({ deliveries: deps.deliveries.forRun(runId(c.req.param('id'))) }),
  );
  return app;
};
