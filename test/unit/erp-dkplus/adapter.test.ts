import { afterEach, describe, expect, it } from 'vitest';
import { sum, ZERO } from '../../../src/domain/money.js';
import type { Journal } from '../../../src/domain/journal.js';
import type { ErpAdapter, PreparedPost } from '../../../src/erp/erp-adapter.js';
import { grossSale } from '../../../lab/kit/conformance/journals.js';
import { dkPlusAdapter } from '../../../src/erp/dkplus/index.js';
import { DK_TOKEN, dkPlusBooks, dkPlusSettings } from '../../support/fakes/dkplus-books.js';
import { FAKE_CHART } from '../../support/fakes/fake-chart.js';
import { FakeServer } from '../../support/fakes/fake-server.js';
import { collect, fakeServices } from '../../support/fakes/fake-services.js';
import { COST_KEY, costJournal, INVOICE_KEY, invoiceJournal } from '../../support/fakes/sample-journals.js';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function connected(obeys?: 'Option' | 'Options' | 'neither', settings: Record<string, unknown> = {}) {
  const fake = dkPlusBooks(obeys);
  const server = await new FakeServer(fake).start();
  const configuration = dkPlusAdapter.configuration.parse(dkPlusSettings(server.origin, settings));
  const adapter = dkPlusAdapter.create(configuration, fakeServices({ 'env:DK_TOKEN': DK_TOKEN }));
  closers.push(
    () => server.stop(),
    () => adapter.close(),
  );
  return { fake, server, adapter };
}

async function prepared(
  adapter: ErpAdapter,
  key = INVOICE_KEY,
  journal = invoiceJournal(),
): Promise<PreparedPost> {
  const outcome = await adapter.prepare({ key, journal });
  if (outcome.outcome !== 'prepared') throw new Error(JSON.stringify(outcome));
  return outcome.prepared;
}

