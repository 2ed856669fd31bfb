import { describe, expect, it } from 'vitest';
import type { DialogAnswer } from '../../../../src/bridge/model/delivery.ts';
import { decisionFor } from '../../../../src/provider/claude-code/hook-decision.ts';
import {
  type HookInput,
  wordsOfSuggestion,
} from '../../../../src/provider/claude-code/hook-input.ts';

const option = (label: string) => ({ label, description: `about ${label}` });
const colour = {
  question: 'Which?',
  header: 'C',
  multiSelect: false,
  options: ['Red', 'Green'].map(option),
};
const toppings = { ...colour, question: 'With?', multiSelect: true };
const input = (tool: string, given: unknown, more: Partial<HookInput> = {}): HookInput => ({
  hook_event_name: 'PermissionRequest',
  session_id: 's',
  tool_name: tool,
  tool_input: given,
  ...more,
});
const ask = (...questions: object[]) => input('AskUserQuestion', { questions });
const decision = (of: HookInput, answer: DialogAnswer): unknown => {
  const decided = decisionFor(of, answer);
  if ('refused' in decided) return decided.refused;
  return JSON.parse(decided.output).hookSpecificOutput.decision;
};
const answers = (given: Record<string, string>, ...questions: object[]) => ({
  behavior: 'allow',
  updatedInput: { questions, answers: given },
});

describe('Q3: what a hook answers with', () => {
  it.each<[string, HookInput, DialogAnswer, unknown]>([
    [
      'a choice',
      ask(colour),
      { type: 'choose', choices: [[1]] },
      answers({ 'Which?': 'Green' }, colour),
    ],
    [
      'several, in the order of the options',
      ask(toppings),
      { type: 'choose', choices: [[1, 0]] },
      answers({ 'With?': 'Red, Green' }, toppings),
    ],
    [
      'own words',
      ask(colour),
      { type: 'own-words', text: ' 1 of each ' },
      answers({ 'Which?': '1 of each' }, colour),
    ],
    [
      'several questions, one in own words',
      ask(colour, toppings),
      { type: 'choose', choices: [[], [0]], words: ['blue', null] },
      answers({ 'Which?': 'blue', 'With?': 'Red' }, colour, toppings),
    ],
    [
      'several questions by lines',
      ask(colour, toppings),
      { type: 'own-words', text: '2\n1, 2' },
      answers({ 'Which?': 'Green', 'With?': 'Red, Green' }, colour, toppings),
    ],
    [
      'too few lines',
      ask(colour, toppings),
      { type: 'own-words', text: '2' },
      expect.stringContaining('2 lines'),
    ],
    [
      'a number that is no choice',
      ask(colour, toppings),
      { type: 'own-words', text: '3\n1' },
      expect.stringContaining('no choice of question 1'),
    ],
    [
      'two of one',
      ask(colour),
      { type: 'choose', choices: [[0, 1]] },
      expect.stringContaining('does not fit'),
    ],
    [
      'an option that is not there',
      ask(colour),
      { type: 'choose', choices: [[7]] },
      expect.stringContaining('does not fit'),
    ],
    [
      'a yes to a question',
      ask(colour),
      { type: 'approve' },
      expect.stringContaining('takes a choice'),
    ],
    [
      'a plan, with the mode',
      input('ExitPlanMode', { allowedPrompts: [] }),
      { type: 'approve', mode: 'acceptEdits' },
      {
        behavior: 'allow',
        updatedInput: { allowedPrompts: [] },
        updatedPermissions: [{ type: 'setMode', mode: 'acceptEdits', destination: 'session' }],
      },
    ],
    [
      'a plan sent back',
      input('ExitPlanMode', {}),
      { type: 'own-words', text: 'step two' },
      { behavior: 'deny', message: 'step two' },
    ],
    ['a tool once', input('Bash', {}), { type: 'approve' }, { behavior: 'allow' }],
    [
      'a tool denied',
      input('Bash', {}),
      { type: 'deny' },
      { behavior: 'deny', message: 'The person declined.' },
    ],
    [
      'a standing permission that is offered',
      input(
        'Bash',
        {},
        {
          permission_suggestions: [
            { type: 'setMode', mode: 'acceptEdits', destination: 'session' },
          ],
        },
      ),
      { type: 'approve', standing: 0 },
      {
        behavior: 'allow',
        updatedPermissions: [{ type: 'setMode', mode: 'acceptEdits', destination: 'session' }],
      },
    ],
    [
      'one that is not',
      input('Bash', {}),
      { type: 'approve', standing: 3 },
      expect.stringContaining('not offered'),
    ],
  ])('%s', (_name, of, answer, wanted) => {
    expect(decision(of, answer)).toEqual(wanted);
  });

  it.each([
    [
      { type: 'addDirectories', directories: ['/srv'], destination: 'session' },
      'work in /srv as well (for this session)',
    ],
    [
      {
        type: 'addRules',
        behavior: 'allow',
        rules: [{ toolName: 'Bash', ruleContent: 'npm test' }],
        destination: 'localSettings',
      },
      'never ask again for Bash(npm test) (for you in this project)',
    ],
    [
      { type: 'setMode', mode: 'acceptEdits', destination: 'session' },
      'accept all edits from now on (for this session)',
    ],
    [{ type: 'somethingNew' }, undefined],
    [{ type: 'setMode', mode: 'x', destination: 'elsewhere' }, undefined],
  ])('a standing permission is said in full, or not offered: %j', (suggestion, words) => {
    expect(wordsOfSuggestion(suggestion)).toBe(words);
  });
});
