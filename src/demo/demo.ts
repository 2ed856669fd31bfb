import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BridgeError, plainError } from '../bridge/model/errors.ts';
import { callTmux, type TmuxDeps } from '../provider/tmux/call.ts';
import { scriptedTui } from './launch.ts';
import { clearStage, openStage, type Stage, sweepStages } from './stage.ts';
import type { StoryName } from './stories/stories.ts';

/** The bridge of a demo, as far as the demo sees it. */
export interface DemoBridge {
  /** Address of the page, with what it takes to get in. */
  readonly link: string;
  stop(): Promise<void>;
}

export interface DemoDeps {
  /** Starts a bridge that watches the stage's tmux server and configuration directory, and nothing else. */
  readonly startBridge: (stage: Stage) => Promise<DemoBridge>;
  readonly say: (line: string) => void;
  readonly tmux: TmuxDeps;
  /** Where temporary directories are made. */
  readonly tempDir: string;
  /** See ScriptedTuiOptions. */
  readonly pace?: number;
}

interface Actor {
  readonly project: string;
  readonly branch: string;
  readonly story: StoryName;
}

const cast: readonly Actor[] = [
  { project: 'invoices', branch: 'main', story: 'refactoring' },
  { project: 'shop-api', branch: 'rate-limit', story: 'question' },
  { project: 'backoffice', branch: 'staging', story: 'approval' },
];

const oldestTmux = 3.2;

/** Throws a BridgeError that says how to get a tmux that will do. */
const checkTmux = async (tmux: TmuxDeps): Promise<void> => {
  const how =
    'Install it with your package manager, e.g. `sudo apt install tmux`, `sudo dnf install tmux` or `brew install tmux`.';
  const refuse = (message: string): BridgeError => plainError('demo-tmux', `${message} ${how}`);
  const answer = await callTmux(tmux, '/dev/null', ['-V']).catch((error: unknown) => {
    if (!(error instanceof BridgeError) || error.code !== 'tmux-missing') throw error;
    throw refuse('The demo needs tmux, which is not installed or not in PATH.');
  });
  const version = Number(/(\d+\.\d+)/.exec(answer.stdout)?.[1]);
  if (version < oldestTmux) {
    throw refuse(
      `The demo needs tmux ${oldestTmux} or newer; this one is ${answer.stdout.trim()}.`,
    );
  }
};

/** A directory with just enough of git that the branch can be read. */
const makeProject = (stage: Stage, { project, branch }: Actor): string => {
  const directory = join(stage.workDir, project);
  for (const part of ['.git/objects', '.git/refs/heads']) {
    mkdirSync(join(directory, part), { recursive: true });
  }
  writeFileSync(join(directory, '.git/HEAD'), `ref: refs/heads/${branch}\n`);
  return directory;
};

const enter = async (deps: DemoDeps, stage: Stage, actor: Actor): Promise<void> => {
  const directory = makeProject(stage, actor);
  const { argv, env } = scriptedTui({
    configDir: stage.configDir,
    script: actor.story,
    watchPid: process.pid,
    ...(deps.pace === undefined ? {} : { pace: deps.pace }),
  });
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  const result = await callTmux(deps.tmux, stage.socket, [
    ...['-f', '/dev/null', 'new-session', '-d', '-x', '120', '-y', '40'],
    ...['-s', actor.project, '-c', directory, 'env', ...variables, ...argv],
  ]);
  if (result.exitCode !== 0) {
    throw plainError('demo-run', `tmux could not start a run of the demo: ${result.stderr.trim()}`);
  }
};

const sweptWords = (count: number): string =>
  count === 1
    ? 'A demo that was killed had left something behind; it is gone now.'
    : `${count} demos that were killed had left something behind; it is gone now.`;

const untilAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });

/**
 * Shows the bridge with three scripted runs until the signal aborts; then no process, no tmux
 * server and no file of it is left. Throws a BridgeError with a sentence for the person.
 */
export const playDemo = async (deps: DemoDeps, signal: AbortSignal): Promise<void> => {
  await checkTmux(deps.tmux);
  const swept = await sweepStages(deps.tempDir, deps.tmux);
  if (swept > 0) deps.say(sweptWords(swept));
  const stage = openStage(deps.tempDir);
  let bridge: DemoBridge | undefined;
  try {
    bridge = await deps.startBridge(stage);
    for (const actor of cast) {
      if (!signal.aborted) await enter(deps, stage, actor);
    }
    deps.say('Three scripted agents are at work; nothing leaves this machine.');
    deps.say('');
    deps.say(`  Open      ${bridge.link}`);
    deps.say(`  Look at   tmux -S ${stage.socket} attach -t ${cast[0]?.project}`);
    deps.say('');
    deps.say('On the page: answer the question, reply to a run, interrupt one while it works.');
    deps.say('The approval is given in its own pane; the page shows the command that opens it.');
    deps.say('Ctrl-C ends the demo, and nothing of it stays.');
    await untilAborted(signal);
  } finally {
    try {
      await bridge?.stop();
    } finally {
      await clearStage(stage.root, deps.tmux);
    }
  }
};
