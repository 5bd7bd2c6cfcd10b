// A simulated Business Central, held to what the port of origins promises.
import { describe, expect, onTestFinished, test } from 'vitest';
import { Decimal } from '../../../src/domain/money.js';
import { ORIGIN_CASES, runOriginCase } from '../../../src/origins/conformance/run-origin-case.js';
import { businessCentralRecords } from '../../../src/erp/business-central/origin/index.js';
import { ErpOrigin } from '../../../src/origins/erp-origin.js';
import { erpServices } from '../../support/erp/erp-services.js';
import {
  BC_SECRET,
  businessCentralBooks,
  businessCentralSettings,
  partner,
} from '../../support/fakes/business-central-books.js';
import { FAKE_CHART } from '../../support/fakes/fake-chart.js';
import { FakeServer } from '../../support/fakes/fake-server.js';
import { businessCentralTarget, keepItem, sell, VAT_GROUPS } from './business-central-beds.js';

type Hands = ('customers' | 'invoices' | 'items')[];
const HANDS = ['customers', 'items', 'invoices', 'orders', 'quotes'] as const;

describe.each(HANDS)('Business Central as an origin, %s', (hand) => {
  const target = businessCentralTarget(hand);
  test.each(ORIGIN_CASES.map((each) => [each.title, each] as const))('%s', async (_title, each) => {
    const { result, detail } = await runOriginCase(target, each);
    expect(result, detail).not.toBe('failed');
  });
});

