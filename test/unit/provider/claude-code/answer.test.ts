import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { DialogQuestion } from '../../../../src/bridge/model/conversation.ts';
import type { DeliveryOutcome, DialogAnswer } from '../../../../src/bridge/model/delivery.ts';
import { type DeliveryId, type DialogId, id } from '../../../../src/bridge/model/ids.ts';
import { answerByKeys } from '../../../../src/provider/claude-code/answer.ts';
import type { AnswerDeps } from '../../../../src/provider/claude-code/answer-picker.ts';
import { createKeyboard } from '../../../../src/provider/claude-code/keyboard.ts';
import { MemoryAttempts } from '../../../../src/verify/attempts.ts';
import { fakeContext, fakeDeps, fakeRun } from '../../../fakes/fake-agent.ts';
import { FakePicker } from '../../../fakes/fake-picker.ts';
import { JumpClock } from '../../../fakes/jump-clock.ts';

const colour: DialogQuestion = {
  question: 'Which colour?',
  header: 'Colour',
  multiSelect: false,
  options: [{ label: 'Red' }, { label: 'Green' }, { label: 'Blue' }],
};
const toppings: DialogQuestion = { ...colour, multiSelect: true };

describe('answering by keys', () => {
  let dir: string;
  let clock: JumpClock;
  let attempts: MemoryAttempts;
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'answer-'));
    clock = new JumpClock();
    attempts = new MemoryAttempts();
  });
  afterEach(() => rmSync(dir, { recursive: true }));

  const open = (question = colour) => new FakePicker(join(dir, 's.jsonl'), question);
  const depsOf = (picker: FakePicker, more: Partial<AnswerDeps> = {}): AnswerDeps => ({
    ...fakeDeps(clock, {
      look: picker.look,
      keyboard: createKeyboard({ tmux: picker, clock }),
      leaveMode: picker.leaveMode,
      registry: async () => picker.registry(),
      transcript: async () => picker.file,
    }),
    verifiedVersions: [],
    ...more,
  });
  const typing = (picker: FakePicker, keys: FakePicker['keys']) =>
    createKeyboard({ tmux: { keys, paste: picker.paste }, clock });
  const ctx = (more = {}) => fakeContext(clock, { attempts, ...more });
  const answer = (
    deps: AnswerDeps,
    what: DialogAnswer,
    dialog = 'toolu_fake',
    context = ctx(),
  ): Promise<DeliveryOutcome> => answerByKeys(deps, fakeRun, id<DialogId>(dialog), what, context);
  const choose = (...choice: number[]): DialogAnswer => ({ type: 'choose', choices: [choice] });

  it('Q4: a digit chooses one option, and the record proves it', async () => {
    const picker = open();
    expect(await answer(depsOf(picker), choose(1))).toEqual({ status: 'confirmed' });
    expect(picker.pressed).toEqual(['2']);
    expect(attempts.find(id<DeliveryId>('d'))?.stage).toBe('settled');
  });

  it('D20 Q4: own words go to their own row only, in one paste', async () => {
    const picker = open();
    const outcome = await answer(depsOf(picker), {
      type: 'own-words',
      text: '2 \u001b[201~of it\n',
    });
    expect(outcome).toEqual({ status: 'confirmed' });
    expect(picker.pressed).toEqual(['4', 'paste 2 of it', 'Enter']);
  });

  it('D10 Q4: several choices: only what differs is ticked, seen, then Submit', async () => {
    const picker = open(toppings);
    picker.ticked.add(2);
    expect(await answer(depsOf(picker), choose(0, 2))).toEqual({ status: 'confirmed' });
    expect(picker.pressed).toEqual(['1', '2', '3', 'Right', 'Enter']);
  });

  it('Q4: own words among several choices', async () => {
    const picker = open(toppings);
    const outcome = await answer(depsOf(picker), { type: 'own-words', text: 'none' });
    expect(outcome).toEqual({ status: 'confirmed' });
    expect(picker.pressed).toEqual(['Down', 'Down', 'Down', 'paste none', 'Tab', 'Enter', 'Enter']);
  });

  it('Q4: a picker that drops the ticks gets no Submit', async () => {
    const picker = open(toppings);
    picker.isDeaf = true;
    expect(await answer(depsOf(picker), choose(0))).toMatchObject({ status: 'unknown' });
    expect(picker.pressed).toEqual(['1']);
  });

  it('Q4: own words are not typed while the options have the focus', async () => {
    const picker = open();
    picker.isDeaf = true;
    const outcome = await answer(depsOf(picker), { type: 'own-words', text: 'mine' });
    expect(outcome).toMatchObject({ status: 'unknown' });
    expect(picker.pressed).toEqual(['4']);
  });

  it('Q4: the cursor leaves the row for own words before a digit', async () => {
    const picker = open();
    picker.cursor = 4;
    expect(await answer(depsOf(picker), choose(0))).toEqual({ status: 'confirmed' });
    expect(picker.pressed).toEqual(['Up', '1']);
    expect(picker.own).toBe('');
  });

  it.each<[string, (picker: FakePicker) => void]>([
    ['somebody types an answer', (picker) => Object.assign(picker, { cursor: 4, own: 'my' })],
    [
      'another dialog waits',
      (picker) => Object.assign(picker, { waitingFor: 'permission prompt' }),
    ],
    ['somebody is on the review page', (picker) => Object.assign(picker, { page: 'review' })],
  ])('Q4: nothing is pressed when %s', async (_name, change) => {
    const picker = open();
    change(picker);
    const outcome = await answer(depsOf(picker), choose(0));
    expect(outcome).toMatchObject({ status: 'refused', reason: { why: 'expired' } });
    expect(picker.pressed).toEqual([]);
    expect(attempts.open(fakeRun.id)).toEqual([]);
  });

  it('Q4: another question on the screen than in the record gets no key', async () => {
    const picker = open();
    const other = new FakePicker(join(dir, 'other.jsonl'), {
      ...colour,
      options: [{ label: 'Yes' }, { label: 'No' }],
    });
    const outcome = await answer(depsOf(picker, { look: other.look }), choose(0));
    expect(outcome).toMatchObject({ status: 'refused', reason: { why: 'expired' } });
    expect(picker.pressed).toEqual([]);
  });

  it('Q4: a dialog that the record does not hold gets no key', async () => {
    const picker = open();
    const outcome = await answer(depsOf(picker), choose(0), 'toolu_other');
    expect(outcome).toMatchObject({ status: 'refused', reason: { why: 'not-that-dialog' } });
    expect(picker.pressed).toEqual([]);
  });

  it('Q5: what was answered or declined at the terminal is refused with what happened', async () => {
    const picker = open();
    picker.answer('Green');
    expect(await answer(depsOf(picker), choose(0))).toEqual({
      status: 'refused',
      reason: { why: 'already-answered', detail: 'It was answered already: Green.' },
    });
    const declined = new FakePicker(join(dir, 't.jsonl'), colour);
    declined.decline();
    const deps = depsOf(declined, { transcript: async () => declined.file });
    expect(await answer(deps, choose(0))).toMatchObject({
      status: 'refused',
      reason: { detail: 'It was declined already.' },
    });
  });

  it('D32 Q5: answered while we wait for the lane: no key goes', async () => {
    const picker = open();
    const late = ctx({
      typing: <T>(work: () => Promise<T>) => {
        picker.answer('Red');
        return work();
      },
    });
    expect(await answer(depsOf(picker), choose(1), 'toolu_fake', late)).toMatchObject({
      status: 'refused',
      reason: { why: 'already-answered' },
    });
    expect(picker.pressed).toEqual([]);
  });

  it('Q6: a record that differs from the choice is said', async () => {
    const picker = open();
    const keys: FakePicker['keys'] = async (pane, which) => {
      picker.answer('Blue');
      return picker.keys(pane, which);
    };
    expect(await answer(depsOf(picker, { keyboard: typing(picker, keys) }), choose(0))).toEqual({
      status: 'confirmed',
      note: 'The record holds another answer than the one that was chosen: “Blue” instead of “Red”.',
    });
  });

  it('Q4: no verified recipe, no keys; a version verified on this machine has them', async () => {
    const picker = open();
    const registry = async () => ({ ...picker.registry(), version: '3.0.0' });
    expect(await answer(depsOf(picker, { registry }), choose(0))).toMatchObject({
      status: 'refused',
      reason: { why: 'not-verified' },
    });
    expect(picker.pressed).toEqual([]);
    const verified = depsOf(picker, { registry, verifiedVersions: ['3.0.0'] });
    expect(await answer(verified, choose(0))).toEqual({ status: 'confirmed' });
  });

  it('L1: after a crash between key and proof nothing is pressed again', async () => {
    const picker = open();
    attempts.begin({
      delivery: id<DeliveryId>('d'),
      run: fakeRun.id,
      session: undefined,
      file: picker.file,
      offset: 0,
      kind: 'answer',
      text: 'Red',
      at: 0,
    });
    expect(await answer(depsOf(picker), choose(0))).toMatchObject({ status: 'unknown' });
    picker.answer('Red');
    expect(await answer(depsOf(picker), choose(0))).toEqual({ status: 'confirmed' });
    expect(picker.pressed).toEqual([]);
  });

  it('Q4: a tmux mode is left, and the keys go afterwards', async () => {
    const picker = open();
    picker.isInMode = true;
    expect(await answer(depsOf(picker), choose(0))).toEqual({ status: 'confirmed' });
  });

  it('D2: the deadline is asked before every key', async () => {
    const picker = open(toppings);
    const keys: FakePicker['keys'] = async (pane, which) => {
      await clock.sleep(3_000);
      return picker.keys(pane, which);
    };
    const outcome = await answer(
      depsOf(picker, { keyboard: typing(picker, keys) }),
      choose(0, 1, 2),
    );
    expect(outcome).toMatchObject({
      status: 'unknown',
      reason: expect.stringContaining('The time was over'),
    });
    expect(picker.pressed).toEqual(['1', '2']);
  });
});
