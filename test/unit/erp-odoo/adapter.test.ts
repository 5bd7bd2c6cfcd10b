import { afterEach, describe, expect, it } from 'vitest';
import { Decimal, ZERO } from '../../../src/domain/money.js';
import type { Journal } from '../../../src/domain/journal.js';
import type { ErpAdapter, PreparedPost } from '../../../src/erp/erp-adapter.js';
import { odooAdapter } from '../../../src/erp/odoo/index.js';
import { FAKE_CHART } from '../../support/fakes/fake-chart.js';
import { FakeServer } from '../../support/fakes/fake-server.js';
import { fakeServices } from '../../support/fakes/fake-services.js';
import { ODOO_KEY, odooBooks, odooSettings } from '../../support/fakes/odoo-books.js';
import { COST_KEY, costJournal, INVOICE_KEY, invoiceJournal } from '../../support/fakes/sample-journals.js';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function connected(settings: Record<string, unknown> = {}, books = odooBooks()) {
  const server = await new FakeServer(books).start();
  const configuration = odooAdapter.configuration.parse(odooSettings(server.origin, settings));
  const clock = { now: () => new Date('2026-03-20T12:00:00Z') };
  const adapter = odooAdapter.create(configuration, fakeServices({ 'env:ODOO_KEY': ODOO_KEY }, clock));
  closers.push(
    () => server.stop(),
    () => adapter.close(),
  );
  return { records: books.records, server, adapter };
}

async function prepared(erp: ErpAdapter, key: string, journal: Journal): Promise<PreparedPost> {
  const outcome = await erp.prepare({ key, journal });
  if (outcome.outcome !== 'prepared') throw new Error(JSON.stringify(outcome));
  return outcome.prepared;
}

