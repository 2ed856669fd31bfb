import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serveMemoryPlatform } from '../fakes/memory-server.ts';
import { type ReadThread, readThreads } from '../fakes/memory-threads.ts';
import { type ScriptedAgent, ScriptedStage } from '../fakes/scripted-stage.ts';
import { BridgeProcess } from './bridge-process.ts';
import { eventually } from './page-client.ts';

/** Points between two effects on the way from the transcript to the platform. */
const POINTS = [
  'publish:received',
  'publish:planned',
  'publish:committed',
  'dispatch:chosen',
  'dispatch:begun',
  'dispatch:sent',
  'dispatch:completed',
] as const;

// Each test goes on where the one before it ended: none can be tried again.
describe('L1, R2: the bridge is killed in the midst of posting, again and again', {
  retry: 0,
}, () => {
  let stage: ScriptedStage;
  let memory: Awaited<ReturnType<typeof serveMemoryPlatform>>;
  let agent: ScriptedAgent;
  let bridge: BridgeProcess | undefined;
  /** What was said, in order. */
  const said: string[] = [];

  beforeAll(async () => {
    stage = new ScriptedStage();
    memory = await serveMemoryPlatform();
    memory.platform.latencyMs = 10;
    agent = await stage.start();
  });
  afterAll(async () => {
    await bridge?.stop();
    await memory?.close();
    await stage?.stop();
  });

  const bridgeWith = (failPoint: string): BridgeProcess =>
    new BridgeProcess({
      dir: join(stage.dir, 'bridge'),
      configDir: stage.configDir,
      sockets: [stage.socket],
      entry: join(import.meta.dirname, '..', 'fakes', 'bridge-with-fail-points.ts'),
      env: { AFK_TEST_FAIL_POINT: failPoint, AFK_TEST_MEMORY: memory.url },
    });
  const say = async (text: string): Promise<void> => {
    await agent.say(text);
    said.push(text);
  };
  const thread = (): ReadThread | undefined => readThreads(memory.platform)[0];
  /** All that was said stands there, each once, in order, in the one thread. */
  const isWhole = async (): Promise<void> => {
    const last = `ACK ${said.at(-1)}`;
    await eventually(`${last} in the thread`, () =>
      thread()?.texts('text').at(-1) === last ? true : undefined,
    );
    expect(thread()?.texts('text')).toEqual(said.flatMap((text) => [text, `ACK ${text}`]));
    expect(thread()?.texts('head')).toHaveLength(1);
    expect(readThreads(memory.platform)).toHaveLength(1);
  };

  it('P4: begins with a run that is seen from its first word on', async () => {
    bridge = bridgeWith('none');
    await (await bridge.start()).runOf(agent.pid);
    await eventually('a thread', thread);
    await say('the first word');
    await isWhole();
    await bridge.kill();
  });

  it.each(POINTS)('P4: at %s nothing is missing and nothing stands there twice', async (point) => {
    bridge = bridgeWith(`${point}#3`);
    await bridge.start();
    const ended = bridge.ended().then(() => true);
    let isOver = false;
    for (let n = 1; !isOver; n++) {
      await say(`${n}, ${point}`);
      isOver = await Promise.race([ended, eventually('told', () => thread()).then(() => false)]);
    }
    expect(await bridge.ended()).toBe('SIGKILL');
    await say(`nobody looks, ${point}`);
    bridge = bridgeWith('none');
    await bridge.start();
    await isWhole();
    await bridge.kill();
  });

  it('R06 R07 R2, R3: a renamed window and session and a group of sessions change nothing', async () => {
    await agent.tmux('rename-session', '-t', agent.pane, 'renamed');
    await agent.tmux('rename-window', '-t', agent.pane, 'elsewhere');
    await agent.tmux('new-session', '-d', '-t', 'renamed', '-s', 'grouped');
    await say('between the names');
    bridge = bridgeWith('none');
    const page = await bridge.start();
    const run = await page.runOf(agent.pid);
    await isWhole();
    await agent.tmux('rename-session', '-t', 'renamed', 'and again');
    await agent.tmux('kill-session', '-t', 'and again');
    await page.outcome(run.id, await page.reply(run.id, 'typed after it'), 'confirmed');
    said.push('typed after it');
    await isWhole();
    expect(agent.received()).toEqual(said);
  });
});
