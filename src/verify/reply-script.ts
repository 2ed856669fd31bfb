import { createHash } from 'node:crypto';
import type { ApiRequest } from './api-request.ts';
import { questionsFor } from './script-questions.ts';

export interface ToolCall {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** What the scripted model does with one request. */
export type ScriptedReply =
  | { readonly do: 'say'; readonly text: string; readonly thinking?: string }
  /** Streams a numbered word every quarter of a second. */
  | { readonly do: 'tick'; readonly seconds: number; readonly word: string }
  /** Nothing at all, until the client gives up. */
  | { readonly do: 'hang' }
  | { readonly do: 'error'; readonly status: number }
  /** `afterMs`: the message begins at once, its first call comes so much later. */
  | { readonly do: 'call'; readonly calls: readonly ToolCall[]; readonly afterMs?: number };

const maxSeconds = 300;
const maxEchoChars = 4_000;

const sample = `# Heading

A table:

| name | value |
|---|---|
| one | 1 |
| two | 2 |

- item *one*
- item **two**

\`\`\`ts
const answer: number = 42;
\`\`\`

שלום 👩‍👩‍👧 done.`;

/** What an unscripted text is answered with; shows that it arrived unaltered. */
export const acknowledge = (text: string): string =>
  `ACK len=${text.length} sha=${createHash('sha256').update(text).digest('hex').slice(0, 12)}`;

const bash = (command: string): ToolCall => ({
  name: 'Bash',
  input: { command, description: 'Run a scripted command' },
});

const planCalls = (plan: string, planFile: string | undefined): ScriptedReply[] => [
  ...(planFile === undefined
    ? []
    : [
        {
          do: 'call' as const,
          calls: [{ name: 'Write', input: { file_path: planFile, content: plan } }],
        },
      ]),
  { do: 'call', calls: [{ name: 'ExitPlanMode', input: {} }] },
];

/** Steps of one script line; a line that is no command has none. */
const stepsOf = (line: string, planFile: string | undefined, tries: number): ScriptedReply[] => {
  const match = /^#(\w+)[ \t]*(.*)$/s.exec(line);
  const rest = match?.[2]?.trim() ?? '';
  switch (match?.[1]) {
    case 'say':
      return [{ do: 'say', text: rest }];
    case 'slow': {
      const [seconds, word = 'tick'] = rest.split(/\s+/);
      return [{ do: 'tick', seconds: Math.min(Number(seconds) || 5, maxSeconds), word }];
    }
    case 'hang':
      return [{ do: 'hang' }];
    case 'bash':
    case 'perm':
      return [
        { do: 'call', calls: [bash(rest || (match[1] === 'perm' ? 'touch granted' : 'pwd'))] },
      ];
    case 'two':
      return [{ do: 'call', calls: [bash('echo one'), bash('echo two')] }];
    case 'write':
      return [
        {
          do: 'call',
          calls: [{ name: 'Write', input: { file_path: rest, content: 'scripted\n' } }],
        },
      ];
    case 'ask': {
      const questions = questionsFor(rest);
      return [{ do: 'call', calls: [{ name: 'AskUserQuestion', input: { questions } }] }];
    }
    case 'plan':
      return planCalls(rest || '# Plan\n\n1. Look\n2. Change\n3. Test', planFile);
    case 'md':
      return [{ do: 'say', text: sample }];
    case 'later': {
      const [seconds = '', ...command] = rest.split(/\s+/);
      const afterMs = Math.min(Number(seconds) || 1, maxSeconds) * 1000;
      return stepsOf(`#${command.join(' ')}`, planFile, tries).map((step) =>
        step.do === 'call' ? { ...step, afterMs } : step,
      );
    }
    case 'thinking':
      return [{ do: 'say', text: rest || 'thought about it', thinking: 'Let me think.' }];
    case 'agent':
      return [
        {
          do: 'call',
          calls: [
            {
              name: 'Agent',
              input: {
                description: 'Scripted agent',
                prompt: rest || 'report from the agent',
                subagent_type: 'general-purpose',
              },
            },
          ],
        },
      ];
    case 'error': {
      const [status = '529', times = '1000000'] = rest.split(/\s+/);
      return tries < Number(times) ? [{ do: 'error', status: Number(status) || 529 }] : [];
    }
    default:
      return [];
  }
};

/**
 * Picks the reply by the last text of a person: each line `#command …` is one step, taken one per
 * request until the turn ends. Results of tools are repeated; any other text is acknowledged.
 * `tries`: how often this very turn was asked already.
 */
export const replyTo = (request: ApiRequest, tries: number): ScriptedReply => {
  if (request.purpose === 'side') return { do: 'say', text: 'Scripted title' };
  const script = request.userTexts.at(-1) ?? '';
  const steps = script.split('\n').flatMap((line) => stepsOf(line, request.planFile, tries));
  const due = steps[request.step];
  if (due !== undefined) return due;
  const lines = [
    ...request.freshResults.map(
      (result) => `RESULT${result.isError ? ' (error)' : ''}: ${result.text}`,
    ),
    ...request.freshTexts.map(acknowledge),
  ];
  return { do: 'say', text: lines.join('\n').slice(0, maxEchoChars) || 'ACK nothing' };
};
