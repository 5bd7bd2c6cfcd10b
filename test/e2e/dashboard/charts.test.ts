// What stands at the ticks of the charts: lengths of time that people count in, and the hours of the clocks that the rest of the page goes by.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Secret } from '../../../src/domain/secret.js';
import { type Bed, bridgeBed } from '../../support/bridge-bed.js';
import { launchBrowser } from '../../support/browser.js';
import { type DashboardBed, PASSWORD } from '../../support/dashboard-bed.js';
import { shippedDashboard } from '../../support/shipped-dashboard.js';

let bed: Bed;
let dash: DashboardBed;
let cookie: string;

beforeAll(async () => {
  bed = await bridgeBed({
    accounts: [{ username: 'hraun', invoices: 1, costs: 0, seed: 'charts' }],
    tenants: [{ name: 'hraun', account: 'hraun', erp: { adapter: 'file' } }],
    // Neither that of the browser nor a whole number of hours away from it.
    env: { LEDGERBRIDGE_TIME_ZONE: 'Asia/Kolkata' },
  });
  dash = await shippedDashboard(bed);
  await dash.addUser('gudrun', 'viewer');
  const answer = await dash.users.signIn('gudrun', new Secret(PASSWORD), { browser: '', address: '' });
  cookie = answer.outcome === 'signed-in' ? answer.sessionId : '';
});
afterAll(async () => {
  await dash.close();
  await bed.close();
});

const DRAWN = `(async () => {
  const written = new Set();
  const { prototype } = CanvasRenderingContext2D;
  const fill = prototype.fillText;
  prototype.fillText = function (text, ...place) {
    written.add(text);
    fill.call(this, text, ...place);
  };
  const place = document.createElement('div');
  place.className = 'chart';
  place.dataset.chart = JSON.stringify(CHART);
  document.querySelector('main').append(place);
  document.dispatchEvent(new CustomEvent('htmx:afterSwap', { detail: {} }));
  await new Promise((resolve) => setTimeout(resolve, 500));
  return [...written];
})()`;

/** What a chart writes beside its axes. */
async function drawn(chart: object): Promise<string[]> {
  const browser = await launchBrowser();
  try {
    const context = await browser.newContext({ timezoneId: 'UTC' });
    await context.addCookies([{ name: 'ledgerbridge', value: cookie, url: dash.url }]);
    const page = await context.newPage();
    await page.goto(dash.url);
    return (await page.evaluate(DRAWN.replace('CHART', JSON.stringify(chart)))) as string[];
  } finally {
    await browser.close();
  }
}

// 2026-11-15 06:30 UTC is noon in India.
const NOON = Date.UTC(2026, 10, 15, 6, 30) / 1_000;
/** From nine to three: in the middle of the night and early in the morning by UTC. */
const hours = Array.from({ length: 7 }, (_, hour) => NOON + (hour - 3) * 3_600);
const lag = (seconds: number) => ({
  at: hours,
  lines: [{ label: 'Hraun', values: hours.map((_, at) => (at === 3 ? seconds : 1)) }],
});

const ROUND = [1, 2, 3, 5, 10, 15, 20, 30].flatMap((length) => [length, length * 60]);
const ROUND_HOURS = [1, 2, 3, 4, 6, 8, 12].map((length) => length * 3_600);

it.each([7, 190, 500, 5_000, 40_000])(
  'where the slowest took %i seconds, each tick is a round length of time, and says which',
  async (seconds) => {
    const ticks = (await drawn(lag(seconds))).filter((text) => / (s|min|h|d)$/.test(text) && text !== '0 s');
    expect(ticks.length).toBeGreaterThan(1);
    expect(new Set(ticks).size).toBe(ticks.length);
    const unit = { s: 1, min: 60, h: 3_600, d: 86_400 };
    const lengths = ticks.map((text) => {
      const [value = '', name = ''] = text.split(' ');
      return Number(value.replace(',', '.')) * unit[name as keyof typeof unit];
    });
    const steps = new Set(lengths.map((length, at) => length - (lengths[at - 1] ?? 0)));
    expect(steps.size).toBe(1);
    expect([...ROUND, ...ROUND_HOURS]).toContain([...steps][0]);
  },
);

it('the hours are those of the configured time zone, and round ones of it', async () => {
  const times = (await drawn(lag(7))).filter((text) => /^\d\d:\d\d$/.test(text));
  expect(times.length).toBeGreaterThan(3);
  for (const time of times) expect(time).toMatch(/^(0[89]|1[0-6]):(00|30)$/);
  expect(times).toContain('12:00');
});
