// The page about outbound records says what the code does.
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { SUBMISSION_MOVES } from '../../../src/domain/submission.js';
import { OUTBOUND_TIMING, quietPeriodMs } from '../../../src/outbound/stage.js';

const page = readFileSync(new URL('../../../docs/reference/outbound.md', import.meta.url), 'utf8');

it('shows the legal moves as the code has them', () => {
  const [, table = ''] = page.split('| From | To |');
  const [moves = ''] = table.split('\n\n');
  const rows = [...moves.matchAll(/^\| `(\w+)` \| (`\w+`(?:, `\w+`)*) \|$/gm)];
  const shown = rows.map(([, from = '', to = '']) => [from, to.replaceAll('`', '').split(', ')]);
  expect(Object.fromEntries(shown)).toEqual(SUBMISSION_MOVES);
});

it('says how long nothing can be on its way any more', () => {
  expect(page).toContain(`${String(quietPeriodMs(OUTBOUND_TIMING) / 1_000)} s)`);
  expect(page).toContain(`${String(OUTBOUND_TIMING.sendByMs / 1_000)} s to leave, ${String(OUTBOUND_TIMING.callMs / 1_000)} s for the call`);
});
