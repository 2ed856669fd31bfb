import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { DialogAnswer } from '../../src/bridge/model/delivery.ts';
import type { PendingDialog, RunSummary } from '../../src/bridge/model/run-state.ts';
import { eventually } from '../e2e/page-client.ts';
import { type Bridged, openBridged } from './bridged.ts';
import { hookArgs } from './hooked.ts';
import type { LiveAgent } from './live-agent.ts';
import { findLiveProgram } from './program.ts';

const program = await findLiveProgram();
/** More than once for each, by `AFK_REPEATS`: `AFK_REPEATS=19` makes twenty. */
const repeats = Number(process.env.AFK_REPEATS ?? 0);

describe.skipIf(program.isMissing)(`dialogs by the hook, ${program.title}`, { repeats }, () => {
  let bridged: Bridged;
  let agent: LiveAgent;
  let run: RunSummary;

  const start = async (mode?: string) => {
    agent = await bridged.stage.start({
      args: hookArgs(bridged.bridge.stateDir),
      ...(mode === undefined ? {} : { mode }),
    });
    run = await bridged.page.runOf(agent.pid);
  };

  beforeAll(async () => {
    bridged = await openBridged(program);
    await start();
  });
  afterAll(() => bridged?.stop());
  afterEach(async () => {
    if ((await agent.registry())?.status !== 'waiting') return;
    await agent.keys('Escape');
    await agent.waitForStatus('idle');
  });

  /** The dialog that this makes the agent show, once its hook waits. */
  const asked = async (prompt: string): Promise<PendingDialog> => {
    await agent.waitForStatus('idle');
    const before = (await bridged.page.run(run.id)).pendingDialog?.id;
    await agent.say(prompt);
    return eventually(
      `a dialog of ${prompt}, with its hook`,
      async () => {
        const pending = (await bridged.page.run(run.id)).pendingDialog;
        return pending?.hook !== undefined && pending.id !== before ? pending : undefined;
      },
      20_000,
    );
  };
  const outcomeOf = async (dialog: PendingDialog, answer: DialogAnswer) =>
    bridged.page.outcome(run.id, await bridged.page.answer(run.id, dialog.id, answer), [
      'confirmed',
      'refused',
      'unknown',
    ]);
  /** What the model was given as the result. */
  const results = () => bridged.stage.api.results().map(({ text }) => text);
  const answered = async (prompt: string, answer: DialogAnswer, result: string | RegExp) => {
    const before = results().length;
    const dialog = await asked(prompt);
    const seen = await outcomeOf(dialog, answer);
    expect(seen.outcome).toEqual({ status: 'confirmed' });
    const now = await eventually('the result', () => {
      const all = results().slice(before);
      return all.length > 0 ? all : undefined;
    });
    expect(now.join('\n')).toMatch(result);
    await agent.waitForStatus('idle');
  };

  it.each<[string, string, DialogAnswer, RegExp]>([
    ['one choice', '#ask', { type: 'choose', choices: [[1]] }, /colour shall it be\?"="Green"/],
    ['several', '#ask multi', { type: 'choose', choices: [[2, 0]] }, /"="Cheese, Basil"/],
    [
      'own words',
      '#ask',
      { type: 'own-words', text: '2 of them:\n- blue 👩‍👩‍👧\n- שלום' },
      /"="2 of them:\n- blue 👩‍👩‍👧\n- שלום"/,
    ],
    [
      'two questions',
      '#ask two',
      { type: 'choose', choices: [[2], [0]] },
      /be\?"="Blue".*large\?"="Small"/,
    ],
    [
      'two questions by lines',
      '#ask two',
      { type: 'own-words', text: '1\nhuge, please' },
      /be\?"="Red".*large\?"="huge, please"/,
    ],
    ['a preview', '#ask previews', { type: 'choose', choices: [[1]] }, /layout\?"="Columns"/],
    ['a tool allowed', '#bash touch one', { type: 'approve' }, /completed|no output/i],
    [
      'a tool denied with a word',
      '#bash touch two',
      { type: 'deny', feedback: 'not now, please' },
      /not now, please/,
    ],
  ])('Q3: %s', async (_name, prompt, answer, result) => {
    await answered(prompt, answer, result);
  });

  it('Q3, L5: answered at the terminal first: the hook of that dialog never answers the next one', async () => {
    const first = await asked('#ask');
    await agent.waitForScreen('Enter to select');
    await eventually('the picker takes keys', async () => {
      await agent.keys('3');
      return (await agent.registry())?.status === 'waiting' ? undefined : true;
    });
    await agent.waitForStatus('idle');
    // A digit too many stands in the box.
    await agent.keys('C-e', 'C-u');
    const second = await asked('#ask');
    expect(second.id).not.toBe(first.id);
    const late = await outcomeOf(first, { type: 'choose', choices: [[0]] });
    expect(late.outcome).toMatchObject({ status: 'refused' });
    expect((await bridged.page.run(run.id)).pendingDialog?.id).toBe(second.id);
    expect((await outcomeOf(second, { type: 'choose', choices: [[1]] })).outcome).toEqual({
      status: 'confirmed',
    });
    await agent.waitForStatus('idle');
  });

  it('L1: the bridge is killed while the dialog is open; the hook finds the next one', async () => {
    const dialog = await asked('#bash touch three');
    await bridged.bridge.kill();
    await bridged.bridge.start();
    const again = await eventually(
      'the same dialog, with its hook',
      async () => {
        const pending = (await bridged.page.run(run.id)).pendingDialog;
        return pending?.hook === undefined ? undefined : pending;
      },
      20_000,
    );
    expect(again.id).toBe(dialog.id);
    expect((await outcomeOf(again, { type: 'approve' })).outcome).toEqual({ status: 'confirmed' });
    await agent.waitForStatus('idle');
  });

  it.each<[string, DialogAnswer, RegExp]>([
    ['approved', { type: 'approve' }, /approved|User has approved/i],
    ['approved with edits', { type: 'approve', mode: 'acceptEdits' }, /approved/i],
    ['sent back with a word', { type: 'deny', feedback: 'change step two' }, /change step two/],
  ])('Q3: a plan is %s', async (_name, answer, result) => {
    await start('plan');
    await answered('#plan', answer, result);
  });
});
