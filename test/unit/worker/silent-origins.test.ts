// When a person hears of an origin that cannot be looked at.
import { expect, test } from 'vitest';
import { ErpOrigin } from '../../../src/origins/erp-origin.js';
import { NO_FAIL_POINTS } from '../../../src/sync/fail-points.js';
import { takeIn } from '../../../src/outbound/take-in.js';
import { SILENT_MS, SilentOrigins } from '../../../src/worker/outgoing-keeper.js';

function watched() {
  const told: string[] = [];
  const clock = { ms: 1_000 };
  const silent = new SilentOrigins(
    {
      silent: (tenant, origin, { message }) => {
        told.push(`${tenant} ${origin} silent: ${message}`);
        return Promise.resolve();
      },
      answers: (tenant, origin) => {
        told.push(`${tenant} ${origin} answers`);
        return Promise.resolve();
      },
    },
    () => clock.ms,
  );
  return { told, clock, silent };
}

test('a moment is nothing, what lasts is told, and its end too', async () => {
  const { told, clock, silent } = watched();
  await silent.failed('hraun', 'orders', new Error('away'));
  clock.ms += SILENT_MS - 1;
  await silent.failed('hraun', 'orders', new Error('away'));
  expect(told).toEqual([]);
  clock.ms += 1;
  await silent.failed('hraun', 'orders', new Error('still away'));
  await silent.answered('hraun', 'orders');
  await silent.answered('hraun', 'orders');
  expect(told).toEqual(['hraun orders silent: still away', 'hraun orders answers']);
});

test('an answer in between begins the count anew', async () => {
  const { told, clock, silent } = watched();
  await silent.failed('hraun', 'orders', new Error('away'));
  await silent.answered('hraun', 'orders');
  clock.ms += SILENT_MS;
  await silent.failed('hraun', 'orders', new Error('away'));
  expect(told).toEqual(['hraun orders answers']);
});

test('what the process before has told is taken back at the first answer', async () => {
  const { told, silent } = watched();
  await silent.answered('hraun', 'orders');
  expect(told).toEqual(['hraun orders answers']);
});

test('a tenant that went and came back is counted anew', async () => {
  const { told, clock, silent } = watched();
  await silent.failed('hraun', 'orders', new Error('away'));
  silent.keep([]);
  clock.ms += SILENT_MS;
  await silent.failed('hraun', 'orders', new Error('away'));
  expect(told).toEqual([]);
});

test('an ERP that is asked less often while it is down is told of all the same, and only its answer ends that', async () => {
  const { told, clock, silent } = watched();
  let isDown = true;
  const feed = {
    ...{ name: 'parties', kinds: ['customer'] as const, find: () => Promise.resolve(null) },
    list: () =>
      isDown ? Promise.reject(new Error('down')) : Promise.resolve({ entries: [], isFull: false }),
    read: () => Promise.resolve([]),
  };
  const nothing = () => Promise.resolve();
  const erp = { feeds: [feed], missing: () => Promise.resolve([]), tell: nothing, close: nothing };
  const time = { now: () => new Date(clock.ms) };
  const origin = new ErpOrigin('erp', erp, time, { everyMs: 30_000, atOnce: 50 });
  const tenant = {
    name: 'hraun',
    environment: 'production',
    sourceAccount: '5402696029',
    series: {},
    origins: new Map(),
  } as const;
  const store = {
    cursor: () => Promise.resolve(null),
    takeIn: () => Promise.resolve({ added: 0, changed: 0, late: 0, taken: 0 }),
  };
  const rounds = async (ms: number) => {
    for (const until = clock.ms + ms; clock.ms < until; clock.ms += 2_000)
      await silent
        .heed('hraun', 'erp', () => takeIn(store, NO_FAIL_POINTS, tenant, origin))
        .catch(() => undefined);
  };
  await rounds(4 * 60_000);
  expect(told).toEqual([]);
  await rounds(6 * 60_000);
  expect(new Set(told)).toEqual(new Set(['hraun erp silent: down']));
  isDown = false;
  await rounds(6 * 60_000);
  expect(told.at(-1)).toBe('hraun erp answers');
});
