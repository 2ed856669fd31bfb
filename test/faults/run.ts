import { parseArgs } from 'node:util';
import { runStep } from '../house/steps.ts';

/** `npm run test:faults -- --repeat 20 [--only NAME]`: each fault of each platform so many times. */
const { values } = parseArgs({
  options: {
    repeat: { type: 'string', default: '20' },
    only: { type: 'string', default: '' },
  },
});
const { code } = await runStep({
  name: 'faults',
  argv: [
    'node_modules/.bin/vitest',
    'run',
    '--project',
    'faults',
    ...(values.only === '' ? [] : ['-t', values.only]),
  ],
  env: { AFK_FAULT_REPEAT: values.repeat },
  limitMinutes: 120,
});
process.exitCode = code ?? 1;
