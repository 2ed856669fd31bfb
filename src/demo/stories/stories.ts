import type { Script } from '../tui/script.ts';
import { approvalIn } from './approval.ts';
import { question } from './question.ts';
import { refactoring } from './refactoring.ts';

/** Names that `--script` takes and the demo plays. */
export type StoryName = 'refactoring' | 'question' | 'approval';

export const storyNamed = (name: string, cwd: string): Script | undefined =>
  [refactoring, question, approvalIn(cwd)].find((story) => story.name === name);