describe('Business Central as an origin', () => {
  const CREDIT = { customerNumber: 'C0001', creditMemoDate: '2026-03-02' };
  const { revenue: lineObjectNumber, codeOut: taxCode } = FAKE_CHART.taxed;
  const LINES = [{ lineObjectNumber, taxCode, description: 'Vara', quantity: 1, unitPrice: 1_000 }];

  const place = async (settings: Record<string, unknown> = {}, hands: Hands = ['invoices']) => {
    const fake = businessCentralBooks();
    fake.ledger.customers.push({ ...partner('C0001', 'Prufa ehf.'), taxRegistrationNumber: '650376-0649' });
    const server = await new FakeServer(fake).start();
    onTestFinished(() => server.stop());
    const services = erpServices({ 'env:BC_SECRET': BC_SECRET });
    const given = businessCentralSettings(server.origin, settings);
    const wish = { hands, since: '2026-01-01', orders: 'order', quotes: 'quote' } as const;
    const originBy = (vatGroups: Record<string, 'S' | 'AA' | 'Z'>) => {
      const records = businessCentralRecords(given, { ...wish, vatGroups }, services);
      onTestFinished(() => records.close());
      return new ErpOrigin('erp', records, services.clock, { everyMs: 0, atOnce: 50 });
    };
    return { fake, originBy, origin: originBy(VAT_GROUPS) };
  };

  test('hands over a credit memo with the invoice that it credits, behind it', async () => {
    const { fake, origin } = await place();
    const invoice = sell(
      fake,
      'salesInvoices',
      { customerNumber: 'C0001', invoiceDate: '2026-03-01' },
      LINES,
    );
    const credit = sell(fake, 'salesCreditMemos', { ...CREDIT, invoiceId: invoice.id }, LINES);
    const { records, problems } = await origin.changes(null);
    expect(problems).toEqual([]);
    expect(records.map(({ reference }) => reference)).toEqual([
      ...['6503760649', `invoice ${invoice.number}`, `credit memo ${credit.number}`],
    ]);
    expect(JSON.parse(records[2]!.content)).toMatchObject({ credit_of: `invoice ${invoice.number}` });
  });

  test('names a credit memo of no invoice, and leaves out what the bridge booked and what is a draft', async () => {
    const { fake, origin } = await place();
    const credit = sell(fake, 'salesCreditMemos', CREDIT, LINES);
    const booked = { customerNumber: 'C0001', externalDocumentNumber: '1042 IABCDEFGHIJKLMNOPQRS' };
    sell(fake, 'salesInvoices', booked, LINES);
    fake.documents.create('salesInvoices', { customerNumber: 'C0001', postingDate: '2026-03-01' });
    const { records, problems } = await origin.changes(null);
    expect(records).toEqual([]);
    expect(problems.map(({ said }) => said?.code)).toEqual(['CREDITS_NOT_ONE']);
    expect(problems[0]!.place).toContain(credit.number);
  });

  test('two customers with one kennitala speak for neither, and what was sold to either goes out', async () => {
    const { fake, origin } = await place({}, ['customers', 'invoices']);
    fake.ledger.customers.splice(0, fake.ledger.customers.length - 1);
    fake.ledger.customers.push({ ...partner('C0009', 'Prufa, útibú'), taxRegistrationNumber: '6503760649' });
    const invoice = sell(
      fake,
      'salesInvoices',
      { customerNumber: 'C0009', invoiceDate: '2026-03-01' },
      LINES,
    );
    const { records, problems, cursor } = await origin.changes(null);
    expect(records.map(({ reference }) => reference)).toEqual([`invoice ${invoice.number}`]);
    expect(JSON.parse(records[0]!.content)).toMatchObject({
      customer: { kennitala: '6503760649', name: 'Prufa, útibú' },
    });
    expect(problems).toHaveLength(2);
    for (const { problem } of problems)
      expect(problem).toMatch(/Prufa ehf\. \(C0001\), Prufa, útibú \(C0009\)/);
    // Somebody has mended it: nothing of the other customer has changed.
    fake.ledger.customers.pop();
    const mended = await origin.changes(cursor);
    expect(mended.problems).toEqual([]);
    expect(mended.records).toMatchObject([{ kind: 'customer', reference: '6503760649' }]);
  });

  test('hands over items without VAT in their prices, and those that are blocked as out of use', async () => {
    const { fake, origin } = await place({}, ['items']);
    const gross = { unitPrice: new Decimal(111), priceIncludesTax: true, taxGroupCode: 'VSK11' };
    keepItem(fake, { number: 'B-1', ...gross, displayName: '', baseUnitOfMeasureCode: 'KG' });
    keepItem(fake, { number: 'B-2', blocked: true });
    const { records, problems } = await origin.changes(null);
    expect(problems).toEqual([]);
    expect(records.map(({ content }) => JSON.parse(content) as unknown)).toMatchObject([
      { description: 'B-1', unit_price: '100', tax: 'AA', uom: 'KGS', active: true },
      { unit_price: '1990', tax: 'S', uom: 'C62', active: false },
    ]);
  });

  test('names items whose VAT nobody has said, and reads them all again when somebody does', async () => {
    const { fake, originBy } = await place({}, ['items']);
    keepItem(fake, { number: 'B-1' });
    keepItem(fake, { number: 'B-2', taxGroupCode: 'BLANDAD' });
    keepItem(fake, { number: 'B-3', taxGroupCode: '' });
    const first = await originBy({ VSK24: 'S' }).changes(null);
    expect(first.records.map(({ reference }) => reference)).toEqual(['B-1']);
    expect(first.problems.map(({ said }) => said)).toEqual([
      { code: 'ITEM_GROUP_UNKNOWN', params: { number: 'B-2', group: 'BLANDAD' } },
      { code: 'ITEM_GROUP_UNKNOWN', params: { number: 'B-3', group: '' } },
    ]);
    const gone = fake.ledger.items.pop()!;
    const mended = await originBy({ VSK24: 'AA', BLANDAD: 'Z' }).changes(first.cursor);
    expect(mended.problems).toEqual([]);
    expect(mended.records.map(({ content }) => JSON.parse(content) as unknown)).toMatchObject([
      ...[{ tax: 'AA' }, { tax: 'Z' }],
    ]);
    expect(mended.looked.some((place) => place.includes(gone.number))).toBe(true);
    const again = await originBy({ BLANDAD: 'Z', VSK24: 'AA' }).changes(mended.cursor);
    expect(again.records).toEqual([]);
  });

  test('hands over nothing of a company that is called otherwise', async () => {
    const { fake, origin } = await place({ companyName: 'Önnur ehf.' });
    sell(fake, 'salesInvoices', { customerNumber: 'C0001', invoiceDate: '2026-03-01' }, LINES);
    await expect(origin.changes(null)).rejects.toThrow(/Önnur ehf\./);
  });
});
