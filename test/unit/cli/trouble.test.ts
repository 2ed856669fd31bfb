import { expect, it } from 'vitest';
import { warnSparingly } from '../../../src/cli/trouble.ts';
import { FakeClock } from '../../fakes/fake-clock.ts';

it('warns of the same trouble once in ten minutes, and of each other one at once (O4)', async () => {
  const clock = new FakeClock();
  const lines: string[] = [];
  const say = (level: string) => (_: object, message: string) =>
    void lines.push(`${level} ${message}`);
  const log = { debug: say('debug'), info: say('info'), warn: say('warn'), error: say('error') };
  const onProblem = warnSparingly({ log, clock });
  onProblem('a is silent', new Error('x'));
  onProblem('a is silent', new Error('x'));
  onProblem('b is silent', new Error('x'));
  await clock.advance(10 * 60_000);
  onProblem('a is silent', new Error('x'));
  expect(lines).toEqual([
    'warn a is silent',
    'debug a is silent',
    'warn b is silent',
    'warn a is silent',
  ]);
});
