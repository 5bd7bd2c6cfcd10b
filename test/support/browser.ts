// Debian's Chromium, driven by playwright-core. Every request that leaves for another host fails the test.
import { existsSync } from 'node:fs';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { PASSWORD } from './dashboard-bed.js';

export const CHROMIUM = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
export const hasChromium = existsSync(CHROMIUM);

export function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: CHROMIUM,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
    ],
  });
}

export interface Watched {
  readonly context: BrowserContext;
  readonly page: Page;
  /** Script errors, refused loads and requests to elsewhere: none are expected, ever. */
  readonly troubles: string[];
}

export async function watchedPage(
  browser: Browser,
  url: string,
  options: Parameters<Browser['newContext']>[0] = {},
): Promise<Watched> {
  const context = await browser.newContext({ locale: 'en-GB', ...options });
  const page = await context.newPage();
  const troubles: string[] = [];
  page.on('pageerror', (error) => troubles.push(`script: ${error.message}`));
  page.on('dialog', (dialog) => {
    troubles.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('console', (message) => {
    if (/Content Security Policy/.test(message.text())) troubles.push(`policy: ${message.text()}`);
  });
  page.on('request', (request) => {
    const { origin } = new URL(request.url());
    if (origin !== url && origin !== 'null') troubles.push(`request: ${request.url()}`);
  });
  return { context, page, troubles };
}

export async function signIn(page: Page, url: string, login: string): Promise<void> {
  await page.goto(`${url}/login`);
  await page.fill('[name=login]', login);
  await page.fill('[name=password]', PASSWORD);
  await page.click('button.primary');
  await page.waitForSelector('#live');
}
