import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Bridged, openBridged } from './bridged.ts';
import { findLiveProgram } from './program.ts';

const program = await findLiveProgram();

describe.skipIf(program.isMissing)(`panes and start-up screens ${program.title}`, () => {
  let bridged: Bridged;

  beforeAll(async () => {
    // Nothing says where the servers are: they are found by the agents themselves.
    bridged = await openBridged(program, {
      stage: { isTrusted: false },
      config: { tmux: { sockets: 'auto' } },
    });
  });
  afterAll(() => bridged?.stop());

  it('S21 R1, S1: one that waits in the trust dialog appears as blocked, and a reply is held', async () => {
    const agent = await bridged.stage.start({ untilIdle: false });
    await agent.waitForScreen('Yes, I trust this folder');
    const run = await bridged.page.runOf(agent.pid, 3_000);
    const blocked = await bridged.page.state(run.id, 'blocked');
    expect(blocked.state).toMatchObject({ cause: 'trust' });
    const before = await agent.screen();
    const key = await bridged.page.reply(run.id, 'nothing may be typed');
    const held = await bridged.page.outcome(run.id, key, 'held');
    expect(held.outcome).toMatchObject({ reason: { why: 'blocked', cause: 'trust' } });
    expect(await agent.screen()).toBe(before);
    await agent.keys('Down', 'Enter');
    await bridged.page.outcome(run.id, key, 'confirmed');
    const texts = bridged.stage.api.received().flatMap((turn) => [...turn.texts]);
    expect(texts).toEqual(['nothing may be typed']);
    await agent.end();
  });

  it('R1: a run on a second tmux server is found and typed into', async () => {
    const agent = await bridged.stage.start({ server: 'second' });
    const run = await bridged.page.runOf(agent.pid, 3_000);
    expect(run.pane?.socket).toBe(bridged.stage.socket('second'));
    await bridged.page.outcome(
      run.id,
      await bridged.page.reply(run.id, 'second server'),
      'confirmed',
    );
    await agent.end();
  });

  it('R3: a dead pane is refused and its tmux server lives on', async () => {
    const agent = await bridged.stage.start();
    await agent.tmux('set-option', '-w', '-t', agent.pane, 'remain-on-exit', 'on');
    const run = await bridged.page.runOf(agent.pid);
    await bridged.page.state(run.id, 'idle');
    await agent.end();
    const key = await bridged.page.reply(run.id, 'to a dead pane');
    await bridged.page.outcome(run.id, key, 'refused');
    expect((await agent.tmux('list-panes', '-t', agent.pane, '-F', '#{pane_dead}')).trim()).toBe(
      '1',
    );
  });
});
