// Debian's Chromium, driven by playwright-core; its headless shell where that is installed, which takes a third less of a processor.
// Whatever a page does that it should not (a script error, a dialog, a load that the policy refused, a request to another host) is
// kept, and the test that asks finds it.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { type Browser, chromium, type Page } from 'playwright-core';
import { PASSWORD } from './dashboard-bed.js';

const SHELL = '/usr/lib/chromium/chromium-headless-shell';
export const CHROMIUM = process.env['CHROMIUM'] ?? (existsSync(SHELL) ? SHELL : '/usr/bin/chromium');
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

export type PageOptions = NonNullable<Parameters<Browser['newContext']>[0]>;

export interface Visitors {
  /** A browser of its own, signed in if a login is given. */
  open(login?: string | null, options?: PageOptions): Promise<Page>;
  /** Script errors, refused loads and requests to elsewhere, of all pages: none are expected, ever. */
  readonly troubles: readonly string[];
  close(): Promise<void>;
}

export async function visitors(url: string): Promise<Visitors> {
  const browser = await launchBrowser();
  const troubles: string[] = [];
  return {
    troubles,
    open: async (login = null, options = {}) => {
      const context = await browser.newContext({ locale: 'en-GB', ...options });
      const page = await context.newPage();
      watch(page, url, troubles);
      if (login !== null) await signIn(page, url, login);
      return page;
    },
    close: () => browser.close(),
  };
}

function watch(page: Page, url: string, troubles: string[]): void {
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
}

export async function signIn(page: Page, url: string, login: string): Promise<void> {
  await page.goto(`${url}/login`);
  await page.fill('[name=login]', login);
  await page.fill('[name=password]', PASSWORD);
  await page.click('button.primary');
  await page.waitForSelector('#live');
}

let axe: Promise<string> | null = null;

interface Axe {
  run(
    where: object,
    options: object,
  ): Promise<{ violations: { id: string; impact: string; nodes: { html: string }[] }[] }>;
}

/** What axe finds serious or critical on the page as it is. */
export async function seriousFaults(
  page: Page,
  { but = [] }: { readonly but?: readonly string[] } = {},
): Promise<string[]> {
  await loadAxe(page);
  return page.evaluate(async (left) => {
    const { axe: judge } = globalThis as unknown as { axe: Axe };
    const { violations } = await judge.run(
      // The queue board is somebody else's page in a frame.
      { exclude: [['iframe']] },
      {
        ...{ resultTypes: ['violations'], preload: false, iframes: false },
        rules: Object.fromEntries(left.map((rule) => [rule, { enabled: false }])),
      },
    );
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ''}`);
  }, but);
}

/** Texts that look like none before them, judged by axe: in what contrast is reckoned from, not in size or place. */
const PALE = `async (before) => {
  const looks = new Set(before);
  const lookOf = (element) => {
    const { color, fontSize, fontWeight, textShadow } = getComputedStyle(element);
    const parts = [color, fontSize, fontWeight, textShadow];
    for (let at = element; at; at = at.parentElement) {
      const { backgroundColor, backgroundImage, opacity, filter } = getComputedStyle(at);
      parts.push(backgroundColor + ' ' + backgroundImage + ' ' + opacity + ' ' + filter);
    }
    return parts.filter((part, index) => part !== parts[index - 1]).join('; ');
  };
  const isText = (element) =>
    element.matches('input, select, textarea') ||
    [...element.childNodes].some((one) => one.nodeType === Node.TEXT_NODE && one.textContent.trim() !== '');
  const isNew = (element) => {
    if (!isText(element) || !element.checkVisibility()) return false;
    const look = lookOf(element);
    return !looks.has(look) && looks.add(look).size > 0;
  };
  const include = [...document.querySelectorAll('body *')].filter(isNew);
  const judged = [...looks].slice(before.length);
  if (include.length === 0) return { faults: [], judged };
  const options = { resultTypes: ['violations'], preload: false, iframes: false };
  const { violations } = await axe.run({ include }, { ...options, runOnly: ['color-contrast'] });
  return { faults: violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html)), judged };
}`;

/**
 * What axe finds too pale among texts that look like none that was judged before: most of a page looks like the one before it, and axe takes
 * as long for contrast as for all else. `known` is how the judged ones look; what is new is added.
 */
export async function paleTexts(page: Page, known: Set<string>): Promise<readonly string[]> {
  await loadAxe(page);
  const { faults, judged } = await page.evaluate<Record<'faults' | 'judged', readonly string[]>>(
    `(${PALE})(${JSON.stringify([...known])})`,
  );
  for (const look of judged) known.add(look);
  return faults;
}

async function loadAxe(page: Page): Promise<void> {
  axe ??= readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  if (!(await page.evaluate("'axe' in globalThis"))) await page.evaluate(await axe);
}
