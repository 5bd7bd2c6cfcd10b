// What stands in the books is what was sent: amounts, letters, dates, partners, dimensions. And what must be refused is.
import { strict as assert } from 'node:assert';
import type { ErpCapabilities, ErpEntry } from '../../../../src/erp/erp-adapter.js';
import {
  assertInBooksOnce,
  assertRejected,
  assertSame,
  assertTextKept,
  type CaseWorld,
  type ConformanceCase,
  onlyEntry,
  posted,
} from '../conformance-case.js';
import { crooked, foreignSale, freshKey, purchase, sale } from '../journals.js';
import type { Journal } from '../../../../src/domain/journal.js';
import { blind } from './once-cases.js';

export const CONTENT_CASES: readonly ConformanceCase[] = [
  {
    id: 'read-back',
    title: 'reads back exactly the lines that it sent, for a sale and for a cost',
    exempt: blind,
    run: async (world) => {
      await assertReadsBack(world, sale(world.chart));
      await assertReadsBack(world, purchase(world.chart));
    },
  },
  {
    id: 'unbalanced',
    title: 'refuses a journal that does not balance',
    run: (world) => assertRejected(world, crooked(world.chart), freshKey(), ['unbalanced']),
  },
  {
    id: 'closed-period',
    title: 'refuses a date in a closed period, and does not move it',
    run: (world) =>
      assertRejected(world, sale(world.chart, { date: world.chart.closedDate }), freshKey(), [
        'closed-period',
      ]),
  },
  {
    id: 'unknown-account',
    title: 'refuses an account that the ERP does not have, and names it',
    run: async (world) => {
      const { unknownAccount } = world.chart;
      const journal = sale(world.chart, { revenueAccount: unknownAccount });
      await assertRejected(world, journal, freshKey(), ['unknown-account']);
      const outcome = await world.erp.prepare({ key: freshKey(), journal });
      if (outcome.outcome !== 'rejected') return;
      assert.ok(outcome.message.includes(unknownAccount), outcome.message);
      assert.equal(outcome.account, unknownAccount, 'the refusal names the account in a field of its own');
    },
  },
  {
    id: 'icelandic-letters',
    title: 'keeps every Icelandic letter',
    run: async (world) => {
      const text = 'áéíóúýþæöðÁÉÍÓÚÝÞÆÖÐ';
      const description = 'Kæmi ný öxi hér, ykist þjófum nú bæði víl og ádrepa';
      await assertKeepsText(world, text, description);
    },
  },
  {
    id: 'number-once',
    title: "writes the document's number once into a text, also where the rules put it there already",
    run: assertNumberOnce,
  },
  {
    id: 'hostile-text',
    title: 'is not led astray by what a customer writes into a text',
    run: async (world) => {
      const text =
        '=HYPERLINK("http://evil.example") \'; DROP TABLE x;-- <script>[2020-01-01] date:2020-01-01\n2020-01-01 * x';
      const description = '"); } ${jndi:ldap://x} %s %n \\ " \u0000\u2028 ☃ 🐟 [=2019-01-01]';
      await assertKeepsText(world, text, description);
    },
  },
  {
    id: 'two-decimals',
    title: 'keeps whole krónur whole and two decimals exact',
    run: async (world) => {
      await assertReadsBack(world, sale(world.chart, { net: '123456789', vat: '29629629' }));
      await assertReadsBack(world, sale(world.chart, { net: '0.10', vat: '0.02' }));
      await assertReadsBack(world, sale(world.chart, { net: '1234567.89', vat: '296296.29' }));
    },
  },
  {
    id: 'foreign-currency',
    title:
      'books a foreign document in its currency, or in ISK with the foreign amount in the text, or refuses it, as declared',
    run: async (world) => {
      const journal = foreignSale(world.chart);
      const key = freshKey();
      switch (world.erp.capabilities.foreignCurrency) {
        case 'in-currency':
          return assertReadsBack(world, journal, key);
        case 'documents-in-currency':
          await assertReadsBack(world, journal, key);
          assertInCurrency(await onlyEntry(world.erp, key), journal);
          return;
        case 'in-isk':
          await assertReadsBack(world, journal, key);
          for (const line of journal.lines.filter(({ currencyAmount }) => currencyAmount))
            await assertTextKept(
              world,
              key,
              `${journal.currency} ${line.currencyAmount?.abs().toFixed() ?? ''}`,
            );
          return;
        case 'none':
          return assertRejected(world, journal, key, ['unsupported']);
      }
    },
  },
  {
    id: 'dimensions',
    title: 'books dimensions on the lines that carry them, or refuses them where it declares none',
    run: (world) => {
      const { name, value } = world.chart.dimension;
      const journal = sale(world.chart, { dimensions: { [name]: value } });
      if (world.erp.capabilities.dimensions) return assertReadsBack(world, journal);
      return assertRejected(world, journal, freshKey(), ['unsupported']);
    },
  },
  {
    id: 'unknown-dimension',
    title: 'refuses a dimension value that the ERP does not have',
    exempt: undimensioned,
    run: (world) => {
      const { name, unknownValue } = world.chart.dimension;
      const journal = sale(world.chart, { dimensions: { [name]: unknownValue } });
      return assertRejected(world, journal, freshKey(), ['unknown-dimension']);
    },
  },
];

async function assertReadsBack(world: CaseWorld, journal: Journal, key = freshKey()): Promise<void> {
  await posted(world.erp, key, journal);
  await assertInBooksOnce(world, key);
  if (blind(world.erp.capabilities) !== null) return;
  const survivor = await world.another();
  assertSame(survivor, journal, await onlyEntry(survivor, key));
}

function assertInCurrency({ lines }: ErpEntry, { currency }: Journal): void {
  assert.ok(
    lines.every((line) => line.currency === currency),
    `the document is in ${currency}`,
  );
}

/** The number of the document opens every text, and rules may have put it there already: it is not written twice. */
async function assertNumberOnce(world: CaseWorld): Promise<void> {
  const key = freshKey();
  const plain = sale(world.chart);
  const { documentNo: number } = plain;
  const named = (text: string) => `${number} ${text}`;
  await posted(world.erp, key, {
    ...plain,
    description: named(plain.description),
    lines: plain.lines.map((line) => ({ ...line, text: named(line.text) })),
  });
  if (!world.bed.texts) {
    world.notShown('which texts the ERP keeps: the bed has no texts(key)');
    return;
  }
  const kept = await world.bed.texts(key);
  const doubled = kept.filter((text) => text.includes(named(number)));
  assert.deepEqual(doubled, [], 'the number of the document stands once in each text');
}

async function assertKeepsText(world: CaseWorld, text: string, description: string): Promise<void> {
  const key = freshKey();
  await assertReadsBack(world, sale(world.chart, { text, description }), key);
  await assertTextKept(world, key, text);
}

function undimensioned(capabilities: ErpCapabilities): string | null {
  return capabilities.dimensions ? null : 'declares no dimensions';
}
