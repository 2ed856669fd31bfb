import { parseArgs } from 'node:util';
import { runStep } from '../house/steps.ts';

/**
 * `npm run test:load [-- --only Slack --seconds 600 --factor 1 --burst 1000]`: twenty busy runs at the
 * platforms' real rates, and a burst.
 */
const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    seconds: { type: 'string', default: '600' },
    factor: { type: 'string', default: '1' },
    burst: { type: 'string', default: '1000' },
  },
});
const { code } = await runStep({
  name: 'load',
  argv: [
    'node_modules/.bin/vitest',
    'run',
    '--project',
    'platforms',
    'test/platforms/load.test.ts',
    ...(values.only === '' ? [] : ['-t', values.only]),
  ],
  env: {
    AFK_LOAD_SECONDS: values.seconds,
    AFK_LOAD_FACTOR: values.factor,
    AFK_LOAD_BURST: values.burst,
  },
  limitMinutes: 60,
});
process.exitCode = code ?? 1;
