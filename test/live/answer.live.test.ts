import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { DialogAnswer } from '../../src/bridge/model/delivery.ts';
import type { DialogId } from '../../src/bridge/model/ids.ts';
import type { RunHandle } from '../../src/bridge/model/run-state.ts';
import { answerByKeys } from '../../src/provider/claude-code/answer.ts';
import type { AnswerDeps } from '../../src/provider/claude-code/answer-picker.ts';
import { MemoryAttempts } from '../../src/verify/attempts.ts';
import { context, handleOf, keyDeps, newestCall, openCall } from './delivery.ts';
import { Stage } from './harness.ts';
import type { LiveAgent } from './live-agent.ts';
import { findLiveProgram } from './program.ts';
import { until } from './wait.ts';

const program = await findLiveProgram();

describe.skipIf(program.isMissing)(`answers by keys, ${program.title}`, () => {
  let stage: Stage;
  let agent: LiveAgent;
  let run: RunHandle;
  let deps: AnswerDeps;
  const attempts = new MemoryAttempts();

  beforeAll(async () => {
    stage = await Stage.open(program);
    agent = await stage.start();
    run = await handleOf(agent);
    deps = keyDeps(agent);
  });
  afterAll(() => stage?.stop());
  // A test that failed must not leave its dialog to the next one.
  afterEach(async () => {
    if ((await agent.registry())?.status !== 'waiting') return;
    // Escape would only leave a tmux mode.
    const isInMode = (
      await agent.tmux('display', '-p', '-t', agent.pane, '#{pane_in_mode}')
    ).trim();
    if (isInMode !== '0') await agent.tmux('send-keys', '-t', agent.pane, '-X', 'cancel');
    await agent.keys('Escape');
    await agent.waitForStatus('idle');
  });

  const ask = async (script: string): Promise<DialogId> => {
    await agent.waitForStatus('idle');
    const before = await newestCall(agent);
    await agent.say(script);
    await agent.waitForStatus('waiting', 'input needed');
    return openCall(agent, 'AskUserQuestion', before);
  };
  const answer = (dialog: DialogId, what: DialogAnswer, withinMs?: number) =>
    answerByKeys(deps, run, dialog, what, context(attempts, withinMs));
  /** What the transcript's result says was answered. */
  const recorded = async (dialog: DialogId): Promise<unknown> => {
    const row = (await agent.rows()).find(
      (each) => each.type === 'user' && JSON.stringify(each).includes(`"tool_use_id":"${dialog}"`),
    );
    const result = row?.toolUseResult as { answers?: Record<string, string> } | undefined;
    return Object.values(result?.answers ?? {})[0];
  };
  /** Until a person's keys count: a picker ignores those of its first 150 ms. */
  const settled = async () => {
    await agent.waitForScreen('Enter to select');
    await until('the picker is settled', async () => {
      const since = (await agent.registry())?.statusUpdatedAt;
      return since !== undefined && Date.now() - since > 1_500 ? true : undefined;
    });
  };
  const decline = async () => {
    await settled();
    await agent.keys('Escape');
    await agent.waitForStatus('idle');
  };

  it.each([0, 1, 2])('Q4: a single choice goes by its digit (option %i)', async (option) => {
    const dialog = await ask('#ask');
    const outcome = await answer(dialog, { type: 'choose', choices: [[option]] });
    expect(outcome).toEqual({ status: 'confirmed' });
    expect(await recorded(dialog)).toBe(['Red', 'Green', 'Blue'][option]);
  });

  it.each([
    ['a line', 'neither; take 2 of them, please'],
    ['several lines', '1. first\n2. second\n\nand שלום 漢字 {}$'],
    ['2 kB', Array.from({ length: 330 }, (_, k) => `word${k % 10}`).join(' ')],
  ])('Q4: own words arrive unaltered (%s)', async (_name, text) => {
    const dialog = await ask('#ask');
    expect(await answer(dialog, { type: 'own-words', text })).toEqual({ status: 'confirmed' });
    expect(await recorded(dialog)).toBe(text);
  });

  it.each([
    [[0], 'Cheese'],
    [[2, 0], 'Cheese, Basil'],
    [[0, 1, 2, 3], 'Cheese, Olives, Basil, Onion'],
  ])('Q4: several choices are ticked, seen, reviewed and sent (%j)', async (choice, labels) => {
    const dialog = await ask('#ask multi');
    const outcome = await answer(dialog, { type: 'choose', choices: [choice] });
    expect(outcome).toEqual({ status: 'confirmed' });
    expect(await recorded(dialog)).toBe(labels);
  });

  it('Q4: boxes that somebody ticked at the terminal are set right before Submit', async () => {
    const dialog = await ask('#ask multi');
    await settled();
    await agent.keys('2');
    await agent.waitForScreen('2. [✔] Olives');
    const outcome = await answer(dialog, { type: 'choose', choices: [[3]] });
    expect(outcome).toEqual({ status: 'confirmed' });
    expect(await recorded(dialog)).toBe('Onion');
  });

  it('Q4: own words where several may be chosen', async () => {
    const dialog = await ask('#ask multi');
    const outcome = await answer(dialog, { type: 'own-words', text: '3 anchovies' });
    expect(outcome).toEqual({ status: 'confirmed' });
    expect(await recorded(dialog)).toBe('3 anchovies');
  });

  it('Q4: a cursor that stands on the row for own words is moved away before a digit', async () => {
    const dialog = await ask('#ask');
    await settled();
    await agent.keys('Up');
    await agent.waitForScreen('❯ 4. Type something.');
    const outcome = await answer(dialog, { type: 'choose', choices: [[1]] });
    expect(outcome).toEqual({ status: 'confirmed' });
    expect(await recorded(dialog)).toBe('Green');
  });

  it('Q4: an answer that somebody is typing at the terminal is not touched', async () => {
    const dialog = await ask('#ask');
    await settled();
    await agent.keys('Up');
    await agent.waitForScreen('❯ 4. Type something.');
    await agent.type('my own');
    await agent.waitForScreen('❯ 4. my own');
    const outcome = await answer(dialog, { type: 'choose', choices: [[1]] }, 1_000);
    expect(outcome).toMatchObject({ status: 'refused', reason: { why: 'expired' } });
    expect(await agent.screen()).toContain('❯ 4. my own');
    await decline();
  });

  it('Q4: in copy mode the mode is left and the answer goes', async () => {
    const dialog = await ask('#ask');
    await settled();
    await agent.tmux('copy-mode', '-t', agent.pane);
    const outcome = await answer(dialog, { type: 'choose', choices: [[2]] });
    expect(outcome).toEqual({ status: 'confirmed' });
    expect(await recorded(dialog)).toBe('Blue');
  });

  it('Q4: another dialog than the one that was shown gets no key', async () => {
    const old = await ask('#ask');
    await decline();
    const open = await ask('#ask');
    const outcome = await answer(old, { type: 'choose', choices: [[0]] });
    expect(outcome).toMatchObject({ status: 'refused', reason: { why: 'already-answered' } });
    expect(await openCall(agent)).toBe(open);
    expect((await agent.registry())?.waitingFor).toBe('input needed');
    await decline();
  });

  it('Q5: answered at the terminal first: refused, with what was chosen', async () => {
    const dialog = await ask('#ask');
    await settled();
    await agent.keys('1');
    await agent.waitForStatus('idle');
    const outcome = await answer(dialog, { type: 'choose', choices: [[1]] });
    expect(outcome).toMatchObject({
      status: 'refused',
      reason: { why: 'already-answered', detail: 'It was answered already: Red.' },
    });
    expect(await agent.screen()).toMatch(/❯\s*\n─+/);
  });

  it('Q4: while somebody types the picker stays away and no key is pressed', async () => {
    await agent.waitForStatus('idle');
    const before = await newestCall(agent);
    await agent.say('#ask');
    const dialog = await openCall(agent, 'AskUserQuestion', before);
    let isTyping = true;
    const typing = (async () => {
      while (isTyping) await agent.type('x');
    })();
    const outcome = await answer(dialog, { type: 'choose', choices: [[1]] }, 1_500);
    isTyping = false;
    await typing;
    expect(outcome).toMatchObject({ status: 'refused', reason: { why: 'expired' } });
    expect(await recorded(dialog)).toBeUndefined();
    // Once nobody types it appears, and the next try goes.
    expect(await answer(dialog, { type: 'choose', choices: [[1]] })).toEqual({
      status: 'confirmed',
    });
    await agent.waitForStatus('idle');
    await agent.keys('C-e', ...Array.from({ length: 12 }, () => 'C-u'));
  });

  it.each(['#ask two', '#ask previews'])('Q2: %s gets no keys: the link', async (script) => {
    const dialog = await ask(script);
    const outcome = await answer(dialog, { type: 'choose', choices: [[0], [0]] });
    expect(outcome).toMatchObject({ status: 'refused', reason: { why: 'not-verified' } });
    await decline();
  });

  it('Q4: on a version without a verified recipe no key is pressed', async () => {
    const dialog = await ask('#ask');
    const elsewhere: AnswerDeps = {
      ...deps,
      registry: async (handle) => {
        const entry = await deps.registry(handle);
        return typeof entry === 'string' ? entry : { ...entry, version: '9.9.9' };
      },
    };
    const outcome = await answerByKeys(
      elsewhere,
      run,
      dialog,
      { type: 'choose', choices: [[0]] },
      context(attempts),
    );
    expect(outcome).toMatchObject({ status: 'refused', reason: { why: 'not-verified' } });
    expect(await recorded(dialog)).toBeUndefined();
    await decline();
  });

  it('L1: the same delivery again presses nothing and gives the same outcome', async () => {
    const dialog = await ask('#ask');
    const ctx = context(attempts);
    const choice: DialogAnswer = { type: 'choose', choices: [[0]] };
    expect(await answerByKeys(deps, run, dialog, choice, ctx)).toEqual({ status: 'confirmed' });
    expect(await answerByKeys(deps, run, dialog, choice, ctx)).toEqual({ status: 'confirmed' });
    await agent.waitForStatus('idle');
    expect(await agent.screen()).toMatch(/❯\s*\n─+/);
  });
});
