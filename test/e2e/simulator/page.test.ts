// The simulator in a page that is opened from a file: the same code, the same seed, the same events as here.
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bundlePage } from '../../../scripts/bundle-page.mjs';
import { worldOf } from '../../../lab/proof/campaign.js';
import { simulate } from '../../../lab/proof/run.js';
import { hasChromium, launchBrowser } from '../../support/browser.js';

const directory = mkdtempSync(join(tmpdir(), 'ledgerbridge-page-'));
const file = join(directory, 'simulator.html');
const BYTES_MAX = 500_000;

describe.skipIf(!hasChromium)('the simulator as a page', () => {
  let browser: Browser;
  const troubles: string[] = [];

  const open = async (width: number, locale: string): Promise<Page> => {
    const context = await browser.newContext({ viewport: { width, height: 900 }, locale });
    const page = await context.newPage();
    page.on('pageerror', (error) => troubles.push(error.message));
    page.on('request', (request) => {
      if (!/^(file|data|blob):/.test(request.url())) troubles.push(request.url());
    });
    await page.goto(pathToFileURL(file).href);
    await page.locator('#choices button').first().waitFor();
    return page;
  };

  beforeAll(async () => {
    await bundlePage(file);
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser.close();
    rmSync(directory, { recursive: true });
  });

  test('is one file of less than 500 kB', () => expect(statSync(file).size).toBeLessThan(BYTES_MAX));

  test('tells of a seed what the program tells', async () => {
    const page = await open(1200, 'en-GB');
    await page.fill('#seed', '8');
    await page.click('#run');
    await page.locator('#result .verdict').waitFor({ timeout: 60_000 });
    const seen = await page.evaluate<{ digest: string; broken: string[]; events: number }>('lastRun');
    const run = await simulate(worldOf(8));
    expect(seen).toEqual({ digest: run.digest, broken: [], events: run.kernel.trace.length });
  });

  test('books once whatever is lost, and twice without the guard that was taken away', async () => {
    const page = await open(390, 'is-IS');
    await page.getByRole('button', { name: 'Láta ganga áfram' }).click();
    await page.locator('#verdict .good').waitFor();
    expect(await page.locator('.entry').count()).toBe(1);
    await page.selectOption('#guard', 'the doubt in what a proxy says (look-up)');
    await page.getByRole('button', { name: 'Sýna hvernig það bregst' }).click();
    await page.locator('#verdict .bad').waitFor({ timeout: 60_000 });
    expect(await page.locator('.entry').count()).toBe(2);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
    expect(troubles).toEqual([]);
  });
});
