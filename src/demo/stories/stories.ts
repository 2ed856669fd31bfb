import type { Script } from '../tui/script.ts';

const stories: readonly Script[] = [];

export const storyNamed = (name: string): Script | undefined =>
  stories.find((story) => story.name === name);
