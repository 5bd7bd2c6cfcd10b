// What each adapter makes of the same documents, whole, as it goes over the wire. Read the difference before you take it
// over with `npx vitest run --project unit test/unit/erp/shared/golden-translations.test.ts -u`.
import { afterEach, describe, expect, it } from 'vitest';
import type { Journal } from '../../../../src/domain/journal.js';
import { businessCentralConfiguration } from '../../../../src/erp/business-central/settings.js';
import { toBcJournal, toLineDimensions } from '../../../../src/erp/business-central/translate.js';
import { dkPlusConfiguration } from '../../../../src/erp/dkplus/settings.js';
import { toDkJournal } from '../../../../src/erp/dkplus/translate.js';
import { toEntryValues, withoutEmptyCurrencies } from '../../../../src/erp/odoo/translate.js';
import { xeroConfiguration } from '../../../../src/erp/xero/settings.js';
import { toXeroJournal } from '../../../../src/erp/xero/translate.js';
import { writeWireJson } from '../../../../src/http/wire-json.js';
import { businessCentralSettings } from '../../../support/fakes/business-central-books.js';
import { dkPlusSettings } from '../../../support/fakes/dkplus-books.js';
import { FAKE_CHART, OPEN_ACCOUNTS } from '../../../support/fakes/fake-chart.js';
import { FAKE_ERPS, type FakeErp } from '../../../support/fakes/fake-erps.js';
import {
  COST_KEY,
  costJournal,
  creditNoteJournal,
  foreignJournal,
  INVOICE_KEY,
} from '../../../support/fakes/sample-journals.js';
import { xeroSettings } from '../../../support/fakes/xero-books.js';

let books: FakeErp | undefined;
afterEach(() => books?.close());

const { customer, supplier, dimension } = FAKE_CHART;
const ORIGIN = 'http://localhost:1';
const businessCentral = businessCentralConfiguration.parse(businessCentralSettings(ORIGIN));
const dkPlus = dkPlusConfiguration.parse(dkPlusSettings(ORIGIN));
const xero = xeroConfiguration.parse(xeroSettings(ORIGIN));
const bcPartners = new Map([
  [`customer/${customer.kennitala}`, customer.kennitala],
  [`supplier/${supplier.kennitala}`, supplier.kennitala],
]);
const odooNumbers = {
  journals: { entries: 7, sales: 8, purchases: 9 },
  accounts: new Map(OPEN_ACCOUNTS.map((code) => [code as string, Number(code) - 1000])),
  currencies: new Map([['EUR', 2]]),
  partners: new Map([
    [customer.kennitala, 8],
    [supplier.kennitala, 9],
  ]),
  taxes: new Map(),
  analyticAccounts: new Map([[`${dimension.name}=${dimension.value}`, 21]]),
};

const ADAPTERS: readonly { name: string; write: (key: string, journal: Journal) => unknown }[] = [
  { name: 'dkplus', write: (key, journal) => toDkJournal(key, journal, dkPlus) },
  { name: 'xero', write: (key, journal) => toXeroJournal(key, journal, xero) },
  {
    name: 'business-central',
    write: (key, journal) => ({
      journal: toBcJournal(key, journal, businessCentral, bcPartners),
      dimensions: toLineDimensions(journal, businessCentral),
    }),
  },
  {
    name: 'odoo',
    write: (key, journal) => toEntryValues(key, withoutEmptyCurrencies(journal), odooNumbers),
  },
];

function golden(value: unknown): string {
  return `${JSON.stringify(JSON.parse(writeWireJson(value)), null, 2)}\n`;
}

describe.each(ADAPTERS)('documents in the words of $name', ({ name, write }) => {
  it.each([
    ['credit-note', INVOICE_KEY, creditNoteJournal()],
    ['cost', COST_KEY, costJournal()],
  ])('the %s is written as it always was', async (document, key, journal) => {
    const path = `../../../fixtures/erp/${name}/${document}.json`;
    await expect(golden(write(key, journal))).toMatchFileSnapshot(path);
  });

  it.each([
    ['of a cost', COST_KEY, costJournal()],
    ['of a credit note', INVOICE_KEY, creditNoteJournal()],
    ['in another currency', INVOICE_KEY, foreignJournal()],
  ])(
    'a text %s has the number of its document once, also where the rules put it there',
    (_of, key, journal) => {
      const { documentNo } = journal;
      const put = (text: string) => `${documentNo} ${text}`;
      const lines = journal.lines.map((line) => ({ ...line, text: put(line.text) }));
      const numbered = { ...journal, description: put(journal.description), lines };
      const written = golden(write(key, numbered));
      expect(written).toBe(golden(write(key, journal)));
      const texts = written.split('\n').filter((line) => line.includes(documentNo));
      expect(texts.length).toBeGreaterThan(0);
      expect(texts.filter((line) => line.split(documentNo).length > 2)).toEqual([]);
    },
  );

  if (name !== 'odoo') return;
  it('the foreign invoice is written as it always was', async () => {
    const path = `../../../fixtures/erp/${name}/foreign-invoice.json`;
    await expect(golden(write(INVOICE_KEY, foreignJournal()))).toMatchFileSnapshot(path);
  });
});

describe.each(FAKE_ERPS)('a foreign invoice in $name', (erpOf) => {
  it('is booked in its currency, or in ISK with the foreign amount in its texts', async () => {
    books = await erpOf.open();
    const erp = books.connect();
    const outcome = await erp.prepare({ key: INVOICE_KEY, journal: foreignJournal() });
    expect(erp.capabilities.foreignCurrency).toBe(erpOf.name.startsWith('Odoo') ? 'in-currency' : 'in-isk');
    expect(outcome).toMatchObject({ outcome: 'prepared' });
  });
});
