import type { Script } from '../tui/script.ts';
import { approvalIn } from './approval.ts';
import { question } from './question.ts';
import { refactoring } from './refactoring.ts';

/** Names of the stories that `--script` takes and the demo plays. */
export const storyNames = ['refactoring', 'question', 'approval'] as const;

export const storyNamed = (name: string, cwd: string): Script | undefined =>
  [refactoring, question, approvalIn(cwd)].find((story) => story.name === name);
