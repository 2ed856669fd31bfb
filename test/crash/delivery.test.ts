import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BridgeProcess } from '../e2e/bridge-process.ts';
import { type ScriptedAgent, ScriptedStage } from '../fakes/scripted-stage.ts';

/** Points between two effects on a reply's way, and what must have become of it after a restart. */
const POINTS = [
  { point: 'reply:begun', outcome: 'confirmed' },
  { point: 'reply:paste', outcome: 'returned' },
  { point: 'reply:pasted', outcome: 'returned' },
  { point: 'reply:entering', outcome: 'returned' },
  { point: 'reply:entered', outcome: 'confirmed' },
  { point: 'reply:proved', outcome: 'confirmed' },
] as const;

describe('L1: the bridge is killed while it types', () => {
  let stage: ScriptedStage;
  let agent: ScriptedAgent;
  let bridge: BridgeProcess | undefined;

  beforeEach(async () => {
    stage = new ScriptedStage();
    agent = await stage.start();
  });
  afterEach(async () => {
    await bridge?.stop();
    await stage.stop();
  });

  const bridgeWith = (failPoint: string): BridgeProcess =>
    new BridgeProcess({
      dir: join(stage.dir, 'bridge'),
      configDir: stage.configDir,
      sockets: [stage.socket],
      entry: join(import.meta.dirname, '..', 'fakes', 'bridge-with-fail-points.ts'),
      env: { AFK_TEST_FAIL_POINT: failPoint },
    });

  it.each(POINTS)(
    'at $point: once typed, its receipt settled ($outcome)',
    async ({ point, outcome }) => {
      const text = `killed at ${point}`;
      bridge = bridgeWith(point);
      const before = await bridge.start();
      const run = await before.runOf(agent.pid);
      await before.state(run.id, 'idle');
      const key = await before.reply(run.id, text);
      expect(await bridge.ended()).toBe('SIGKILL');

      bridge = bridgeWith('none');
      const page = await bridge.start();
      const delivery = await page.outcome(run.id, key, outcome);
      expect(agent.received()).toEqual(outcome === 'returned' ? [] : [text]);
      if (outcome === 'returned') {
        // Nothing is typed on its own; a person's Send again clears what stands there and types it once.
        await page.sendAgain(run.id, delivery.id);
        await page.outcome(run.id, key, 'confirmed');
      }
      await page.outcome(run.id, await page.reply(run.id, 'the next one'), 'confirmed');
      expect(agent.received()).toEqual([text, 'the next one']);
    },
  );
});
