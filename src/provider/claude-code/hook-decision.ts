import type { DialogQuestion } from '../../bridge/model/conversation.ts';
import type { DialogAnswer } from '../../bridge/model/delivery.ts';
import type { HookInput } from './hook-input.ts';
import { questionInput } from './schema-tools.ts';

/** What a hook prints, and what the transcript must say afterwards. */
export type Decided =
  | { readonly output: string; readonly expected: string }
  /** A sentence for the person: nothing was decided. */
  | { readonly refused: string };

const say = (decision: object, expected: string): Decided => ({
  output: JSON.stringify({
    hookSpecificOutput: { hookEventName: 'PermissionRequest', decision },
  }),
  expected,
});

/** One line per question: its numbers, or own words. */
const linesOf = (
  text: string,
  questions: readonly DialogQuestion[],
): readonly string[] | string => {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  if (lines.length !== questions.length)
    return `There are ${questions.length} questions: answer with ${questions.length} lines, each with the number of its choice or your own words.`;
  const answers: string[] = [];
  for (const [n, line] of lines.entries()) {
    const question = questions[n];
    if (question === undefined) continue;
    if (!/^\d+([,\s]+\d+)*$/.test(line)) {
      answers.push(line);
      continue;
    }
    const chosen = labels(
      question,
      line.split(/[,\s]+/).map((digit) => Number(digit) - 1),
    );
    if (chosen === undefined)
      return `“${line}” is no choice of question ${n + 1}: it has ${question.options.length} options${question.multiSelect ? '' : ', of which one'}.`;
    answers.push(chosen);
  }
  return answers;
};

/** In the order of the options; undefined where one is missing, or too many or none are chosen. */
const labels = (question: DialogQuestion, choice: readonly number[]): string | undefined => {
  const chosen = [...new Set(choice)].sort((a, b) => a - b);
  if (chosen.length === 0 || (chosen.length > 1 && !question.multiSelect)) return undefined;
  const names = chosen.map((n) => question.options[n]?.label);
  return names.every((name) => name !== undefined) ? names.join(', ') : undefined;
};

const answersOf = (
  questions: readonly DialogQuestion[],
  answer: DialogAnswer,
): readonly string[] | string => {
  if (answer.type === 'own-words') {
    const text = answer.text.trim();
    if (text === '') return 'The answer is empty.';
    return questions.length === 1 ? [text] : linesOf(text, questions);
  }
  if (answer.type !== 'choose') return 'A question takes a choice or your own words.';
  const answers = questions.map(
    (question, n) => answer.words?.[n]?.trim() || labels(question, answer.choices[n] ?? []),
  );
  return answers.every((each) => each !== undefined)
    ? answers
    : 'The answer does not fit the questions.';
};

const decideQuestion = (input: HookInput, answer: DialogAnswer): Decided => {
  const read = questionInput.safeParse(input.tool_input);
  if (!read.success) return { refused: 'The question has a shape that is not known here.' };
  const { questions } = read.data;
  const given = answersOf(questions as readonly DialogQuestion[], answer);
  if (typeof given === 'string') return { refused: given };
  const answers = Object.fromEntries(questions.map((q, n) => [q.question, given[n] ?? '']));
  const asked = (input.tool_input as { readonly questions: unknown }).questions;
  return say(
    { behavior: 'allow', updatedInput: { questions: asked, answers } },
    Object.values(answers).join('; '),
  );
};

/** A denial must say something: Claude Code hands it to the agent as the tool's result. */
const declined = 'The person declined.';

const feedbackOf = (answer: DialogAnswer): string | undefined => {
  if (answer.type === 'own-words') return answer.text.trim() || declined;
  if (answer.type === 'deny') return answer.feedback?.trim() || declined;
  return undefined;
};

/** The decision for a request of Claude Code 2.1.332 (compat/claude-code, Hooks). PURE. */
export const decisionFor = (input: HookInput, answer: DialogAnswer): Decided => {
  if (input.tool_name === 'AskUserQuestion') return decideQuestion(input, answer);
  const feedback = feedbackOf(answer);
  if (feedback !== undefined) return say({ behavior: 'deny', message: feedback }, 'declined');
  if (answer.type !== 'approve') return { refused: 'This takes a yes or a no.' };
  const isPlan = input.tool_name === 'ExitPlanMode';
  // A plain allow is ignored for a plan (0/2).
  const base = { behavior: 'allow', ...(isPlan && { updatedInput: input.tool_input }) };
  if (answer.mode !== undefined) {
    const permission = { type: 'setMode', mode: answer.mode, destination: 'session' };
    return say({ ...base, updatedPermissions: [permission] }, 'approved');
  }
  if (answer.standing === undefined) return say(base, 'approved');
  const standing = input.permission_suggestions?.[answer.standing];
  return standing === undefined
    ? { refused: 'This standing permission is not offered.' }
    : say({ ...base, updatedPermissions: [standing] }, 'approved');
};
