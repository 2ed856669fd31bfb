import { until } from '../live/wait.ts';
import type { State } from './state.ts';
import type { MatrixText } from './texts.ts';

const STREAM_SECONDS = 3;

export const IDLE: State = { name: 'idle', expected: { is: 'confirmed' } };

/** A turn that streams, long enough for this text. */
export const streaming = ({ streamSeconds = STREAM_SECONDS }: MatrixText): State => ({
  name: 'streaming',
  expected: { is: 'queued' },
  arrange: (scene) => scene.saidByHand(`#slow ${streamSeconds}`),
});

/** States of the terminal and the box in which a reply goes, or is held for a person's draft. */
const BOX_STATES: readonly State[] = [
  {
    name: 'copy mode',
    expected: { is: 'confirmed' },
    arrange: async ({ agent }) => {
      await agent.tmux('copy-mode', '-t', agent.pane);
    },
  },
  {
    name: 'completion popup open',
    expected: { is: 'held', why: 'foreign-draft' },
    arrange: async ({ agent }) => {
      await agent.type('/co');
      await agent.waitForScreen(/\/compact|\/config|\/context/);
    },
    leave: (scene) => scene.clear(),
  },
  {
    name: 'help menu open',
    expected: { is: 'confirmed' },
    arrange: async ({ agent }) => {
      await agent.type('?');
      await agent.waitForScreen('/ for commands');
    },
  },
  {
    name: 'foreign draft',
    expected: { is: 'held', why: 'foreign-draft' },
    drafted: 5,
    arrange: async ({ agent }) => {
      await agent.type('zz zzz');
      await agent.waitForScreen('zz zzz');
    },
    leave: (scene) => scene.clear(),
  },
  { name: 'pane 24x8', expected: { is: 'confirmed' }, start: { size: [24, 8] } },
  { name: 'pane 40x40', expected: { is: 'confirmed' }, start: { size: [40, 40] } },
  {
    name: 'vim insert mode',
    expected: { is: 'confirmed' },
    profile: 'vim',
    arrange: async ({ agent }) => {
      // The mode is drawn late at times: an `i` too many would be a draft.
      const isInsert = async () =>
        (await agent.screen()).includes('-- INSERT --') ? true : undefined;
      if (!(await until('insert mode', isInsert, 500).catch(() => false))) await agent.keys('i');
      await agent.waitForScreen('-- INSERT --');
    },
  },
  {
    name: 'vim normal mode',
    expected: { is: 'confirmed' },
    profile: 'vim',
    arrange: async ({ agent }) => {
      if ((await agent.screen()).includes('-- INSERT --')) await agent.keys('Escape');
      await until('normal mode', async () =>
        (await agent.screen()).includes('-- INSERT --') ? undefined : true,
      );
    },
  },
  {
    name: 'just started',
    expected: { is: 'confirmed' },
    isFresh: true,
    isPatient: true,
    start: { untilIdle: false },
  },
  {
    name: 'in a tool',
    expected: { is: 'queued' },
    arrange: async (scene) => {
      await scene.saidByHand('#bash sleep 3');
      await scene.agent.waitForScreen(/sleep 3/);
    },
  },
];

/** Screens that take no reply: nothing is typed, and they stay as they are. */
const CLOSED_STATES: readonly State[] = [
  {
    name: 'transcript view (ctrl+o)',
    expected: { is: 'held', why: 'blocked', cause: 'transcript-view' },
    arrange: async ({ agent }) => {
      await agent.keys('C-o');
      await agent.waitForScreen('Showing detailed transcript');
    },
    leave: async (scene) => {
      await scene.agent.keys('C-o');
      await until('the box is back', () => scene.box());
    },
  },
  {
    name: 'rewind menu',
    expected: { is: 'held', why: 'blocked', cause: 'menu' },
    arrange: async (scene) => {
      if ((await scene.agent.rows()).length === 0) await scene.sayByHand('something to rewind to');
      await scene.agent.keys('Escape');
      await scene.agent.keys('Escape');
      await scene.agent.waitForScreen('Enter to continue');
    },
    leave: (scene) => scene.escape(),
  },
  {
    name: 'question open',
    expected: { is: 'held', why: 'dialog' },
    dialog: /Enter to select/,
    arrange: async (scene) => {
      await scene.saidByHand('#ask');
      await scene.agent.waitForStatus('waiting', 'input needed');
      await scene.agent.waitForScreen('Enter to select');
    },
    leave: (scene) => scene.escape(),
  },
  {
    name: 'approval open',
    expected: { is: 'held', why: 'dialog' },
    dialog: /Esc to cancel/,
    arrange: async (scene) => {
      await scene.saidByHand('#perm');
      await scene.agent.waitForStatus('waiting', 'permission prompt');
      await scene.agent.waitForScreen('Esc to cancel');
    },
    leave: (scene) => scene.escape(),
  },
  {
    name: 'plan open',
    expected: { is: 'held', why: 'dialog' },
    start: { mode: 'plan' },
    dialog: /ctrl\+g to edit/,
    arrange: async (scene) => {
      await scene.saidByHand('#plan');
      await scene.agent.waitForStatus('waiting', 'permission prompt');
      await scene.agent.waitForScreen('ctrl+g to edit');
    },
    leave: (scene) => scene.escape(),
  },
  {
    name: 'trust dialog',
    expected: { is: 'held', why: 'blocked', cause: 'trust' },
    profile: 'untrusted',
    start: { untilIdle: false },
    isLasting: true,
    arrange: async ({ agent }) => {
      await agent.waitForScreen('Yes, I trust this folder');
    },
  },
  {
    name: 'bypass notice',
    expected: { is: 'held', why: 'blocked', cause: 'bypass-notice' },
    profile: 'bypass',
    start: { untilIdle: false, mode: 'bypassPermissions' },
    isLasting: true,
    arrange: async ({ agent }) => {
      await agent.waitForScreen('Yes, I accept');
    },
  },
];

export const PLAIN_STATES: readonly State[] = [...BOX_STATES, ...CLOSED_STATES];
