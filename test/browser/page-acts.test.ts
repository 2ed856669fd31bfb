import { describe, expect, test } from 'vitest';
import { id, type TurnId } from '../../src/bridge/model/ids.ts';
import { hasChromium } from './chromium.ts';
import { bodies, deliver, openPage, question, reply, useStage } from './stage.ts';

describe.skipIf(!hasChromium)('the page in Chromium: acting', () => {
  const stage = useStage();

  test('Q1 a question is answered by one tap, once', async () => {
    const page = await openPage(stage());
    stage().backend.runs.set(stage().run, {
      state: { name: 'question-pending' },
      pendingDialog: question(),
    });
    await page.getByRole('button', { name: /SQLite/ }).click();
    await page.getByText('Answer sent').waitFor();
    expect(bodies(stage())).toEqual([
      { type: 'answer', dialog: 'q1', answer: { type: 'choose', choices: [[0]] } },
    ]);
    stage().backend.runs.set(stage().run, {
      state: { name: 'working' },
      pendingDialog: undefined,
    } as never);
    await expect.poll(() => page.locator('.pending').count()).toBe(0);
  });

  test('Q1 an answer that was refused can be given again; own words go too', async () => {
    const page = await openPage(stage());
    stage().backend.runs.set(stage().run, {
      state: { name: 'question-pending' },
      pendingDialog: question(),
    });
    await page.getByRole('button', { name: /Postgres/ }).click();
    await page.getByText('Answer sent').waitFor();
    deliver(
      stage(),
      { status: 'refused', reason: { why: 'expired', detail: '' } },
      {
        kind: 'answer',
        mark: '⛔',
        explanation: 'Not answered: it waited too long for its moment.',
      },
    );
    await page.getByText('Not answered').waitFor();
    await page.getByLabel('Or in your own words').fill('neither, use files');
    await page.getByRole('button', { name: 'Answer with this' }).click();
    await expect
      .poll(() => bodies(stage()).at(-1))
      .toEqual({
        type: 'answer',
        dialog: 'q1',
        answer: { type: 'own-words', text: 'neither, use files' },
      });
  });

  test('Q1 several choices are submitted together; a half-filled form survives what happens around it', async () => {
    const page = await openPage(stage());
    const pending = question();
    if (pending.content.type !== 'question') throw new Error('not a question');
    const [asked] = pending.content.questions;
    if (asked === undefined) throw new Error('no question');
    const content = {
      type: 'question' as const,
      questions: [
        { ...asked, multiSelect: true },
        { ...asked, question: 'And where?', header: 'Place' },
      ],
    };
    stage().backend.runs.set(stage().run, {
      state: { name: 'question-pending' },
      pendingDialog: { ...pending, content },
    });
    await page
      .getByRole('group', { name: /Which database/ })
      .getByLabel('Postgres')
      .check();
    stage().backend.runs.say(stage().run, {
      kind: 'text',
      role: 'agent',
      origin: 'agent',
      status: 'sent',
      text: 'meanwhile',
    });
    await page.getByText('meanwhile', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Submit' }).click();
    await page.getByText('Question 2 has no answer yet').waitFor();
    await page
      .getByRole('group', { name: /And where/ })
      .getByLabel('SQLite')
      .check();
    await page.getByRole('button', { name: 'Submit' }).click();
    await expect
      .poll(() => bodies(stage()))
      .toEqual([{ type: 'answer', dialog: 'q1', answer: { type: 'choose', choices: [[1], [0]] } }]);
  });

  test('D23 Q2 what cannot be answered here shows everything and where to answer', async () => {
    const page = await openPage(stage());
    stage().backend.runs.set(stage().run, {
      state: { name: 'question-pending' },
      pendingDialog: question({ isAnswerable: false }),
      attachCommand: 'tmux attach -t x',
      deepLink: 'https://claude.ai/code/session_1',
    });
    await page.getByRole('link', { name: 'Answer in Claude' }).waitFor();
    await page.getByText('tmux attach -t x').waitFor();
    expect(await page.getByRole('button', { name: /SQLite/ }).count()).toBe(0);
    await page.getByText('one file').waitFor();
  });

  test('D3 a reply shows every receipt in turn, on itself', async () => {
    const page = await openPage(stage());
    await page.getByText('A reply goes to the agent now.').waitFor();
    await reply(stage(), page, 'thanks');
    const receipt = page.locator('.receipt');
    await expect.poll(() => receipt.count()).toBe(1);
    deliver(
      stage(),
      { status: 'held', reason: { why: 'foreign-draft' } },
      { mark: '⏸', actions: ['discard'], explanation: 'Waiting: somebody has started typing.' },
    );
    await receipt.getByText('somebody has started typing').waitFor();
    deliver(stage(), { status: 'queued' }, { mark: '🕓' });
    await receipt.getByText('In the agent’s queue').waitFor();
    deliver(
      stage(),
      { status: 'unknown', reason: 'x', screen: 'SCREEN LINES' },
      { mark: '❓', explanation: 'Typed, but there is no proof.' },
    );
    await receipt.getByText('SCREEN LINES').waitFor();
    deliver(
      stage(),
      { status: 'returned', reason: 'x' },
      { mark: '↩', actions: ['send-again', 'discard'], explanation: 'Back in the input box.' },
    );
    await receipt.getByRole('button', { name: 'Send again' }).click();
    await expect.poll(() => bodies(stage()).at(-1)).toEqual({ type: 'send-again', delivery: 'd1' });
    const [first] = [...stage().backend.events.keys()];
    deliver(
      stage(),
      { status: 'refused', reason: { why: 'ended', detail: '' } },
      {
        eventKey: first ?? '',
        text: 'thanks',
        mark: '⛔',
        explanation: 'Not sent: the run has ended.',
      },
    );
    await receipt.getByText('the run has ended').waitFor();
    await receipt.getByRole('button', { name: 'Back into the composer' }).click();
    expect(await page.locator('#composer').inputValue()).toBe('thanks');
    deliver(
      stage(),
      { status: 'confirmed' },
      { eventKey: first ?? '', text: 'thanks', mark: '✅' },
    );
    stage().backend.runs.say(stage().run, {
      kind: 'text',
      role: 'user',
      origin: 'person',
      status: 'sent',
      text: 'thanks',
    });
    await page.getByText('✅ the web page').waitFor();
    await expect.poll(() => receipt.count()).toBe(0);
  });

  test('I1 I3 interrupt names the turn, says what follows, and acts on the second press only', async () => {
    stage().backend.runs.say(stage().run, {
      kind: 'text',
      id: 'turn1.0',
      role: 'user',
      origin: 'person',
      status: 'sent',
      text: 'Rewrite everything in Rust',
    });
    stage().backend.runs.set(stage().run, {
      state: { name: 'working', turn: id<TurnId>('turn1') },
    });
    const page = await openPage(stage());
    await page.getByRole('button', { name: 'Interrupt' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Rewrite everything in Rust').waitFor();
    await dialog.getByText('queue').waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => dialog.count()).toBe(0);
    await page.getByRole('button', { name: 'Interrupt' }).click();
    await dialog.getByRole('button', { name: 'Keep it running' }).click();
    expect(bodies(stage())).toEqual([]);
    await page.getByRole('button', { name: 'Interrupt' }).click();
    await dialog.getByRole('button', { name: 'Interrupt this turn' }).click();
    await expect.poll(() => bodies(stage())).toEqual([{ type: 'interrupt', turn: 'turn1' }]);
  });

  test('I3 Continue is offered where an interrupt keeps a reply back', async () => {
    const page = await openPage(stage());
    await reply(stage(), page, 'later');
    deliver(
      stage(),
      { status: 'held', reason: { why: 'paused' } },
      {
        mark: '⏸',
        actions: ['continue', 'discard'],
        explanation: 'Kept back since the interrupt.',
      },
    );
    await page.getByRole('button', { name: 'Continue' }).click();
    await expect.poll(() => bodies(stage()).at(-1)).toEqual({ type: 'continue' });
  });

  test('O5 a draft survives a reload, and Shift+Enter does not send', async () => {
    const page = await openPage(stage());
    await page.locator('#composer').fill('half a');
    await page.locator('#composer').press('Shift+Enter');
    await page.locator('#composer').pressSequentially('thought');
    await page.reload();
    await expect.poll(() => page.locator('#composer').inputValue()).toBe('half a\nthought');
    expect(bodies(stage())).toEqual([]);
  });

  test('L2 a lost answer of the bridge: sent again under the same key, so it counts once', async () => {
    const page = await openPage(stage());
    await page.locator('strong', { hasText: 'fixed' }).waitFor();
    let isLost = false;
    await page.route('**/reply', async (route) => {
      if (isLost) return route.continue();
      isLost = true;
      await route.fetch();
      return route.abort('connectionreset');
    });
    await page.locator('#composer').fill('once');
    await page.locator('#composer').press('Enter');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('Sending…').waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
    expect(bodies(stage())).toEqual([{ type: 'reply', text: 'once' }]);
  });
});
