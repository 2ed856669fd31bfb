import { realpathSync } from 'node:fs';
import { byHand } from '../../src/provider/tmux/by-hand.ts';
import type { AgentStage, StagedAgent, ToldResult } from '../../src/verify/agent-stage.ts';
import { type ScriptedAgent, ScriptedStage } from '../fakes/scripted-stage.ts';

/** Dialogs of the ground truth, by the call that opened them. */
const toldBy = (agent: ScriptedAgent): readonly ToldResult[] => {
  let call = '';
  return agent.truth().flatMap((entry) => {
    if (entry.type === 'dialog-opened') call = entry.toolUseId ?? '';
    if (entry.type !== 'dialog-closed') return [];
    const answers = Object.values(entry.answers ?? {});
    return [{ call, text: [...answers, entry.words ?? ''].join('; ') || entry.how }];
  });
};

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

const staged = (stage: ScriptedStage, agent: ScriptedAgent): StagedAgent => ({
  pid: agent.pid,
  pane: agent.pane,
  hand: byHand({}, stage.socket, agent.pane),
  received: () => agent.received(),
  told: () => toldBy(agent),
  cutOff: () => agent.truth().filter((entry) => entry.type === 'interrupt').length,
  end: () =>
    new Promise((resolve) => {
      if (isAlive(agent.pid)) process.kill(agent.pid, 'SIGTERM');
      const timer = setInterval(() => {
        if (isAlive(agent.pid)) return;
        clearInterval(timer);
        resolve();
      }, 20);
    }),
});

/** The contract's stage with the scripted TUI; `preload` is a module that makes it a wrong one. */
export const scriptedContractStage = (
  options: { readonly preload?: string; readonly version?: string } = {},
): AgentStage => {
  const stage = new ScriptedStage();
  return {
    configDir: stage.configDir,
    socket: stage.socket,
    cwd: realpathSync(stage.dir),
    start: async () => staged(stage, await stage.start(options)),
    stop: () => stage.stop(),
  };
};
