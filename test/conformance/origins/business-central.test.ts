// A simulated Business Central, held to what the port of origins promises.
import { describe, expect, onTestFinished, test } from 'vitest';
import { ORIGIN_CASES, runOriginCase } from '../../../src/origins/conformance/run-origin-case.js';
import { businessCentralRecords } from '../../../src/origins/erp/business-central/index.js';
import { ErpOrigin } from '../../../src/origins/erp/erp-origin.js';
import { erpServices } from '../../support/erp/erp-services.js';
import {
  BC_SECRET,
  businessCentralBooks,
  businessCentralSettings,
  partner,
} from '../../support/fakes/business-central-books.js';
import { FAKE_CHART } from '../../support/fakes/fake-chart.js';
import { FakeServer } from '../../support/fakes/fake-server.js';
import { businessCentralTarget, sell } from './business-central-beds.js';

type Hands = ('customers' | 'invoices')[];
const HANDS = ['customers', 'invoices', 'orders', 'quotes'] as const;

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
    const records = businessCentralRecords(
      businessCentralSettings(server.origin, settings),
      { hands, since: '2026-01-01', orders: 'order', quotes: 'quote' },
      services,
    );
    onTestFinished(() => records.close());
    return { fake, origin: new ErpOrigin('erp', records, services.clock, { everyMs: 0, atOnce: 50 }) };
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

  test('hands over nothing of a company that is called otherwise', async () => {
    const { fake, origin } = await place({ companyName: 'Önnur ehf.' });
    sell(fake, 'salesInvoices', { customerNumber: 'C0001', invoiceDate: '2026-03-01' }, LINES);
    await expect(origin.changes(null)).rejects.toThrow(/Önnur ehf\./);
  });
});
