import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import type { ChatEventBody, DeliveryView } from '../../src/bridge/model/chat.ts';
import { type DeliveryId, type DialogId, id, type RunId } from '../../src/bridge/model/ids.ts';
import type { PendingDialog } from '../../src/bridge/model/run-state.ts';
import { Backend } from './backend.ts';
import { device, launch } from './chromium.ts';

export interface Stage {
  readonly browser: Browser;
  readonly backend: Backend;
  /** What pages complained about; must be empty at the end of each test. */
  readonly complaints: string[];
  /** `Fix the login`, with one turn. */
  readonly run: RunId;
}

const setTable = async (browser: Browser, dir: string): Promise<Stage> => {
  const backend = new Backend(dir);
  const run = backend.runs.add('h-1-1', { title: 'Fix the login', state: { name: 'needs-input' } });
  backend.runs.say(run, {
    kind: 'text',
    role: 'user',
    origin: 'person',
    status: 'sent',
    text: 'Please fix the login',
  });
  backend.runs.say(run, {
    kind: 'text',
    role: 'agent',
    origin: 'agent',
    status: 'sent',
    endsTurn: true,
    text: 'It is **fixed**.',
  });
  await backend.start();
  return { browser, backend, complaints: [], run };
};

/** A browser for the file, a fresh backend for each test. To be called inside `describe`. */
export const useStage = (): (() => Stage) => {
  let browser: Browser | undefined;
  let stage: Stage | undefined;
  let dir = '';
  const now = (): Stage => {
    if (stage === undefined) throw new Error('the stage is not set');
    return stage;
  };
  beforeAll(async () => {
    browser = await launch();
  });
  afterAll(() => browser?.close());
  beforeEach(async () => {
    if (browser === undefined) throw new Error('no browser');
    dir = mkdtempSync(join(tmpdir(), 'afk-page-'));
    stage = await setTable(browser, dir);
  });
  afterEach(async () => {
    const { backend, complaints } = now();
    for (const context of browser?.contexts() ?? []) await context.close();
    await backend.stop();
    rmSync(dir, { recursive: true, force: true });
    expect(complaints).toEqual([]);
  });
  return now;
};

/** A logged-in page of a new device; by default at the thread of the run. */
export const openPage = async (stage: Stage, path = `/run/${stage.run}`): Promise<Page> => {
  const context = await device(stage.browser, stage.complaints);
  const page = await context.newPage();
  page.setDefaultTimeout(10_000);
  await page.goto(stage.backend.page.loginUrl);
  await page.locator('.run').first().waitFor();
  if (path !== '/') await page.goto(`${stage.backend.page.url}${path}`);
  return page;
};

/** What the page has told the bridge, in order. */
export const bodies = (stage: Stage): ChatEventBody[] =>
  [...stage.backend.events.values()].map((event) => event.body);

/** The delivery that the last event caused now has this outcome. */
export const deliver = (
  { backend, run }: Stage,
  outcome: DeliveryView['outcome'],
  more: Partial<DeliveryView> = {},
): void => {
  const event = [...backend.events.values()].at(-1);
  if (event === undefined) throw new Error('nothing was sent');
  const now = Date.now();
  const delivery: DeliveryView = {
    id: id<DeliveryId>('d1'),
    run,
    kind: 'reply',
    by: 'the web page',
    text: event.body.type === 'reply' ? event.body.text : '',
    outcome,
    actions: [],
    eventKey: event.key,
    createdAt: now,
    updatedAt: now,
    ...more,
  };
  backend.runs.deliveries.set(run, [delivery]);
  backend.changes.emit(run);
};

/** An open question with two options. */
export const question = (more: Partial<PendingDialog> = {}): PendingDialog => ({
  id: id<DialogId>('q1'),
  since: Date.now(),
  isAnswerable: true,
  content: {
    type: 'question',
    questions: [
      {
        question: 'Which database?',
        header: 'Storage',
        multiSelect: false,
        options: [{ label: 'SQLite', description: 'one file' }, { label: 'Postgres' }],
      },
    ],
  },
  ...more,
});

export const reply = async (stage: Stage, page: Page, text: string): Promise<void> => {
  await page.locator('#composer').fill(text);
  await page.locator('#composer').press('Enter');
  await expect.poll(() => bodies(stage).at(-1)).toEqual({ type: 'reply', text });
};
