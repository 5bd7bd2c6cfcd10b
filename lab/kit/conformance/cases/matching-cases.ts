// Where an adapter makes invoices of the ERP's own: what is paid or credited stands against them there, whatever happened in between.
import { strict as assert } from 'node:assert';
import { Decimal, ZERO } from '../../../../src/domain/money.js';
import type { Journal, JournalLine } from '../../../../src/domain/journal.js';
import type { ErpCapabilities } from '../../../../src/erp/erp-adapter.js';
import {
  assertInBooksOnce,
  type CaseWorld,
  type ConformanceCase,
  onlyEntry,
  posted,
  prepared,
} from '../conformance-case.js';
import { freshKey, purchase, sale } from '../journals.js';

const TOTAL = '12400';
const PART = '5000';
/** What the suite's purchase comes to. */
const BILL = '6200';

export const MATCHING_CASES: readonly ConformanceCase[] = [
  {
    id: 'matched-after-crash',
    title:
      'sets a payment and a credit note against their invoice, also when the answer to their booking was lost',
    exempt: unmatched,
    run: async (world) => {
      const paid = await anInvoice(world);
      await foundAfterLostReply(world, payment(world, paid.journal, PART));
      await assertOwed(world, paid.key, new Decimal(TOTAL).minus(PART));
      const credited = await anInvoice(world);
      const { externalReference: appliesTo } = credited.journal;
      const note = { ...sale(world.chart), appliesTo, lines: mirrored(credited.journal.lines) };
      await foundAfterLostReply(world, note);
      await assertOwed(world, credited.key, ZERO);
    },
  },
  {
    id: 'payment-taken-back',
    title: 'opens an invoice again when its payment is taken back',
    exempt: unmatched,
    run: async (world) => {
      const { key, journal } = await anInvoice(world);
      const whole = payment(world, journal, TOTAL);
      await posted(world.erp, freshKey('S'), whole);
      await assertOwed(world, key, ZERO);
      await posted(world.erp, freshKey('S'), { ...whole, lines: mirrored(whole.lines) });
      await assertOwed(world, key, new Decimal(TOTAL));
    },
  },
  {
    id: 'bill-credited',
    title:
      "sets a supplier's credit note against the bill that it names, and books one without a bill all the same",
    exempt: ({ creditsBills = false }) => (creditsBills ? null : 'declares no matching of bills'),
    run: async (world) => {
      const bill = purchase(world.chart);
      const key = freshKey('C');
      await posted(world.erp, key, bill);
      await assertOwed(world, key, new Decimal(BILL));
      await creditNote(world, bill, 'no such bill');
      await assertOwed(world, key, new Decimal(BILL));
      await creditNote(world, bill, bill.documentNo);
      await assertOwed(world, key, ZERO);
      await creditNote(world, bill, bill.documentNo);
      await assertOwed(world, key, ZERO);
    },
  },
];

/** As one that names a bill, whether or not that is there, or still open. */
async function creditNote(
  { chart, erp, ...world }: CaseWorld,
  { lines }: Journal,
  bill: string,
): Promise<void> {
  const key = freshKey('C');
  await posted(erp, key, { ...purchase(chart), appliesToNo: bill, lines: mirrored(lines) });
  await assertInBooksOnce({ chart, erp, ...world }, key);
}

function unmatched({ matchesPayments = false }: ErpCapabilities): string | null {
  return matchesPayments ? null : 'declares no matching of payments';
}

async function anInvoice(world: CaseWorld): Promise<{ key: string; journal: Journal }> {
  const [key, journal] = [freshKey('I'), sale(world.chart)];
  await posted(world.erp, key, journal);
  await assertOwed(world, key, new Decimal(TOTAL));
  return { key, journal };
}

/** The answer never came, so that nothing was done after the booking; another process finds the entry. */
async function foundAfterLostReply(world: CaseWorld, journal: Journal): Promise<void> {
  const key = freshKey('S');
  const request = await prepared(world.erp, key, journal);
  await world.bed.provoke({ kind: 'lose-reply' });
  await world.erp.post(request);
  await world.bed.heal();
  const survivor = await world.another();
  await survivor.match?.(await onlyEntry(survivor, key), journal);
  await assertInBooksOnce(world, key);
}

async function assertOwed(world: CaseWorld, key: string, wanted: Decimal): Promise<void> {
  if (!world.bed.owed) {
    world.notShown('what is left to pay of an invoice: the bed has no owed(key)');
    return;
  }
  const owed = await world.bed.owed(key);
  assert.equal(owed.toFixed(), wanted.toFixed(), `of the invoice ${owed.toFixed()} is left to pay`);
}

/** So much of a sale, received on an account that any chart has. */
function payment({ chart }: CaseWorld, { lines, ...head }: Journal, isk: string): Journal {
  const amount = new Decimal(isk);
  const owed = lines.filter(({ role }) => role === 'receivable');
  const received: JournalLine = {
    ...{ account: chart.rounding, role: 'bank', text: 'Greitt' },
    ...{ debit: amount, credit: ZERO },
  };
  return { ...head, lines: [received, ...owed.map((line) => ({ ...line, debit: ZERO, credit: amount }))] };
}

function mirrored(lines: readonly JournalLine[]): JournalLine[] {
  return lines.map((line) => ({ ...line, debit: line.credit, credit: line.debit }));
}
