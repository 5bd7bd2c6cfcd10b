// One journal a day says what its documents say, whatever they are.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ZERO, type Decimal } from '../../../src/domain/money.js';
import type { Journal } from '../../../src/domain/journal.js';
import { journalFromJson, journalToJson, plainJournal } from '../../../src/domain/journal-json.js';
import { vatOfJournal } from '../../../src/operations/vat/vat-ledger.js';
import { mapRecord, RuleLayers } from '../../../src/pipeline/mapping/map-record.js';
import { openRuleBook } from '../../../src/pipeline/mapping/rules.js';
import { isSummarised, summarise } from '../../../src/pipeline/mapping/make-journal.js';
import { rulesWith } from '../../unit/mapping/build.js';
import { costCase, invoiceCase } from './arbitrary-documents.js';

const daily = rulesWith({
  summary: { invoices: 'daily', costs: 'daily' },
  cost: { reverseCharge: 'both' },
  invoice: { revenueByItemNumber: { V2: '3200' } },
});
const rules = new RuleLayers(daily);
const NAME = { day: '2025-03-10', serial: 1 } as const;
const keyOf = (index: number) =>
  `I${String(index)
    .replaceAll(/[0189]/g, 'A')
    .padStart(19, 'B')}`;

/** Account, and what it comes to; per customer or supplier where one is named. */
function totals(journals: readonly Journal[]): Record<string, string> {
  const sums = new Map<string, Decimal>();
  const add = (name: string, amount: Decimal) => sums.set(name, (sums.get(name) ?? ZERO).plus(amount));
  for (const journal of journals) {
    for (const { account, debit, credit, counterparty = '', dimensions = {} } of journal.lines) {
      add(`${account} ${counterparty} debit`, debit);
      add(`${account} ${counterparty} credit`, credit);
      for (const [name, value] of Object.entries(dimensions))
        add(`${account} ${name}=${value}`, debit.minus(credit));
    }
    for (const { code, side, base, vat, owed } of vatOfJournal(plainJournal(journal), daily))
      for (const [name, amount] of Object.entries({ base, vat, owed }))
        add(`${side} ${code} ${name}`, amount);
  }
  return Object.fromEntries(
    [...sums].filter(([, amount]) => !amount.isZero()).map(([name, amount]) => [name, amount.toFixed()]),
  );
}

test.each(['invoice', 'cost'] as const)(
  'the %ss of a day: the same on every account, for everybody, in every box',
  (kind) => {
    const one = kind === 'invoice' ? invoiceCase : costCase.map((document) => ({ document, context: {} }));
    let put = 0;
    fc.assert(
      fc.property(fc.array(one, { minLength: 1, maxLength: 12 }), (cases) => {
        const documents = cases
          .map((given) => mapRecord({ kind, ...given }, rules))
          .flatMap((mapped) => (mapped.outcome === 'post' ? [mapped.journal] : []))
          .filter((journal) => isSummarised(daily, kind, journal))
          .map((journal, index) => ({ key: keyOf(index), journal }));
        if (documents.length === 0) return;
        put += documents.length;
        const together = summarise({ kind, ...NAME }, documents, openRuleBook(daily));
        expect(totals([together])).toEqual(totals(documents.map(({ journal }) => journal)));
        for (const { key } of documents)
          expect(together.lines.some(({ text }) => text.includes(key))).toBe(true);
        expect(journalToJson(journalFromJson(journalToJson(together)))).toBe(journalToJson(together));
      }),
      { numRuns: 60 * Number(process.env['TIMES'] ?? 1), seed: Number(process.env['SEED'] ?? 1) },
    );
    expect(put).toBeGreaterThan(80);
  },
);