describe('dkPlus adapter', () => {
  it.each(['Option', 'Options'] as const)(
    'books through a service that obeys only the spelling %s',
    async (obeys) => {
      const { adapter, fake } = await connected(obeys);
      const outcome = await adapter.post(await prepared(adapter));
      expect(outcome).toMatchObject({ outcome: 'posted', reference: { number: 'einv1' } });
      expect(fake.transactions).toHaveLength(3);
      expect(fake.unposted).toHaveLength(0);
    },
  );

  it('reports a journal that dk took but did not post as unknown, and never as posted', async () => {
    const { adapter, fake } = await connected('neither');
    const outcome = await adapter.post(await prepared(adapter));
    expect(outcome).toMatchObject({ outcome: 'unknown' });
    expect(fake.unposted).toHaveLength(1);
    expect(adapter.capabilities).toMatchObject({ idempotency: 'none', lookUp: 'posted' });
  });

  it('finds an entry by its whole reference, though dk matches parts of it', async () => {
    const { adapter } = await connected();
    await adapter.post(await prepared(adapter));
    expect(await adapter.findByKey(INVOICE_KEY)).toMatchObject({ outcome: 'one' });
    expect(await adapter.findByKey(INVOICE_KEY.slice(0, 10))).toEqual({ outcome: 'none' });
  });

  it('refuses accounts with a VAT code, since dk would split the amount again', async () => {
    const { adapter, fake } = await connected();
    const lines = invoiceJournal().lines.map((line) =>
      line.account === '3000' ? { ...line, account: '3001' } : line,
    );
    const outcome = await adapter.prepare({ key: INVOICE_KEY, journal: invoiceJournal({ lines }) });
    expect(outcome).toMatchObject({ outcome: 'rejected', code: 'invalid' });
    expect(fake.transactions).toHaveLength(0);
    expect(
      await adapter.validate({ accounts: ['3001', '3999', '1500'], vatCodes: [], dimensions: {} }),
    ).toEqual([
      expect.objectContaining({ severity: 'error', message: expect.stringContaining('U24') as string }),
      expect.objectContaining({ severity: 'error', message: expect.stringContaining('closed') as string }),
    ]);
  });

  it('says at a connection check which values of a second and third dimension dk lacks', async () => {
    const { adapter, fake } = await connected(undefined, { dim2: 'project', dim3: 'car' });
    fake.dimensions.add('V-1');
    const dimensions = { project: ['V-1', 'V-2'], car: ['AB-123'], shelf: ['7'] };
    const findings = await adapter.validate({ accounts: [], vatCodes: [], dimensions });
    expect(findings.flatMap(({ severity, lacks }) => (severity === 'error' ? lacks : []))).toEqual([
      { dimension: 'project', value: 'V-2' },
      { dimension: 'car', value: 'AB-123' },
      { dimension: 'shelf' },
    ]);
  });

  describe('a reverse charge, where dk splits VAT', () => {
    async function splitting(owedOn?: string) {
      const { fake, server } = await connected();
      fake.taxCodes.set('RC24', { rate: '0.24', account: '1600', ...(owedOn ? { owedOn } : {}) });
      fake.accounts.set('6400', { Name: 'Þjónusta að utan', TaxCode: 'RC24', Closed: false });
      const configuration = dkPlusAdapter.configuration.parse(dkPlusSettings(server.origin));
      const services = { ...fakeServices({ 'env:DK_TOKEN': DK_TOKEN }), vatMode: 'erp-splits' } as const;
      const adapter = dkPlusAdapter.create(configuration, services);
      closers.push(() => adapter.close());
      return { adapter, fake };
    }
    const bought = (): Journal => {
      const [, payable] = costJournal().lines.filter(({ role }) => role !== 'vat-in');
      const amount = payable!.credit;
      const expense = {
        account: '6400',
        role: 'expense',
        debit: amount,
        credit: ZERO,
        text: 'Hýsing',
      } as const;
      const reverseVat = amount.times('0.24').toDecimalPlaces(0);
      return costJournal({ lines: [{ ...expense, vatCode: 'RC24', reverseVat }, payable!] });
    };

    it('is owed and deducted by dk, read back, and undone whole', async () => {
      const { adapter, fake } = await splitting('2500');
      const journal = bought();
      expect(await adapter.post(await prepared(adapter, COST_KEY, journal))).toMatchObject({
        outcome: 'posted',
      });
      expect(fake.transactions).toHaveLength(4);
      const found = await adapter.findByKey(COST_KEY);
      if (found.outcome !== 'one') throw new Error(found.outcome);
      const undo = { key: 'RABCDEFGHIJKLMNOPQR4', original: found.entry, journal, reason: 'Rangt' };
      expect(await adapter.reverse({ ...undo, date: FAKE_CHART.reversalDate })).toMatchObject({
        outcome: 'posted',
      });
      for (const account of ['6400', '1600', '2500'])
        expect(
          sum(fake.transactions.filter((row) => row.Account === account).map((row) => row.Amount)).toFixed(),
        ).toBe('0');
    });

    it('is no success where the code of dk takes VAT out instead', async () => {
      const { adapter } = await splitting();
      expect(await adapter.post(await prepared(adapter, COST_KEY, bought()))).toMatchObject({
        outcome: 'rejected',
        code: 'collision',
        message: expect.stringContaining('does not take the VAT code RC24 for a reverse charge') as string,
      });
    });
  });

  it('refuses a line whose account has another VAT code than the rules say, where dk splits VAT', async () => {
    const { fake, server } = await connected();
    const settings = dkPlusAdapter.configuration.parse(dkPlusSettings(server.origin));
    const services = { ...fakeServices({ 'env:DK_TOKEN': DK_TOKEN }), vatMode: 'erp-splits' } as const;
    const splitting = dkPlusAdapter.create(settings, services);
    fake.accounts.set('3001', { Name: 'Sala í neðra þrepi', TaxCode: 'U11', Closed: false });
    const outcome = await splitting.prepare({ key: INVOICE_KEY, journal: grossSale(FAKE_CHART) });
    expect(outcome).toMatchObject({ outcome: 'rejected', code: 'unknown-vat-code', vatCode: 'U24' });
    const expected = { accounts: ['3001'], vatCodes: ['U11', 'P24'], dimensions: {} };
    expect(await splitting.validate(expected)).toMatchObject([
      { severity: 'ok' },
      { severity: 'warning', lacks: { vatCode: 'P24' } },
    ]);
    await splitting.close();
  });

  it('sees an account that was added in dk after the chart was read', async () => {
    const { adapter, fake } = await connected();
    await prepared(adapter);
    fake.accounts.set('3050', { Name: 'Ný sala', TaxCode: '', Closed: false });
    const lines = invoiceJournal().lines.map((line) =>
      line.account === '3000' ? { ...line, account: '3050' } : line,
    );
    await expect(prepared(adapter, COST_KEY, invoiceJournal({ lines }))).resolves.toMatchObject({
      key: COST_KEY,
    });
  });

  it('books amounts with two decimals to the eyrir and puts the supplier in the subledger', async () => {
    const { adapter, fake } = await connected();
    expect(await adapter.post(await prepared(adapter, COST_KEY, costJournal()))).toMatchObject({
      outcome: 'posted',
    });
    expect(fake.transactions.map((row) => [row.Account, row.SubAccount, row.Amount.toFixed()])).toEqual([
      ['6000', null, '8064.52'],
      ['1600', null, '1935.48'],
      ['2410', FAKE_CHART.supplier.kennitala, '-10000'],
    ]);
  });

  it('creates a foreign customer under the number that its journal has, hyphens and all', async () => {
    const { adapter, fake } = await connected();
    const party = { ...FAKE_CHART.newCustomer, kennitala: 'DE-123-45' };
    const lines = invoiceJournal().lines.map((line) =>
      line.counterparty ? { ...line, counterparty: party.kennitala } : line,
    );
    const outcome = await adapter.prepare({ key: INVOICE_KEY, journal: invoiceJournal({ lines, party }) });
    expect(outcome).toMatchObject({ outcome: 'prepared' });
    expect([...fake.customers.keys()]).toContain(party.kennitala);
  });

  it('does not create a customer unless the configuration allows it', async () => {
    const { adapter, fake } = await connected(undefined, { partners: { create: false } });
    const { newCustomer } = FAKE_CHART;
    const lines = invoiceJournal().lines.map((line) =>
      line.counterparty ? { ...line, counterparty: newCustomer.kennitala } : line,
    );
    const outcome = await adapter.prepare({
      key: INVOICE_KEY,
      journal: invoiceJournal({ lines, party: newCustomer }),
    });
    expect(outcome).toMatchObject({ outcome: 'rejected', code: 'unknown-party' });
    expect(fake.customers.has(newCustomer.kennitala)).toBe(false);
  });

  it('lists our entries of a period and leaves the rest of the books alone', async () => {
    const { adapter, fake } = await connected();
    await adapter.post(await prepared(adapter));
    fake.transactions.push({ ...fake.transactions[0]!, ID: 1, Reference: 'S001', Voucher: 's21' });
    const listed = await collect(adapter.entries({ from: '2026-03-01', to: '2026-03-31' }));
    expect(listed.map((entry) => entry.key)).toEqual([INVOICE_KEY]);
    expect(await collect(adapter.entries({ from: '2026-04-01', to: '2026-04-30' }))).toEqual([]);
  });

  it('books three dimensions, and names the one that has no place', async () => {
    const { adapter, fake } = await connected(undefined, {
      dim1: 'costLocation',
      dim2: 'project',
      dim3: 'car',
    });
    for (const value of ['Brú', 'KX']) fake.dimensions.add(value);
    const [receivable, revenue, ...rest] = invoiceJournal().lines;
    const dimensions = { costLocation: 'RVK', project: 'Brú', car: 'KX' };
    const journal = invoiceJournal({ lines: [receivable!, { ...revenue!, dimensions }, ...rest] });
    const outcome = await adapter.prepare({ key: INVOICE_KEY, journal });
    if (outcome.outcome !== 'prepared') throw new Error(outcome.message);
    expect(await adapter.post(outcome.prepared)).toMatchObject({ outcome: 'posted' });
    const found = await adapter.findByKey(INVOICE_KEY);
    expect(found).toMatchObject({ entry: { lines: [{}, { dimensions }, {}] } });
    const other = invoiceJournal({
      lines: [receivable!, { ...revenue!, dimensions: { deild: 'A' } }, ...rest],
    });
    expect(await adapter.prepare({ key: INVOICE_KEY, journal: other })).toMatchObject({
      code: 'unknown-dimension',
      dimension: 'deild',
    });
  });
});
