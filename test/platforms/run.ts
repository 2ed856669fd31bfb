import { parseArgs } from 'node:util';
import { runStep } from '../house/steps.ts';

/**
 * `npm run test:load [-- --only Slack --seconds 600 --factor 1 --burst 1000]`: twenty busy runs at the
 * platforms' real rates, and a burst. `npm run test:mixed [-- --turns 3000]`: much text of every kind.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string', default: '' },
    seconds: { type: 'string', default: '600' },
    factor: { type: 'string', default: '1' },
    burst: { type: 'string', default: '1000' },
    turns: { type: 'string', default: '3000' },
  },
});
const [name = 'load'] = positionals;
const { code } = await runStep({
  name,
  argv: [
    'node_modules/.bin/vitest',
    'run',
    '--project',
    'platforms',
    `test/platforms/${name}.test.ts`,
    ...(values.only === '' ? [] : ['-t', values.only]),
  ],
  env: {
    AFK_LOAD_SECONDS: values.seconds,
    AFK_LOAD_FACTOR: values.factor,
    AFK_LOAD_BURST: values.burst,
    AFK_MIXED_TURNS: values.turns,
  },
  limitMinutes: 60,
});
process.exitCode = code ?? 1;
