// The export for hledger, judged by hledger: what a customer wrote must not change the books.
import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { plainJournal } from '../../../src/domain/journal-json.js';
import type { OperationsDeps } from '../../../src/operations/deps.js';
import { exportLines } from '../../../src/operations/export.js';
import type { ExportedPosting } from '../../../src/operations/views/exported-posting.js';
import { SALE } from '../../support/erp/sample-journals.js';
import { has } from '../../support/services.js';

const HOSTILE = [
  'date:2019-12-31',
  'x, date:2019-12-31, y',
  '[2019-12-31]',
  '[=2019-12-31]',
  '; date:2019-12-31',
  '\n2019-12-31 * forged\n    1500  1 ISK\n    3000\n',
  '\u20282019-12-31 forged\u2029',
  ') | * ! = @ {1} (',
];

function posting(text: string, index: number): ExportedPosting {
  const number = `SR-${String(index)}${text}`;
  const journal = plainJournal({
    ...SALE,
    documentNo: number,
    description: text,
    lines: SALE.lines.map((line) => ({ ...line, text })),
  });
  return {
    postingId: String(index),
    tenantName: 'hraun',
    kind: 'invoice',
    guid: SALE.externalReference,
    number,
    counterpartyName: text,
    counterpartyKennitala: '',
    issueDate: SALE.postingDate,
    postingDate: SALE.postingDate,
    totalIsk: '12400',
    key: `I${String(index)}`,
    state: 'acknowledged',
    erpNumber: `7, ${text}`,
    settlementNumber: '',
    journal: JSON.stringify(journal),
    settlement: null,
  };
}

async function exported(): Promise<string> {
  const deps = {
    connections: { names: () => ['hraun'] },
    records: {
      exportPage: () => Promise.resolve(HOSTILE.map(posting)),
      reversedPage: () => Promise.resolve([]),
    },
  } as unknown as OperationsDeps;
  const period = { tenant: 'hraun', from: '2026-01-01', to: '2026-12-31' };
  let text = '';
  for await (const part of exportLines(deps, { ...period, subject: 'journals', format: 'hledger' }))
    text += part;
  return text;
}

describe.skipIf(!has('hledger'))('an export for hledger', () => {
  test('keeps every posting on its day and adds none, whatever a customer wrote', async () => {
    const input = await exported();
    const ask = (...args: string[]) =>
      spawnSync('hledger', ['-f', '-', ...args], { input, encoding: 'utf8' });
    expect(ask('check').stderr).toBe('');
    expect(ask('register', '-e', '2026-01-01').stdout).toBe('');
    const total = ask('balance', '1500', '-p', '2026-03-15', '-O', 'csv', '-N').stdout;
    expect(total).toContain(`"${String(12_400 * HOSTILE.length)} ISK"`);
  });
});
