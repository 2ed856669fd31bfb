import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunSummary } from '../../src/bridge/model/run-state.ts';
import { eventually } from '../e2e/page-client.ts';
import { type Bridged, openBridged } from './bridged.ts';
import type { LiveAgent } from './live-agent.ts';
import { findLiveProgram } from './program.ts';

const program = await findLiveProgram();

describe.skipIf(program.isMissing)(`un-sent and interrupted ${program.title}`, () => {
  let bridged: Bridged;
  let agent: LiveAgent;
  let run: RunSummary;

  beforeAll(async () => {
    bridged = await openBridged(program);
    agent = await bridged.stage.start();
    run = await bridged.page.runOf(agent.pid);
    // A first turn: the transcript is there.
    await bridged.page.outcome(run.id, await bridged.page.reply(run.id, 'first'), 'confirmed');
  });
  afterAll(() => bridged?.stop());

  const received = (): readonly string[] =>
    bridged.stage.api.received().flatMap((turn) => [...turn.texts]);
  const send = (text: string): Promise<string> => bridged.page.reply(run.id, text);

  /** A reply that a person takes back with Escape before the first token. */
  const unsent = async (text: string): Promise<{ key: string; delivery: string }> => {
    await agent.waitForStatus('idle');
    const key = await send(text);
    await bridged.page.outcome(run.id, key, 'confirmed');
    await agent.waitForStatus('busy');
    await agent.keys('Escape');
    const { id } = await bridged.page.outcome(run.id, key, 'returned');
    expect(await agent.screen()).toContain(text);
    return { key, delivery: id };
  };

  it('D3: Escape before the first token ends as returned; the next reply clears it and arrives alone', async () => {
    await unsent('#hang one');
    await bridged.page.outcome(run.id, await send('arrives alone'), 'confirmed');
    await agent.waitForStatus('idle');
    expect(received().at(-1)).toBe('arrives alone');
  });

  it('D3: Send again types it anew', async () => {
    const { key, delivery } = await unsent('#hang two');
    await bridged.page.sendAgain(run.id, delivery);
    await bridged.page.outcome(run.id, key, 'confirmed');
    await agent.waitForStatus('busy');
    expect(received().filter((text) => text === '#hang two')).toHaveLength(2);
    await agent.keys('Escape');
    await bridged.page.outcome(run.id, key, 'returned');
  });

  it('D3: Discard ends it and takes it out of the box', async () => {
    await bridged.page.outcome(run.id, await send('in between'), 'confirmed');
    const { key, delivery } = await unsent('#hang three');
    await bridged.page.discard(run.id, delivery);
    const ended = await bridged.page.outcome(run.id, key, 'refused');
    expect(ended.outcome).toMatchObject({ reason: { why: 'discarded' } });
    await eventually('the box is empty', async () =>
      (await agent.screen()).split('\n').some((line) => /^❯\s*$/.test(line)) ? true : undefined,
    );
  });

  it('D5: a returned draft that a person changed is theirs: the next reply is held', async () => {
    await unsent('#hang four');
    await agent.type(' and more');
    await agent.waitForScreen('#hang four and more');
    const key = await send('waits for the person');
    const held = await bridged.page.outcome(run.id, key, 'held');
    expect(held.outcome).toMatchObject({ reason: { why: 'foreign-draft' } });
    expect(await agent.screen()).toContain('#hang four and more');
    await agent.keys('C-u');
    await bridged.page.outcome(run.id, key, 'confirmed');
    await agent.waitForStatus('idle');
    expect(received().at(-1)).toBe('waits for the person');
  });

  it('I2, I3: a confirmed interrupt stops the named turn; held replies wait for Continue', async () => {
    await bridged.page.outcome(run.id, await send('#slow 30'), 'confirmed');
    const working = await bridged.page.state(run.id, 'working');
    const turn = working.state.name === 'working' ? working.state.turn : undefined;
    expect(turn).toBeDefined();
    await agent.type('a person writes');
    await agent.waitForScreen('a person writes');
    const heldKey = await send('held before the interrupt');
    await bridged.page.outcome(run.id, heldKey, 'held');
    const key = await bridged.page.interrupt(run.id, turn);
    await bridged.page.outcome(run.id, key, 'confirmed');
    await agent.waitForStatus('idle');
    await agent.keys('C-u');
    const paused = await eventually('the held reply is paused', async () => {
      const delivery = (await bridged.page.deliveries(run.id)).find((d) => d.eventKey === heldKey);
      return delivery?.outcome.status === 'held' && delivery.outcome.reason.why === 'paused'
        ? delivery
        : undefined;
    });
    expect(paused.explanation).toBeDefined();
    await bridged.page.continue(run.id);
    await bridged.page.outcome(run.id, heldKey, 'confirmed');
    await agent.waitForStatus('idle');
    expect(received().at(-1)).toBe('held before the interrupt');
  });

  it('I2: an interrupt of a turn that has finished presses nothing', async () => {
    await agent.waitForStatus('idle');
    const before = await agent.screen();
    const key = await bridged.page.interrupt(run.id, 'some-earlier-turn');
    const refused = await bridged.page.outcome(run.id, key, 'refused');
    expect(refused.outcome).toMatchObject({ reason: { why: 'already-finished' } });
    expect(await agent.screen()).toBe(before);
  });

  it('Q1, Q4, Q6: one tap on the page answers the question, proven by its result', async () => {
    await bridged.page.outcome(run.id, await send('#ask'), 'confirmed');
    const asking = await eventually('the question can be answered', async () => {
      const now = await bridged.page.run(run.id);
      return now.pendingDialog?.isAnswerable === true ? now : undefined;
    });
    expect(asking.state.name).toBe('question-pending');
    const dialog = asking.pendingDialog?.id ?? '';
    const key = await bridged.page.answer(run.id, dialog, { type: 'choose', choices: [[1]] });
    await bridged.page.outcome(run.id, key, 'confirmed');
    await agent.waitForStatus('idle');
    const item = (await bridged.page.items(run.id)).find(
      (i) => i.kind === 'dialog' && i.dialog === dialog,
    );
    expect(item).toMatchObject({
      status: 'answered',
      answers: { 'Which colour shall it be?': 'Green' },
    });
    const late = await bridged.page.answer(run.id, dialog, { type: 'choose', choices: [[0]] });
    const refused = await bridged.page.outcome(run.id, late, 'refused');
    expect(refused.outcome).toMatchObject({ reason: { why: 'already-answered' } });
  });
});
