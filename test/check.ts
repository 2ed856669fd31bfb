import { runStep, STATIC_STEPS, testStep } from './house/steps.ts';

/** `npm run check`: is the work done? Format, lint, types, dead code, fast tests; all of them, whatever fails. */
const lines: string[] = [];
for (const step of [...STATIC_STEPS, testStep('fast', '.artefacts/tests/fast.json', 5)]) {
  console.log(`\n── ${step.name}`);
  const { code, seconds } = await runStep(step);
  if (code !== 0) process.exitCode = 1;
  lines.push(`  ${code === 0 ? 'ok    ' : 'FAILED'} ${step.name} (${seconds} s)`);
}
console.log(`\n── summary\n${lines.join('\n')}`);
