import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Stage } from './harness.ts';
import type { LiveAgent } from './live-agent.ts';
import { findLiveProgram } from './program.ts';

const program = await findLiveProgram();

describe.skipIf(program.isMissing)(`the live harness, ${program.title}`, () => {
  let stage: Stage;
  let agent: LiveAgent;
  beforeAll(async () => {
    stage = await Stage.open(program);
    agent = await stage.start();
  });
  afterAll(() => stage?.stop());

  it('what is typed by hand is what the model receives, once', async () => {
    await agent.say('hello there, "quotes" and ünï 漢字');
    const turn = await stage.api.waitForText('hello there, "quotes" and ünï 漢字');
    expect(turn.texts).toEqual(['hello there, "quotes" and ünï 漢字']);
    await agent.waitForScreen('ACK len=');
    await agent.waitForStatus('idle');
    expect(stage.api.texts()).toEqual(['hello there, "quotes" and ünï 漢字']);
  });

  it('the registry names the pane and the program', async () => {
    const entry = await agent.waitForStatus('idle');
    expect(entry.version).toBe(program.version);
    expect(entry.tmux).toMatch(new RegExp(`\\.${agent.pane}$`));
  });

  it('a message taken in mid-turn is recorded as its own turn, exactly', async () => {
    await agent.say('#bash sleep 2');
    await agent.waitForStatus('busy');
    await agent.say('and this too');
    const turn = await stage.api.waitForText('and this too');
    expect(turn.texts).toEqual(['and this too']);
    await agent.waitForStatus('idle');
  });

  it('an API error is retried, and the retry is no second turn', async () => {
    await agent.say('#error 529 1');
    const turn = await stage.api.waitForText('#error 529 1');
    await agent.waitForStatus('idle', undefined, 30_000);
    expect(stage.api.texts().filter((text) => text === '#error 529 1')).toEqual(turn.texts);
  });

  it('nothing is left after stop', async () => {
    const other = await Stage.open(program);
    const second = await other.start({ server: 'second', size: [80, 20] });
    await other.stop();
    expect(second.isAlive()).toBe(false);
    await expect(second.tmux('list-sessions')).rejects.toThrow();
  });
});
