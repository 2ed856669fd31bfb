import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BridgeProcess } from '../e2e/bridge-process.ts';
import { eventually, type PageClient } from '../e2e/page-client.ts';
import { type ScriptedAgent, ScriptedStage } from '../fakes/scripted-stage.ts';
import { device, hasChromium, launch, PHONE, picture } from './chromium.ts';

/** Nothing is faked but the agent: tmux, the bridge as a process and Chromium are real. */
describe.skipIf(!hasChromium)('the page on a whole bridge', () => {
  let browser: Browser;
  let stage: ScriptedStage;
  let agent: ScriptedAgent;
  let bridge: BridgeProcess;
  let client: PageClient;
  let page: Page;
  let run: string;
  const complaints: string[] = [];

  beforeAll(async () => {
    browser = await launch();
    stage = new ScriptedStage();
    agent = await stage.start({ pace: 0.6 });
    bridge = new BridgeProcess({
      dir: join(stage.dir, 'bridge'),
      configDir: stage.configDir,
      sockets: [stage.socket],
    });
    client = await bridge.start();
    run = (await client.runOf(agent.pid)).id;
    page = await open();
  });
  afterAll(async () => {
    await browser?.close();
    await bridge?.stop();
    await stage?.stop();
    expect(complaints).toEqual([]);
  });

  const open = async (): Promise<Page> => {
    const context = await device(browser, complaints, PHONE);
    const fresh = await context.newPage();
    fresh.setDefaultTimeout(15_000);
    await fresh.goto(bridge.link);
    await fresh.locator('.run').first().click();
    return fresh;
  };
  const send = async (text: string): Promise<void> => {
    await page.getByLabel('Reply to the agent').fill(text);
    await page.getByRole('button', { name: 'Send', exact: true }).click();
  };
  const receipt = (text: string): Promise<void> =>
    page.getByText(text, { exact: false }).first().waitFor();

  test('O5 a reply is confirmed and its turn appears, in two tabs and after a reload', async () => {
    const other = await open();
    await send('hello from a phone');
    await page.getByText('ACK hello from a phone').first().waitFor();
    await other.getByText('ACK hello from a phone').first().waitFor();
    expect(agent.received()).toEqual(['hello from a phone']);
    await page.reload();
    await page.getByText('ACK hello from a phone').first().waitFor();
    await other.context().close();
    await picture(page, 'whole-confirmed');
  });

  test('D3 held by a draft, then confirmed; queued in a turn; interrupted with a confirmation', async () => {
    await agent.keys('h', 'm');
    await eventually('the draft stands there', async () =>
      (await agent.screen()).includes('hm') ? true : undefined,
    );
    await send('waits for the box');
    await receipt('somebody has started typing');
    await picture(page, 'whole-held');
    await agent.keys('C-u');
    await page.getByText('ACK waits for the box').first().waitFor();

    await send('#slow 40');
    await page.getByRole('button', { name: 'Interrupt', exact: true }).waitFor();
    await send('goes into the queue');
    await receipt('In the agent’s queue');
    await page.getByRole('button', { name: 'Interrupt', exact: true }).click();
    await page.getByText('#slow 40').last().waitFor();
    await picture(page, 'whole-interrupt');
    await page.getByRole('button', { name: 'Interrupt this turn' }).click();
    // The agent sends its own queue at once: that is what the confirmation says.
    await page.getByText('ACK goes into the queue').first().waitFor();
    expect(agent.truth().filter((t) => t.type === 'interrupt')).toHaveLength(1);
  });

  test('D3 taken back with Escape: returned, Send again, Discard', async () => {
    await send('#hang 60');
    await page.getByRole('button', { name: 'Interrupt', exact: true }).waitFor();
    await agent.keys('Escape');
    await page.getByRole('button', { name: 'Send again' }).click();
    await page.getByRole('button', { name: 'Interrupt', exact: true }).waitFor();
    await agent.keys('Escape');
    await picture(page, 'whole-returned');
    await page.getByRole('button', { name: 'Discard', exact: true }).click();
    await eventually('the box is empty', async () =>
      (await agent.screen()).split('\n').some((line) => /^❯\s*$/.test(line)) ? true : undefined,
    );
  });

  test('D17 Q1, Q4 a question is answered by one tap; the bridge restarts under the open page', async () => {
    await send('#ask');
    const option = page.locator('.pending button').filter({ hasText: 'Green' });
    await option.waitFor();
    await bridge.kill();
    client = await bridge.start();
    await option.click();
    await eventually('the answer arrived', () =>
      agent
        .truth()
        .find(
          (t) => t.type === 'dialog-closed' && JSON.stringify(t.answers ?? {}).includes('Green'),
        ),
    );
    await expect.poll(() => page.locator('.pending').count()).toBe(0);
    await picture(page, 'whole-answered');
  });

  test('R6 the end of the run is shown, and a reply is refused with the way to resume', async () => {
    process.kill(agent.pid, 'SIGTERM');
    await client.state(run, 'ended');
    await page.getByText('claude --resume').first().waitFor();
    await picture(page, 'whole-ended');
  });
});
