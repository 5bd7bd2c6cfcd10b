// The page that people trust must not say anything else than the code does.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { POSTING_MOVES } from '../../../src/domain/posting.js';
import { fullSweepEveryMs, FULL_SWEEP_EVERY_MS, OVERLAP_DAYS } from '../../../src/sync/intake.js';
import { RETRY_BACK_OFF_MS, WAITS_MS } from '../../../src/sync/back-off.js';
import { deadlineMs } from '../../../src/erp/config-schemas.js';
import { POST_TIMING, type PostingDeps, inFlightMaxMs } from '../../../src/sync/work.js';
import type { TenantContext } from '../../../src/sync/tenant-context.js';
import { LOOK_UP_FIRST_DAYS } from '../../../src/store/witness.js';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const read = (path: string) => readFileSync(resolve(ROOT, path), 'utf8');
const page = read('docs/explanation/how-it-works.md');

function rowsUnder(heading: string): string[][] {
  const section = page.split(/^## /m).find((part) => part.startsWith(heading)) ?? '';
  return section
    .split('\n')
    .filter((line) => line.startsWith('|') && !line.startsWith('|---'))
    .map((line) => line.split('|').slice(1, -1).map((cell) => cell.trim()));
}

const UNITS: Readonly<Record<string, number>> = { s: 1_000, min: 60_000, h: 3_600_000 };

function inMs(text: string): number {
  const [count = '', unit = ''] = text.split(' ');
  return Number(count) * (UNITS[unit] ?? NaN);
}

describe('docs/explanation/how-it-works.md', () => {
  it('shows the legal moves as the code has them', () => {
    const shown = rowsUnder('The states')
      .slice(1)
      .map(([from = '', to = '']) => [from, to.split(', ')].map((name) => JSON.stringify(name).replaceAll('`', '')));
    const real = Object.entries(POSTING_MOVES).map(([from, to]) => [JSON.stringify(from), JSON.stringify(to)]);
    expect(shown).toEqual(real);
  });

  it('shows the waits as the code has them', () => {
    const rows = rowsUnder('Waits');
    const waits = rows.find(([title]) => title === 'Wait') ?? [];
    expect(waits.slice(1).map(inMs)).toEqual([...RETRY_BACK_OFF_MS]);
    const others = rows.slice(rows.findIndex(([title]) => title === 'Why') + 1);
    // As rows, so that a wait that is listed twice is seen.
    expect(others.map(([why = '', wait = '']) => [why, inMs(wait)])).toEqual(Object.entries(WAITS_MS));
  });

  it('has nine steps, and the times of the protocol', () => {
    expect(rowsUnder('The nine steps').slice(1).map(([number]) => number)).toEqual(['1', '2', '3', '4', '5', '6', '7', '8', '9']);
    const { leaseMs, sendByMs } = POST_TIMING;
    const callMs = deadlineMs.parse(undefined);
    const tenant = { erp: { capabilities: { callMsMax: callMs, lookUpLagMs: 0 } } } as unknown as TenantContext;
    const quietMs = inFlightMaxMs({ timing: POST_TIMING } as PostingDeps, tenant);
    expect(page).toContain(`the lease runs out after ${leaseMs / 1000} s`);
    expect(page).toContain(`leave until ${sendByMs / 1000} s after step 4, and takes the adapter's \`deadlineMs\` at most (${callMs / 1000} s`);
    expect(page).toContain(`(${(2 * sendByMs) / 1000} s and \`deadlineMs\`)`);
    expect(page).toContain(`as long again for an ERP that works on after we gave up: ${quietMs / 1000} s`);
    expect(page).toContain(`from the cursor minus ${OVERLAP_DAYS}\ndays`);
    expect(FULL_SWEEP_EVERY_MS.most).toBe(24 * UNITS['h']!);
    expect(page).toContain(`every ${FULL_SWEEP_EVERY_MS.least / 60_000} min while up to 500 documents wait`);
    expect(fullSweepEveryMs(500)).toBe(FULL_SWEEP_EVERY_MS.least);
    expect(fullSweepEveryMs(600)).toBe(FULL_SWEEP_EVERY_MS.least + 3 * 60_000);
    expect(page).toContain(`look into the ERP first for ${LOOK_UP_FIRST_DAYS} days`);
  });

  it('derives its bound of fairness from the figures that the bridge runs with', () => {
    expect(read('src/bridge/start-bridge.ts')).toContain('DISPATCH = { round: 64, turnMin: 4, jobMin: 32, intervalMs: 250 }');
    expect(read('src/bridge/start-bridge.ts')).toContain('round: Math.max(DISPATCH.round, 2 * settings.concurrency)');
    expect(page).toContain('64 documents');
    expect(page).toContain('four documents a tenant');
    expect(read('src/sync/turns.ts')).toContain('waiting > this.#size / 2');
    expect(page).toContain('250 ms + (⌈2 R / W⌉ + 1) × S');
  });
});
