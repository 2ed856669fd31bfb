import { randomUUID } from 'node:crypto';
import { basename, join } from 'node:path';
import { draw } from './draw.ts';
import { registryFile, transcriptFile, truthFile } from './files.ts';
import { handle, type TuiEvent } from './machine.ts';
import { readPast } from './past.ts';
import { branchOf, lifeOf, procStartOf, tmuxOf } from './process.ts';
import { type Chain, newId } from './rows.ts';
import type { Script } from './script.ts';
import { type Effect, newTui } from './state.ts';
import { terminal } from './terminal.ts';
import { writesInOrder } from './writes.ts';

export interface TuiOptions {
  readonly configDir: string;
  readonly script: Script;
  readonly isUntrusted: boolean;
  /** JSONL that gets what really happened. */
  readonly groundTruth: string | undefined;
  /** Scales every wait: 0.1 is ten times faster. */
  readonly pace: number;
  readonly version: string;
  readonly permissionMode: string;
  /** Ends by itself when this process is gone. */
  readonly watchPid: number | undefined;
  /** Goes on with this session; as a fork it gets an id and a file of its own, with a copy of the past. */
  readonly resume: { readonly session: string; readonly isFork: boolean } | undefined;
}

const signals = { SIGTERM: 143, SIGHUP: 129, SIGINT: 130 } as const;

/** Runs the scripted TUI on this terminal until it ends; the only place with its clock, files and timers. */
export const runTui = (options: TuiOptions): void => {
  const cwd = process.cwd();
  const procStart = procStartOf(process.pid) ?? String(Date.now());
  const chain: Chain = {
    session: '',
    leaf: null,
    seed: randomUUID(),
    count: 0,
    cwd,
    branch: branchOf(cwd),
    version: options.version,
    hasBegun: false,
    prompts: 0,
  };
  const { resume } = options;
  chain.session = resume && !resume.isFork ? resume.session : newId(chain);
  const bornAt = Date.now();
  const now = (): number => (Date.now() - bornAt) / options.pace;
  const transcript = transcriptFile(options.configDir, cwd);
  const past = resume && readPast(transcript.read(resume.session), chain.session);
  if (past) {
    chain.leaf = past.leaf;
    chain.hasBegun = true;
  }
  /** A fork's file begins with its copy of the past, at its first prompt. */
  let copies = resume?.isFork && past ? past.copies : [];
  const truth = truthFile(options.groundTruth);
  const registry = registryFile(options.configDir, {
    pid: process.pid,
    procStart,
    sessionId: chain.session,
    cwd,
    version: options.version,
    name: `${basename(cwd)}-${chain.session.slice(0, 2)}`,
    tmux: tmuxOf(process.env),
  });
  const screen = terminal((input) => dispatch({ type: 'input', input }));
  const tui = newTui({
    ...screen.size(),
    chain,
    mode: options.permissionMode,
    script: options.script,
    planDirectory: join(options.configDir, 'plans'),
    isUntrusted: options.isUntrusted,
    now: 0,
  });
  tui.shown.push(...(past?.shown ?? []));

  const rowWrites = writesInOrder();
  const registryWrites = writesInOrder();

  let hasEnded = false;
  const end = (code: number): void => {
    if (hasEnded) return;
    hasEnded = true;
    rowWrites.finish();
    registryWrites.drop();
    registry.remove();
    screen.close();
    process.stdout.write(`\nResume this session with:\nclaude --resume ${chain.session}\n`, () =>
      process.exit(code),
    );
    setTimeout(() => process.exit(code), 500);
  };

  const perform = (effect: Effect): void => {
    switch (effect.type) {
      case 'rows':
        rowWrites.add(effect.afterMs * options.pace, () => {
          transcript.append(effect.session, [...copies, ...effect.rows]);
          copies = [];
        });
        return;
      case 'registry':
        registryWrites.add(effect.afterMs * options.pace, () => registry.patch(effect.patch));
        return;
      case 'truth':
        truth.write(effect.entry, Date.now());
        return;
      case 'timer':
        setTimeout(
          () => dispatch({ type: 'timer', timer: effect.timer }),
          effect.ms * options.pace,
        );
        return;
      case 'exit':
        end(effect.code);
        return;
    }
  };

  const dispatch = (event: TuiEvent): void => {
    if (hasEnded) return;
    for (const effect of handle(tui, event, now(), Date.now())) perform(effect);
    if (!hasEnded) screen.show(draw(tui));
  };

  registry.writeKey();
  screen.open();
  process.stdout.on('resize', () => dispatch({ type: 'resize', ...screen.size() }));
  for (const [signal, code] of Object.entries(signals)) {
    process.on(signal as NodeJS.Signals, () => end(code));
  }
  process.stdin.on('end', () => end(0));
  const { watchPid } = options;
  if (watchPid !== undefined) {
    const life = lifeOf(watchPid);
    const look = (): void => {
      if (life === undefined || lifeOf(watchPid) !== life) end(0);
    };
    setInterval(look, 500);
  }
  dispatch({ type: 'born' });
};
