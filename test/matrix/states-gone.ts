import type { RunHandle } from '../../src/bridge/model/run-state.ts';
import type { LiveAgent } from '../live/live-agent.ts';
import { until } from '../live/wait.ts';
import type { Scene } from './scene.ts';
import type { State } from './state.ts';

/** Another agent takes the server's socket and the pane's number. */
const replace = async (scene: Scene): Promise<RunHandle> => {
  const { agent, rig } = scene;
  await agent.tmux('kill-server');
  await until('the first agent is gone', () => (agent.isAlive() ? undefined : true));
  const other: LiveAgent = await rig.start({ server: 'reused' });
  if (other.pane !== agent.pane || other.socket !== agent.socket)
    throw new Error(`the second agent is in ${other.pane}, not in ${agent.pane}`);
  scene.bystander = other;
  return rig.runOf(other);
};

/** The agent is not in front of its pane any more: refused, and not a byte goes there. */
export const GONE_STATES: readonly State[] = [
  {
    name: 'shell in the pane, the agent exited',
    expected: { is: 'refused', why: ['ended'] },
    start: { isInShell: true },
    isLasting: true,
    prepare: async (scene) => {
      scene.handle = scene.run;
      await scene.agent.end();
      await scene.agent.waitForScreen(/[$#]\s*$/);
    },
  },
  {
    name: 'dead pane',
    expected: { is: 'refused', why: ['ended', 'pane-gone'] },
    isLasting: true,
    prepare: async (scene) => {
      const { agent } = scene;
      scene.handle = scene.run;
      await agent.tmux('set-option', '-w', '-t', agent.pane, 'remain-on-exit', 'on');
      await agent.end();
      await until('the pane is dead', async () => {
        const dead = await agent.tmux('display-message', '-p', '-t', agent.pane, '#{pane_dead}');
        return dead.trim() === '1' ? true : undefined;
      });
    },
  },
  {
    name: 'agent suspended (Ctrl-Z)',
    expected: { is: 'refused', why: ['unreachable'] },
    start: { isInShell: true },
    isLasting: true,
    prepare: async ({ agent }) => {
      await agent.waitForScreen('? for shortcuts');
      await agent.keys('C-z');
      await agent.waitForScreen(/Stopped[\s\S]*[$#]\s*$/);
    },
  },
  {
    name: 'pane id reused by a new server',
    expected: { is: 'refused', why: ['ended', 'pane-gone'] },
    start: { server: 'reused' },
    isLasting: true,
    prepare: async (scene) => {
      await replace(scene);
      scene.handle = scene.run;
    },
  },
  {
    name: 'pane id reused, the process lives',
    expected: { is: 'refused', why: ['pane-gone'] },
    start: { server: 'reused' },
    isLasting: true,
    prepare: async (scene) => {
      const other = await replace(scene);
      // Only the pane's identity tells the two apart.
      scene.handle = { ...other, ...(scene.run.pane && { pane: scene.run.pane }) };
    },
  },
];
