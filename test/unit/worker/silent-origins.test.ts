// When a person hears of an origin that cannot be looked at.
import { expect, test } from 'vitest';
import { SILENT_MS, SilentOrigins } from '../../../src/worker/silent-origins.js';

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
