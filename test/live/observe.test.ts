import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Item } from '../../src/bridge/model/conversation.ts';
import { id, type RunId } from '../../src/bridge/model/ids.ts';
import type { RunHandle } from '../../src/bridge/model/run-state.ts';
import type { Observation } from '../../src/bridge/ports/agent-provider.ts';
import type { Clock } from '../../src/bridge/ports/clock.ts';
import { Locator } from '../../src/provider/claude-code/locate.ts';
import { observe } from '../../src/provider/claude-code/observe.ts';
import { Registry } from '../../src/provider/claude-code/registry.ts';
import { FileWatcher } from '../../src/provider/claude-code/watch.ts';
import { Stage } from './harness.ts';
import type { LiveAgent } from './live-agent.ts';
import { findLiveProgram } from './program.ts';

const program = await findLiveProgram();
const clock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(done, ms);
      if (signal?.aborted === true) done();
      else signal?.addEventListener('abort', done, { once: true });
    }),
};

describe.skipIf(program.isMissing)(`observing the real program, ${program.title}`, () => {
  let stage: Stage;
  let agent: LiveAgent;
  let watcher: FileWatcher;
  let task: Promise<void>;
  const stop = new AbortController();
  const seen: Observation[] = [];
  const until = <T>(of: () => T) => expect.poll(of, { timeout: 30_000, interval: 20 });
  const items = (): Item[] => {
    const newest = new Map<string, Item>();
    for (const { items: given } of seen) for (const item of given) newest.set(item.id, item);
    return [...newest.values()];
  };
  const texts = (): string[] =>
    items().flatMap((i) => (i.kind === 'text' ? [`${i.role}: ${i.text} (${i.status})`] : []));

  beforeAll(async () => {
    stage = await Stage.open(program);
    agent = await stage.start();
    const { configDir, pid } = agent;
    const entry = await agent.waitForStatus('idle');
    const run: RunHandle = {
      id: id<RunId>(`live-${pid}`),
      pid,
      procStart: entry.procStart,
      startedAt: Date.now() - 10_000,
      cwd: stage.home.cwd,
      session: id(entry.sessionId),
    };
    const registry = new Registry({ clock });
    watcher = new FileWatcher({ onError: (error) => expect.fail(String(error)) });
    task = (async () => {
      const deps = {
        clock,
        locator: new Locator({ clock }),
        projectsDir: () => join(configDir, 'projects'),
        readEntry: () => registry.read(configDir, pid),
        entryPath: () => join(configDir, 'sessions', `${pid}.json`),
        isAlive: () => agent.isAlive(),
        hints: watcher,
      };
      for await (const step of observe(deps, run, undefined, stop.signal)) seen.push(step);
    })();
  });
  afterAll(async () => {
    stop.abort();
    await task;
    await watcher?.close();
    await stage?.stop();
  });

  it('R4 is idle without a transcript, then gives it from its first byte', async () => {
    await until(() => seen.at(-1)?.state.name).toBe('idle');
    await agent.say('#say hello');
    await until(texts).toEqual(['user: #say hello (sent)', 'agent: hello (sent)']);
    await until(() => seen.at(-1)?.state.name).toBe('needs-input');
    expect(seen.map((s) => s.state.name)).toContain('working');
    expect(items().at(-1)).toMatchObject({ endsTurn: true });
  });

  it('S1 Q1 shows a question while it is open, and how it was declined', async () => {
    await agent.say('#ask');
    await until(() => seen.at(-1)?.state.name).toBe('question-pending');
    await until(() => seen.at(-1)?.pendingDialog?.content.type).toBe('question');
    await agent.waitForScreen('Enter to select');
    await agent.tmux('send-keys', '-t', agent.pane, 'Escape');
    await until(() => items().find((i) => i.kind === 'dialog')).toMatchObject({
      status: 'declined',
    });
    await until(() => seen.at(-1)?.state.name).toBe('idle');
    expect(seen.at(-1)?.pendingDialog).toBeUndefined();
  });

  it('R2 goes on across /clear', async () => {
    const before = await agent.session();
    await agent.say('/clear');
    await until(() => seen.at(-1)?.session === before).toBe(false);
    await agent.say('#say again');
    await until(texts).toContain('agent: again (sent)');
    expect(
      items()
        .filter((i) => i.kind === 'lifecycle')
        .map((i) => i.event),
    ).toContain('cleared');
    expect(seen.at(-1)?.origin).toBe('cleared');
  });

  it('R2 marks what a rewind over two turns left behind; its menu is blocked', async () => {
    const press = (key: string) => agent.tmux('send-keys', '-t', agent.pane, key);
    await agent.say('#say second');
    await until(texts).toContain('agent: second (sent)');
    await until(() => seen.at(-1)?.state.name).toBe('needs-input');
    await press('Escape');
    await press('Escape');
    await agent.waitForScreen('Enter to continue');
    await until(() => seen.at(-1)?.state).toEqual({ name: 'blocked', cause: 'menu' });
    await press('Up');
    await agent.waitForScreen('❯ #say second\n    No code changes');
    await press('Up');
    await agent.waitForScreen('❯ #say again\n    No code changes');
    await press('Enter');
    await agent.waitForScreen('1. Restore conversation');
    await press('Enter');
    await until(() => seen.at(-1)?.state.name).toBe('needs-input');
    // The prompt stands in the box again.
    await agent.say(' and again');
    await until(texts).toContain('agent: again and again (sent)');
    expect(texts()).toEqual(
      expect.arrayContaining([
        'user: #say again (abandoned)',
        'agent: again (abandoned)',
        'user: #say second (abandoned)',
        'agent: second (abandoned)',
        'user: #say hello (sent)',
      ]),
    );
    expect(items().filter((i) => i.kind === 'lifecycle' && i.event === 'rewound')).toHaveLength(1);
  });

  it('R6 says that it ended', async () => {
    await agent.say('/exit');
    await until(() => seen.at(-1)?.state).toEqual({ name: 'ended', how: 'exited' });
    await task;
  });
});
