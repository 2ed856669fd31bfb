import { questionsFor } from '../../verify/script-questions.ts';
import type { Script, Step } from './script.ts';
import { approvedBash, bash, write } from './tools.ts';

/** `tick 1 tick 2 …`, five a second. */
const ticks = (seconds: number, word: string): string => {
  const count = Math.max(1, Math.round(seconds * 5));
  return Array.from(
    { length: count },
    (_, i) => `${word} ${i + 1} ${i % 10 === 9 ? '\n' : ''}`,
  ).join('');
};

/** How long a scripted `sleep N` takes, ms. */
const sleepOf = (command: string): number =>
  Number(/\bsleep (\d+(?:\.\d+)?)/.exec(command)?.[1] ?? 0.03) * 1000;

const secondsOf = (args: string, otherwise: number): number => {
  const seconds = Number.parseFloat(args);
  return Number.isFinite(seconds) ? seconds : otherwise;
};

const sample =
  '# Heading\n\n| name | value |\n|---|---|\n| one | 1 |\n\n- item **two**\n\n```ts\nconst answer: number = 42;\n```\n\nשלום 👩‍👩‍👧 done.';

/** Steps of one line `#command …`; a line that is no command has none. */
const stepsOfLine = (line: string, cwd: string): readonly Step[] => {
  const match = /^#(\w+)[ \t]*(.*)$/s.exec(line);
  const args = match?.[2]?.trim() ?? '';
  switch (match?.[1]) {
    case 'say':
      return [{ type: 'say', text: args }];
    case 'thinking':
      return [
        { type: 'think', text: 'Let me think.' },
        { type: 'say', text: args || 'thought about it' },
      ];
    case 'slow': {
      const seconds = secondsOf(args, 5);
      return [
        { type: 'say', text: ticks(seconds, args.split(/\s+/)[1] ?? 'tick'), ms: seconds * 1000 },
      ];
    }
    case 'hang':
      return [{ type: 'wait', ms: secondsOf(args, 3600) * 1000 }];
    case 'bash':
      return [bash(args || 'pwd', sleepOf(args), args === '' ? cwd : undefined)];
    case 'two':
      return [bash('echo one', 30), bash('echo two', 30)];
    case 'perm':
      return [approvedBash(args || 'touch granted', cwd)];
    case 'write':
      return [write(args || `${cwd}/written.txt`, 'scripted\n')];
    case 'ask':
      return [{ type: 'ask', questions: questionsFor(args) }];
    case 'plan':
      return [{ type: 'plan', plan: args || '# Plan\n\n1. Look\n2. Change\n3. Test' }];
    case 'md':
      return [{ type: 'say', text: sample }];
    case 'error':
      return [{ type: 'fail', status: secondsOf(args, 529), message: 'scripted error' }];
    default:
      return [];
  }
};

/** Commands whose last step is the agent's text, or none at all. */
const endsItself = (step: Step | undefined): boolean =>
  step?.type === 'say' || step?.type === 'fail';

/** Steps of a text with `#command` lines, in their order; undefined for any other text. Nothing is really run or written. */
export const stepsOfCommand = (prompt: string, cwd: string): readonly Step[] | undefined => {
  const steps = prompt.split('\n').flatMap((line) => stepsOfLine(line, cwd));
  if (steps.length === 0) return undefined;
  return endsItself(steps.at(-1)) ? steps : [...steps, { type: 'say', text: '{result}' }];
};

/** What the agent does with a prompt. */
export const stepsFor = (script: Script, prompt: string, cwd: string): readonly Step[] =>
  stepsOfCommand(prompt, cwd) ?? script.reply ?? [{ type: 'say', text: 'ACK {prompt}' }];
