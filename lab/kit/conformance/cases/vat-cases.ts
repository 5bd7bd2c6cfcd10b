// Who reckons VAT is said by the tenant's rules. An ERP that can take it out of gross lines does, and nothing else than that; one
// that cannot refuses, so that a gross amount never stands in the books as if it were net.
import { strict as assert } from 'node:assert';
import { sum } from '../../../../src/domain/money.js';
import type { Journal } from '../../../../src/domain/journal.js';
import type { ErpAdapter, ErpEntry } from '../../../../src/erp/erp-adapter.js';
import {
  assertInBooksOnce,
  assertRejected,
  assertSame,
  type CaseWorld,
  type ConformanceCase,
  final,
  onlyEntry,
  posted,
  settled,
} from '../conformance-case.js';
import { freshKey, grossPurchase, grossSale, sale } from '../journals.js';

export const VAT_CASES: readonly ConformanceCase[] = [
  {
    id: 'vat-split',
    title:
      'takes VAT out of gross lines by their code and undoes it whole, or refuses gross lines, as declared',
    run: async (world) => {
      await assertRejected(world, grossSale(world.chart), freshKey(), ['unknown-vat-code']);
      const erp = await world.another('splits-vat');
      const declared = erp.capabilities.vatMode === 'erp-splits';
      assert.equal(
        declared,
        erp.capabilities.splitsVat === true,
        'splitsVat says what it does when it is asked to',
      );
      if (!declared) return;
      const splitting = { ...world, erp };
      await assertRejected(splitting, sale(world.chart), freshKey(), ['unknown-vat-code']);
      await assertSplits(splitting, grossSale(world.chart));
      await assertSplits(splitting, grossPurchase(world.chart));
    },
  },
];

async function assertSplits(world: CaseWorld, journal: Journal): Promise<void> {
  const key = freshKey();
  await posted(world.erp, key, journal);
  await assertInBooksOnce(world, key);
  const survivor = await world.another('splits-vat');
  const original = await onlyEntry(survivor, key);
  assertSame(survivor, journal, original);
  for (const line of journal.lines.filter(({ vatBase }) => vatBase)) {
    assert.equal(
      balanceOf([original], line.account).abs().toFixed(),
      line.vatBase?.toFixed(),
      'the net is booked',
    );
    assert.ok(original.lines.length > journal.lines.length, 'and VAT has a line of its own');
  }
  await assertUndone(survivor, journal, original, world.chart.reversalDate);
}

async function assertUndone(
  erp: ErpAdapter,
  journal: Journal,
  original: ErpEntry,
  date: string,
): Promise<void> {
  const key = freshKey('R');
  const reversal = { key, original, journal, date, reason: 'Rangt bókað' };
  await settled(erp, key, final(erp, await erp.reverse(reversal)));
  const undoing = await onlyEntry(erp, key);
  for (const { account } of [...original.lines, ...undoing.lines])
    assert.ok(balanceOf([original, undoing], account).isZero(), `account ${account} is back where it was`);
}

function balanceOf(entries: readonly ErpEntry[], account: string) {
  const lines = entries.flatMap((entry) => entry.lines).filter((line) => line.account === account);
  return sum(lines.map(({ debit, credit }) => debit.minus(credit)));
}
