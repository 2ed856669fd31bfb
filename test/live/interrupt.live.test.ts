import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { id, type TurnId } from '../../src/bridge/model/ids.ts';
import type { RunHandle } from '../../src/bridge/model/run-state.ts';
import { interruptRun } from '../../src/provider/claude-code/interrupt.ts';
import type { SubmitDeps } from '../../src/provider/claude-code/submit.ts';
import { MemoryAttempts } from '../../src/verify/attempts.ts';
import { context, handleOf, keyDeps, openCall } from './delivery.ts';
import { Stage } from './harness.ts';
import type { LiveAgent } from './live-agent.ts';
import { findLiveProgram } from './program.ts';
import { until } from './wait.ts';

const program = await findLiveProgram();

describe.skipIf(program.isMissing)(`interrupts, ${program.title}`, () => {
  let stage: Stage;
  let agent: LiveAgent;
  let run: RunHandle;
  let deps: SubmitDeps;
  const attempts = new MemoryAttempts();
  const pressed: string[] = [];

  beforeAll(async () => {
    stage = await Stage.open(program);
    agent = await stage.start();
    run = await handleOf(agent);
    const real = keyDeps(agent);
    deps = {
      ...real,
      keyboard: {
        ...real.keyboard,
        keys: (pane, keys, until) => {
          pressed.push(...keys);
          return real.keyboard.keys(pane, keys, until);
        },
      },
    };
  });
  afterAll(() => stage?.stop());
  afterEach(async () => {
    pressed.length = 0;
    // A test that failed must leave neither a turn nor a draft to the next one.
    if ((await agent.registry())?.status !== 'idle') await agent.keys('Escape');
    await agent.waitForStatus('idle');
    await agent.keys('C-e', ...Array.from({ length: 12 }, () => 'C-u'));
    await agent.waitForScreen(/❯\s*\n─+/);
  });

  /** The uuid of the newest row with this very prompt. */
  const turnOf = (text: string): Promise<TurnId> =>
    until(`a user row ${text}`, async () => {
      const rows = await agent.rows();
      const row = rows.findLast((each) => {
        const message = each.message as { content?: unknown } | undefined;
        return each.type === 'user' && message?.content === text;
      });
      return typeof row?.uuid === 'string' ? id<TurnId>(row.uuid) : undefined;
    });
  const interrupt = (turn: TurnId | undefined, withinMs = 5_000) =>
    interruptRun(deps, run, turn, context(attempts, withinMs));
  const hasRow = async (text: string) =>
    JSON.stringify((await agent.rows()).filter((row) => row.type === 'user')).includes(text);
  it('I2: while it streams: one Escape, and the record is the proof', async () => {
    await agent.say('#slow 20 alpha');
    const turn = await turnOf('#slow 20 alpha');
    await agent.waitForScreen('alpha 3');
    expect(await interrupt(turn)).toEqual({ status: 'confirmed' });
    expect(pressed).toEqual(['Escape']);
    expect(await hasRow('[Request interrupted by user]')).toBe(true);
  });

  it('I2: while a tool runs', async () => {
    await agent.say('#bash sleep 20');
    const turn = await turnOf('#bash sleep 20');
    await openCall(agent, 'Bash');
    await agent.waitForScreen('sleep 20');
    expect(await interrupt(turn)).toEqual({ status: 'confirmed' });
    expect(pressed).toEqual(['Escape']);
    expect(await hasRow('[Request interrupted by user for tool use]')).toBe(true);
  });

  it('I2: before the first token: the prompt is back in the box, nothing is recorded', async () => {
    await agent.say('#hang and nothing more');
    const turn = await turnOf('#hang and nothing more');
    await agent.waitForStatus('busy');
    expect(await interrupt(turn)).toMatchObject({
      status: 'confirmed',
      note: expect.stringContaining('input box'),
    });
    expect(pressed).toEqual(['Escape']);
    expect(await agent.screen()).toMatch(/❯\s#hang and nothing more\n─/);
  });

  it('I2: a turn that has finished gets no Escape', async () => {
    await agent.say('#say done');
    const turn = await turnOf('#say done');
    await agent.waitForScreen('done');
    await agent.waitForStatus('idle');
    expect(await interrupt(turn)).toMatchObject({
      status: 'refused',
      reason: { why: 'already-finished' },
    });
    expect(pressed).toEqual([]);
  });

  it('I2: another turn than the one that was named goes on', async () => {
    const old = await turnOf('#say done');
    await agent.say('#slow 3 beta');
    await agent.waitForStatus('busy');
    await agent.waitForScreen('beta 2');
    expect(await interrupt(old)).toMatchObject({
      status: 'refused',
      reason: { why: 'already-finished' },
    });
    expect(pressed).toEqual([]);
    await agent.waitForScreen('beta 12');
  });

  it('I3: messages that wait in its queue are sent by the interrupt, as a new turn', async () => {
    await agent.say('#slow 21 gamma');
    const turn = await turnOf('#slow 21 gamma');
    await agent.waitForScreen('gamma 2');
    await agent.say('waiting one');
    await agent.waitForScreen('Queued');
    expect(await interrupt(turn)).toEqual({ status: 'confirmed' });
    expect(pressed).toEqual(['Escape']);
    await stage.api.waitForText('waiting one');
  });

  it('A06 Q7: an open question is not declined by an interrupt', async () => {
    await agent.say('#ask');
    const turn = await turnOf('#ask');
    await agent.waitForStatus('waiting', 'input needed');
    const dialog = await openCall(agent);
    expect(await interrupt(turn)).toMatchObject({
      status: 'refused',
      reason: { why: 'not-busy' },
    });
    expect(pressed).toEqual([]);
    expect(await openCall(agent)).toBe(dialog);
    await agent.waitForScreen('Enter to select');
    await agent.keys('Escape');
  });

  it('I2: a draft in the box stays, and the turn stops', async () => {
    await agent.say('#slow 22 delta');
    const turn = await turnOf('#slow 22 delta');
    await agent.waitForScreen('delta 2');
    await agent.type('half a thought');
    await agent.waitForScreen(/❯\shalf a thought/);
    expect(await interrupt(turn)).toEqual({ status: 'confirmed' });
    expect(await agent.screen()).toMatch(/❯\shalf a thought/);
  });

  it('I2: in copy mode the mode is left first', async () => {
    await agent.say('#slow 23 epsilon');
    const turn = await turnOf('#slow 23 epsilon');
    await agent.waitForScreen('epsilon 2');
    await agent.tmux('copy-mode', '-t', agent.pane);
    expect(await interrupt(turn)).toEqual({ status: 'confirmed' });
    expect(pressed).toEqual(['Escape']);
  });

  it('I2: under a transcript view it is refused: Escape would only close the view', async () => {
    await agent.say('#slow 5 zeta');
    const turn = await turnOf('#slow 5 zeta');
    await agent.waitForScreen('zeta 2');
    await agent.keys('C-o');
    await agent.waitForScreen('Showing detailed transcript');
    expect(await interrupt(turn)).toMatchObject({
      status: 'refused',
      reason: { why: 'not-busy' },
    });
    expect(pressed).toEqual([]);
    await agent.keys('C-o');
  });

  it('L1: the same delivery again presses no second Escape', async () => {
    await agent.say('#slow 24 omega');
    const turn = await turnOf('#slow 24 omega');
    await agent.waitForScreen('omega 2');
    const ctx = context(attempts);
    expect(await interruptRun(deps, run, turn, ctx)).toEqual({ status: 'confirmed' });
    expect(await interruptRun(deps, run, turn, ctx)).toEqual({ status: 'confirmed' });
    expect(pressed).toEqual(['Escape']);
  });

  it('I2: with an open completion it is refused: Escape would only close that', async () => {
    await agent.say('#slow 5 theta');
    const turn = await turnOf('#slow 5 theta');
    await agent.waitForScreen('theta 2');
    await agent.type('/comp');
    await agent.waitForScreen('/compact');
    expect(await interrupt(turn)).toMatchObject({ status: 'refused', reason: { why: 'not-busy' } });
    expect(pressed).toEqual([]);
    await agent.keys('Escape');
  });

  it('I3: before the first token with a message in the queue: recorded, and the queue is sent', async () => {
    await agent.say('#hang with a queue');
    const turn = await turnOf('#hang with a queue');
    await agent.say('queued behind it');
    await agent.waitForScreen('Queued');
    expect(await interrupt(turn)).toEqual({ status: 'confirmed' });
    await stage.api.waitForText('queued behind it');
  });
});

describe.skipIf(program.isMissing)(`interrupts with vim keys, ${program.title}`, () => {
  it('I2: insert mode takes the first Escape: still running, and the next try stops it', async () => {
    const stage = await Stage.open(program, { settings: { editorMode: 'vim' } });
    try {
      const agent = await stage.start();
      const run = await handleOf(agent);
      const attempts = new MemoryAttempts();
      await agent.say('#slow 30 iota');
      await agent.waitForScreen('iota 2');
      await agent.waitForScreen('-- INSERT --');
      const first = await interruptRun(keyDeps(agent), run, undefined, context(attempts));
      expect(first).toMatchObject({
        status: 'unknown',
        reason: expect.stringContaining('still running'),
      });
      const second = await interruptRun(keyDeps(agent), run, undefined, context(attempts));
      expect(second).toEqual({ status: 'confirmed' });
    } finally {
      await stage.stop();
    }
  });
});