describe('Odoo adapter', () => {
  it("keeps the account's default taxes and the automatic balancing line out of the entry", async () => {
    const { adapter, records } = await connected();
    const outcome = await adapter.post(await prepared(adapter, INVOICE_KEY, invoiceJournal()));
    expect(outcome).toMatchObject({ outcome: 'posted', reference: { number: 'EINV/2026/0001' } });
    expect(records.rows('account.move.line').map((line) => line['name'])).toEqual([
      'SR1001 Viðskiptakrafa',
      'SR1001 Ráðgjöf',
      'SR1001 Útskattur 24%',
    ]);
  });

  it('does not call an entry posted whose date Odoo moved because the period closed in between', async () => {
    const { adapter, records } = await connected();
    const request = await prepared(adapter, INVOICE_KEY, invoiceJournal());
    records.rows('res.company')[0]!['hard_lock_date'] = '2026-03-31';
    expect(await adapter.post(request)).toMatchObject({
      outcome: 'rejected',
      code: 'collision',
      message: expect.stringContaining('2026-04-01 instead of 2026-03-15') as string,
    });
  });

  it('lists the entries of a period when they have more lines than one answer may have', async () => {
    const { adapter, records } = await connected();
    expect(await adapter.post(await prepared(adapter, INVOICE_KEY, invoiceJournal()))).toMatchObject({
      outcome: 'posted',
    });
    const [move] = records.rows('account.move');
    const [line] = records.rows('account.move.line');
    const { id: _move, ...head } = move!;
    const { id: _line, ...fields } = line!;
    // What people made: ninety-nine entries of 21 lines.
    for (let count = 1; count < 100; count++) {
      const typed = records.insert('account.move', { ...head, ref: `typed ${String(count)}` });
      for (let each = 0; each < 21; each++)
        records.insert('account.move.line', { ...fields, move_id: typed.id });
    }
    const keys: string[] = [];
    for await (const { key } of adapter.entries({ from: '2026-03-01', to: '2026-03-31' })) keys.push(key);
    expect(keys).toEqual([INVOICE_KEY]);
  });

  it('refuses decimals that Odoo would round away without a word', async () => {
    const { adapter } = await connected({}, odooBooks({ iskDecimals: 0 }));
    const outcome = await adapter.prepare({ key: COST_KEY, journal: costJournal() });
    expect(outcome).toMatchObject({ outcome: 'rejected', code: 'invalid' });
    await expect(prepared(adapter, INVOICE_KEY, invoiceJournal())).resolves.toBeDefined();
  });

  it('leaves no draft behind when Odoo refuses to post', async () => {
    const { adapter, records } = await connected();
    const request = await prepared(adapter, INVOICE_KEY, invoiceJournal());
    records.rows('account.account').find((account) => account['code'] === '3000')!['deprecated'] = true;
    const outcome = await adapter.post(request);
    expect(outcome).toMatchObject({
      outcome: 'rejected',
      message: expect.stringContaining('deprecated') as string,
    });
    expect(records.rows('account.move')).toEqual([]);
    expect(records.rows('account.move.line')).toEqual([]);
  });

  it('says which accounts are out of use before anything is booked on them', async () => {
    const { adapter, records } = await connected();
    records.rows('account.account').find((account) => account['code'] === '3000')!['deprecated'] = true;
    const outcome = await adapter.prepare({ key: INVOICE_KEY, journal: invoiceJournal() });
    expect(outcome).toMatchObject({ outcome: 'rejected', code: 'blocked-account' });
    const findings = await adapter.validate({ accounts: ['1500', '3000'], vatCodes: [], dimensions: {} });
    expect(
      findings.filter((finding) => finding.severity === 'error').map((finding) => finding.message),
    ).toEqual(['Account 3000 is deprecated in Odoo.']);
  });

  it('asks an Odoo without that field nothing about it', async () => {
    const { adapter, records } = await connected();
    records.define('account.account', ['name', 'code', 'tax_ids', 'company_id']);
    const findings = await adapter.validate({ accounts: ['1500'], vatCodes: [], dimensions: {} });
    expect(findings).toContainEqual(expect.objectContaining({ message: 'Odoo has no account 1500.' }));
  });

  it('books in its own company, though the user belongs to another one with the same codes', async () => {
    const { adapter, records } = await connected();
    await adapter.post(await prepared(adapter, INVOICE_KEY, invoiceJournal()));
    const [company] = records.search('res.company', [['name', '=', 'Prufufélagið ehf.']]);
    expect(records.rows('account.move').map((move) => move['company_id'])).toEqual([company?.id]);
  });

  it.each([
    { kind: 'rate-limit', retryAfterSeconds: 7, on: 'final-step' },
    { kind: 'server-error', status: 503, on: 'final-step' },
  ] as const)(
    'calls an entry that may be left as a draft unknown, after $kind, and finishes it',
    async (fault) => {
      const { adapter, records, server } = await connected();
      const request = await prepared(adapter, INVOICE_KEY, invoiceJournal());
      await server.provoke(fault);
      expect(await adapter.post(request)).toMatchObject({ outcome: 'unknown' });
      await server.heal();
      expect(await adapter.findByKey(INVOICE_KEY)).toMatchObject({
        outcome: 'one',
        entry: { state: 'draft' },
      });
      expect(await adapter.post(request)).toMatchObject({ outcome: 'posted' });
      expect(records.rows('account.move')).toHaveLength(1);
    },
  );

  it('attaches the same file once, and another of the same name beside it', async () => {
    const { adapter, records } = await connected();
    const outcome = await adapter.post(await prepared(adapter, INVOICE_KEY, invoiceJournal()));
    if (outcome.outcome !== 'posted') throw new Error(JSON.stringify(outcome));
    const file = { fileName: 'a.pdf', contentType: 'application/pdf', content: Buffer.from('x') };
    for (const content of [file.content, file.content, Buffer.from('y')]) {
      expect(await adapter.attach(outcome.reference, { ...file, content })).toEqual({ outcome: 'attached' });
    }
    expect(records.rows('ir.attachment')).toHaveLength(2);
  });

  it('asks for a person when two partners have the same kennitala', async () => {
    const { adapter, records } = await connected();
    records.insert('res.partner', { name: 'Tvífari', company_registry: FAKE_CHART.customer.kennitala });
    const outcome = await adapter.prepare({ key: INVOICE_KEY, journal: invoiceJournal() });
    expect(outcome).toMatchObject({ outcome: 'rejected', code: 'unknown-party' });
  });

  it('sends no currency on a line that is worth krónur but nothing in the currency', async () => {
    const { adapter, records } = await connected();
    const [receivable, revenue] = invoiceJournal().lines;
    const euros = { currency: 'EUR', currencyAmount: new Decimal('85') };
    const lines = [
      { ...receivable!, debit: new Decimal(12_368), ...euros },
      { ...revenue!, credit: new Decimal(12_367), currency: 'EUR', currencyAmount: new Decimal('-85') },
      {
        ...revenue!,
        account: '9900',
        credit: new Decimal(1),
        debit: ZERO,
        currency: 'EUR',
        currencyAmount: ZERO,
      },
    ];
    const journal = invoiceJournal({ currency: 'EUR', exchangeRate: new Decimal('145.5'), lines });
    expect(await adapter.post(await prepared(adapter, INVOICE_KEY, journal))).toMatchObject({
      outcome: 'posted',
    });
    const isk = records.rows('res.currency')[0]!.id;
    expect(records.rows('account.move.line').map((line) => line['currency_id'] === isk)).toEqual([
      false,
      false,
      true,
    ]);
  });

  it('warns before the API key expires', async () => {
    const chart = { accounts: ['1500'], vatCodes: [], dimensions: {} };
    const warnings = async (settings: Record<string, unknown>) => {
      const { adapter } = await connected(settings);
      return (await adapter.validate(chart)).filter((finding) => finding.severity === 'warning');
    };
    expect(await warnings({ apiKeyExpires: '2026-03-25' })).toHaveLength(1);
    expect(await warnings({ apiKeyExpires: '2026-06-01' })).toHaveLength(0);
    expect(await warnings({})).toHaveLength(1);
  });
});
