import { describe, expect, test } from 'vitest';
import { device, hasChromium, PHONE, picture } from './chromium.ts';
import { bodies, deliver, openPage, question, reply, useStage } from './stage.ts';
import { tell } from './story.ts';

describe.skipIf(!hasChromium)('the page in Chromium: reading', () => {
  const stage = useStage();

  test('A4 a link with the token logs the device in and leaves the address; the form does too', async () => {
    const page = await openPage(stage(), '/');
    expect(page.url()).not.toContain('token');
    const cookies = await page.context().cookies();
    expect(cookies[0]).toMatchObject({ httpOnly: true, sameSite: 'Strict' });

    const other = await (await device(stage().browser, stage().complaints)).newPage();
    await other.goto(stage().backend.page.url);
    await other.getByLabel('Token').fill('wrong');
    await other.getByRole('button', { name: 'Log in' }).click();
    await other.getByText('That is not the token').waitFor();
    await other.getByLabel('Token').fill(stage().backend.page.loginUrl.split('=')[1] ?? '');
    await other.getByRole('button', { name: 'Log in' }).click();
    await other.locator('.run').waitFor();
  });

  test('O5 the list shows who waits first, and changes by itself', async () => {
    const page = await openPage(stage(), '/');
    expect(await page.locator('.run-title').allTextContents()).toEqual(['Fix the login']);
    stage().backend.runs.add('h-2-2', { title: 'Second', state: { name: 'approval-pending' } });
    await expect
      .poll(() => page.locator('.run-title').allTextContents())
      .toEqual(['Second', 'Fix the login']);
    expect(await page.title()).toBe('(1) afk-bridge');
  });

  test('O5 a thread is live: new items come, revisions replace, nothing is doubled', async () => {
    const page = await openPage(stage());
    await page.locator('strong', { hasText: 'fixed' }).waitFor();
    stage().backend.runs.say(stage().run, {
      kind: 'tool',
      id: 't1',
      name: 'Bash',
      summary: 'npm test',
      input: '{}',
      status: 'running',
    });
    await page.locator('.status.running').waitFor();
    stage().backend.runs.say(stage().run, {
      kind: 'tool',
      id: 't1',
      name: 'Bash',
      summary: 'npm test',
      input: '{}',
      status: 'done',
      output: 'ok',
    });
    await page.locator('.activity .status.done').waitFor();
    expect(await page.locator('.activity').count()).toBe(1);
    expect(await page.locator('.status.running').count()).toBe(0);
  });

  test('A3 what the agent writes never becomes markup', async () => {
    const page = await openPage(stage());
    const evil =
      '<img src=x onerror="document.title=\'owned\'"> <script>document.title="owned"</script> [x](javascript:alert(1)) ![i](https://evil.example/p.png)';
    stage().backend.runs.say(stage().run, {
      kind: 'text',
      role: 'agent',
      origin: 'agent',
      status: 'sent',
      text: evil,
    });
    stage().backend.runs.say(stage().run, {
      kind: 'tool',
      name: '<b>Bash</b>',
      summary: evil,
      input: evil,
      status: 'done',
      output: evil,
      diff: evil,
    });
    await page.getByText('<script>').first().waitFor();
    await page.locator('.activity summary').last().click();
    expect(await page.locator('.blocks img, .blocks script, .blocks b').count()).toBe(0);
    expect(await page.locator('a[href^="javascript"]').count()).toBe(0);
    expect(await page.title()).not.toContain('owned');
  });

  test('O5 older items come on scroll up, and the place is kept', async () => {
    for (let n = 0; n < 150; n += 1) {
      stage().backend.runs.say(stage().run, {
        kind: 'text',
        role: 'agent',
        origin: 'agent',
        status: 'sent',
        text: `line ${n}`,
      });
    }
    const page = await openPage(stage());
    await page.getByText('line 149', { exact: true }).waitFor();
    expect(await page.getByText('line 3', { exact: true }).count()).toBe(0);
    const scroller = page.locator('.scroller');
    await expect
      .poll(() => scroller.evaluate((e) => e.scrollHeight - e.scrollTop - e.clientHeight))
      .toBeLessThan(5);
    await scroller.evaluate((e) => {
      e.scrollTop = 300;
    });
    await page.getByText('line 40', { exact: true }).waitFor({ state: 'attached' });
    expect(await scroller.evaluate((e) => e.scrollTop)).toBeGreaterThan(300);
    await expect
      .poll(async () => {
        await scroller.evaluate((e) => {
          e.scrollTop = 10;
        });
        return page.getByText('line 3', { exact: true }).count();
      })
      .toBe(1);
    const texts = await page.locator('.agent .markdown p').allTextContents();
    expect(new Set(texts).size).toBe(texts.length);
  });

  test('O5 two tabs show the same thing', async () => {
    const page = await openPage(stage());
    const other = await page.context().newPage();
    await other.goto(`${stage().backend.page.url}/run/${stage().run}`);
    await other.locator('strong', { hasText: 'fixed' }).waitFor();
    await reply(stage(), page, 'from one tab');
    deliver(stage(), { status: 'queued' }, { mark: '🕓' });
    await other.locator('.receipt', { hasText: 'from one tab' }).getByText('queue').waitFor();
    expect(await other.locator('.receipt').count()).toBe(1);
  });

  test('L2 a restart of the bridge under an open page: it reconnects, and nothing sent meanwhile is lost or doubled', async () => {
    const page = await openPage(stage());
    await page.locator('strong', { hasText: 'fixed' }).waitFor();
    await stage().backend.stop();
    await page.getByText('Connection lost').waitFor();
    await page.locator('#composer').fill('said into the dark');
    await page.locator('#composer').press('Enter');
    await page.getByText('It is kept here').waitFor();
    stage().backend.runs.say(stage().run, {
      kind: 'text',
      role: 'agent',
      origin: 'agent',
      status: 'sent',
      text: 'written meanwhile',
    });
    await stage().backend.start();
    await page.getByText('written meanwhile', { exact: true }).waitFor();
    await expect.poll(() => page.getByText('Connection lost').isVisible()).toBe(false);
    await expect
      .poll(() => bodies(stage()))
      .toEqual([{ type: 'reply', text: 'said into the dark' }]);
    expect(await page.locator('#composer').inputValue()).toBe('');
  });

  test('R6 R5 an ended run is readable and says how to go on; a vanished transcript is said kindly', async () => {
    stage().backend.runs.set(stage().run, {
      state: { name: 'ended', how: 'exited' },
      resumeCommand: 'claude --resume abc',
    });
    const page = await openPage(stage());
    await page.locator('strong', { hasText: 'fixed' }).waitFor();
    await page.getByText('claude --resume abc').waitFor();
    expect(await page.locator('#composer').isVisible()).toBe(false);
    stage().backend.runs.gone.add(stage().run);
    await page.reload();
    await page.getByText('no longer keeps the transcript').waitFor();
  });

  test('O5 a whole page by keyboard: list, thread, question', async () => {
    stage().backend.runs.set(stage().run, {
      state: { name: 'question-pending' },
      pendingDialog: question(),
    });
    const page = await openPage(stage(), '/');
    await page.locator('.run').focus();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: /SQLite/ }).focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => bodies(stage()).length).toBe(1);
    expect(new URL(page.url()).pathname).toBe(`/run/${stage().run}`);
    await page.goBack();
    await expect.poll(() => new URL(page.url()).pathname).toBe('/');
  });

  test('O5 it fits a phone, dark and light, without scrolling sideways', async () => {
    const story = tell(stage().backend.runs);
    for (const scheme of ['light', 'dark'] as const) {
      const context = await device(stage().browser, stage().complaints, PHONE, scheme);
      const page = await context.newPage();
      await page.goto(stage().backend.page.loginUrl);
      await page.locator('.run').first().waitFor();
      await picture(page, `list-${scheme}`);
      for (const [name, one] of Object.entries(story)) {
        await page.goto(`${stage().backend.page.url}/run/${one}`);
        await page.locator('.block').first().waitFor();
        await picture(page, `${name}-${scheme}`);
        const width = await page.evaluate('document.documentElement.scrollWidth');
        expect([name, width]).toEqual([name, PHONE.width]);
      }
    }
  });
});
