import { existsSync, mkdirSync } from 'node:fs';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';

const path = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';

/** In CI a missing browser is a failure, not a skip. */
export const hasChromium = existsSync(path) || process.env.CI !== undefined;

export const launch = (): Promise<Browser> =>
  chromium.launch({
    executablePath: path,
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });

export const PHONE = { width: 390, height: 844 };
export const DESK = { width: 1280, height: 800 };

/** A device that fails the test on anything the page complains about. */
export const device = async (
  browser: Browser,
  complaints: string[],
  viewport = DESK,
  colorScheme: 'light' | 'dark' = 'light',
): Promise<BrowserContext> => {
  const context = await browser.newContext({ viewport, colorScheme });
  context.on('weberror', (error) => complaints.push(error.error().message));
  context.on('console', (message) => {
    // A server that is away is part of the story; a policy that was broken is not.
    const isBroken = /Content Security Policy|is not a function|undefined/.test(message.text());
    if (message.type() === 'error' && isBroken) complaints.push(message.text());
  });
  return context;
};

/** Kept for people to look at; not part of the project's files. */
export const picture = async (page: Page, name: string): Promise<void> => {
  mkdirSync('.artefacts/page', { recursive: true });
  await page.screenshot({ path: `.artefacts/page/${name}.png` });
};
