import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../live/wait.ts';
import type { Scene } from './scene.ts';
import type { State } from './state.ts';

const anyOf = (from: number, to: number): number => from + Math.random() * (to - from);

/** A dialog is closed, and what stands in the box is taken out. */
const closeAndClear = async (scene: Scene): Promise<void> => {
  await until('the dialog opens', async () =>
    (await scene.agent.registry())?.status === 'waiting' ? true : undefined,
  );
  await scene.escape();
  await scene.clear();
};

const QUESTION = /Enter to select/;
const APPROVAL = /Esc to cancel/;

/** Things that happen while a reply is being typed. */
export const RACE_STATES: readonly State[] = [
  {
    name: 'a question opens between paste and Enter',
    expected: { is: 'returned' },
    dialog: QUESTION,
    arrange: (scene) => scene.saidByHand('#later 1.5 ask'),
    between: async ({ agent }) => {
      await agent.waitForScreen(QUESTION);
    },
    leave: closeAndClear,
  },
  {
    name: 'an approval opens between paste and Enter',
    expected: { is: 'returned' },
    dialog: APPROVAL,
    arrange: (scene) => scene.saidByHand('#later 1.5 perm'),
    between: async ({ agent }) => {
      await agent.waitForScreen(APPROVAL);
    },
    leave: closeAndClear,
  },
  {
    name: 'a question opens at about the same time',
    expected: { is: 'true' },
    dialog: QUESTION,
    arrange: async (scene) => {
      await scene.saidByHand('#later 1.5 ask');
      await sleep(anyOf(0, 1_800));
    },
    leave: closeAndClear,
  },
  {
    name: 'an approval opens at about the same time',
    expected: { is: 'true' },
    dialog: APPROVAL,
    arrange: async (scene) => {
      await scene.saidByHand('#later 1.5 perm');
      await sleep(anyOf(0, 1_800));
    },
    leave: closeAndClear,
  },
  {
    name: 'the transcript view opens between paste and Enter',
    expected: { is: 'returned' },
    between: async ({ agent }) => {
      await agent.keys('C-o');
      await agent.waitForScreen('Showing detailed transcript');
    },
    leave: async (scene) => {
      await scene.agent.keys('C-o');
      await until('the box is back', () => scene.box());
      await scene.clear();
    },
  },
  {
    name: 'somebody scrolls between paste and Enter',
    expected: { is: 'returned' },
    between: async ({ agent }) => {
      await agent.tmux('copy-mode', '-t', agent.pane);
    },
    leave: async (scene) => {
      await scene.agent.tmux('copy-mode', '-q', '-t', scene.agent.pane);
      await scene.clear();
    },
  },
  {
    name: 'a person types between paste and Enter',
    expected: { is: 'returned' },
    drafted: 4,
    between: async (scene) => {
      await scene.agent.type('zzzz');
      await until('it is in the box', async () =>
        (await scene.draft()).includes('zzzz') ? true : undefined,
      );
    },
    leave: (scene) => scene.clear(),
  },
  {
    name: 'a person types at the same time',
    expected: { is: 'true' },
    drafted: 4,
    beside: async ({ agent }) => {
      await sleep(anyOf(0, 250));
      for (let i = 0; i < 4; i++) {
        await agent.type('z');
        await sleep(anyOf(0, 40));
      }
    },
    leave: (scene) => scene.clear(),
  },
];
