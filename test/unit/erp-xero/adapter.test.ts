import { afterEach, describe, expect, it } from 'vitest';
import { Decimal, ZERO } from '../../../src/domain/money.js';
import type { Journal } from '../../../src/domain/journal.js';
import type { ErpAdapter, PreparedPost } from '../../../src/erp/erp-adapter.js';
import { xeroAdapter } from '../../../src/erp/xero/index.js';
import { FakeServer } from '../../support/fakes/fake-server.js';
import { fakeServices } from '../../support/fakes/fake-services.js';
import { COST_KEY, costJournal, INVOICE_KEY, invoiceJournal } from '../../support/fakes/sample-journals.js';
import { XERO_SECRET, xeroBooks, xeroSettings } from '../../support/fakes/xero-books.js';
import { balanceOf, type XeroFakeOptions } from '../../support/fakes/xero-fake.js';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function connected(options: Partial<XeroFakeOptions> = {}, settings: Record<string, unknown> = {}) {
  const time = { now: Date.parse('2026-03-20T12:00:00Z') };
  const fake = xeroBooks({ now: () => time.now, ...options });
  const server = await new FakeServer(fake).start();
  const configuration = xeroAdapter.configuration.parse(xeroSettings(server.origin, settings));
  const clock = { now: () => new Date(time.now) };
  const adapter = xeroAdapter.create(configuration, fakeServices({ 'env:XERO_SECRET': XERO_SECRET }, clock));
  closers.push(
    () => server.stop(),
    () => adapter.close(),
  );
  return { fake, server, adapter, time };
}

async function prepared(
  erp: ErpAdapter,
  key = INVOICE_KEY,
  journal: Journal = invoiceJournal(),
): Promise<PreparedPost> {
  const outcome = await erp.prepare({ key, journal });
  if (outcome.outcome !== 'prepared') throw new Error(JSON.stringify(outcome));
  return outcome.prepared;
}

describe('Xero adapter', () => {
  it('posts instead of leaving a draft, on the clearing account that stands in for receivables', async () => {
    const { adapter, fake } = await connected();
    expect(await adapter.post(await prepared(adapter))).toMatchObject({ outcome: 'posted' });
    expect(fake.journals.map((journal) => journal.Status)).toEqual(['POSTED']);
    expect(balanceOf(fake, '1590')).toBe('12400');
    const found = await adapter.findByKey(INVOICE_KEY);
    expect(found).toMatchObject({ outcome: 'one', entry: { lines: [{ account: '1500' }, {}, {}] } });
  });

  it('names accounts that manual journals refuse, before anything is sent', async () => {
    const { adapter, fake } = await connected({}, { clearingAccounts: {} });
    const outcome = await adapter.prepare({ key: INVOICE_KEY, journal: invoiceJournal() });
    expect(outcome).toMatchObject({ outcome: 'rejected', code: 'blocked-account' });
    expect(fake.journals).toEqual([]);
    const findings = await adapter.validate({ accounts: ['1910'], vatCodes: [], dimensions: {} });
    expect(findings).toEqual([expect.objectContaining({ severity: 'error' })]);
  });

  it('takes validation errors inside a 200 for a refusal', async () => {
    const { adapter, fake } = await connected();
    const request = await prepared(adapter);
    fake.accounts.delete('3000');
    expect(await adapter.post(request)).toMatchObject({ outcome: 'rejected', code: 'unknown-account' });
    expect(fake.journals).toEqual([]);
  });

  it('books once when the same request is sent again while its key lives, and declares no longer life', async () => {
    const { adapter, fake, time } = await connected();
    const request = await prepared(adapter);
    await adapter.post(request);
    time.now += adapter.capabilities.nativeKeyLifeMs ?? Infinity;
    expect(await adapter.post(request)).toMatchObject({ outcome: 'posted' });
    expect(fake.journals).toHaveLength(1);
  });

  it('sends what was refused under a new key once it is prepared again, and what was not under the same', async () => {
    const { adapter, fake, server } = await connected();
    const first = await prepared(adapter);
    const account = fake.accounts.get('3000')!;
    fake.accounts.delete('3000');
    expect(await adapter.post(first)).toMatchObject({ outcome: 'rejected' });
    fake.accounts.set('3000', account);
    const request = { key: INVOICE_KEY, journal: invoiceJournal() };
    const asked = { ...request, earlier: { request: first.request, isRefused: true } };
    const second = await adapter.prepare(asked);
    expect(second).toEqual(await adapter.prepare(asked));
    if (second.outcome !== 'prepared') throw new Error(second.message);
    const earlier = { request: second.prepared.request, isRefused: false };
    expect(await adapter.prepare({ ...request, earlier })).toEqual(second);
    expect(await adapter.post(second.prepared)).toMatchObject({ outcome: 'posted' });
    const keys = server.seen
      .filter(({ method }) => method === 'PUT')
      .map((sent) => sent.headers['idempotency-key']);
    expect(keys).toEqual([INVOICE_KEY, `${INVOICE_KEY}-1`]);
    expect(fake.journals).toHaveLength(1);
  });

  it.each([
    ['by the scopes of single endpoints', ['accounting.manualjournals']],
    ['by the broad scope of an older connection', ['accounting.transactions']],
  ])('signs in %s', async (_name, own) => {
    const { adapter } = await connected({
      scopes: [...own, 'accounting.settings.read', 'accounting.attachments'],
    });
    expect(await adapter.health()).toMatchObject({ outcome: 'healthy' });
  });

  it('says which scopes are missing when the connection has neither', async () => {
    const { adapter } = await connected({ scopes: ['accounting.settings.read'] });
    const health = await adapter.health();
    expect(health).toMatchObject({ outcome: 'auth', message: expect.stringContaining('scopes') as string });
  });

  it.each([
    ['its registration number', { RegistrationNumber: '550101-2340' }, {}, 'healthy'],
    ['its tax number, as everywhere but NZ, AU and UK', { TaxNumber: '550101-2340' }, {}, 'healthy'],
    ['a VAT number that is configured', { TaxNumber: '98765' }, { taxNumber: '98765' }, 'healthy'],
    ['a VAT number that is not', { TaxNumber: '98765' }, {}, 'rejected'],
    ['no number at all', {}, { taxNumber: '98765' }, 'rejected'],
  ])('knows the company by %s', async (_name, numbers, settings, outcome) => {
    const organisation = { Name: 'Prufufélagið ehf.', BaseCurrency: 'ISK', ...numbers };
    const { adapter } = await connected({ organisation }, settings);
    expect((await adapter.health()).outcome).toBe(outcome);
  });

  it('waits for the key to be let go when nobody says that an earlier version was refused under it', async () => {
    const { adapter, fake, time } = await connected();
    const request = await prepared(adapter);
    const account = fake.accounts.get('3000')!;
    fake.accounts.delete('3000');
    await adapter.post(request);
    fake.accounts.set('3000', account);
    const corrected = await prepared(adapter, INVOICE_KEY, invoiceJournal({ description: 'Leiðrétt' }));
    const outcome = await adapter.post(corrected);
    expect(outcome).toMatchObject({ outcome: 'transient', retryAfterMs: 360_000 });
    time.now += 360_000;
    expect(await adapter.post(corrected)).toMatchObject({ outcome: 'posted' });
    expect(fake.journals).toHaveLength(1);
  });

  it('leaves a 500 unknown, also when it is answered again from the key', async () => {
    const { adapter, fake } = await connected();
    const request = await prepared(adapter);
    fake.crashNext();
    expect(await adapter.post(request)).toMatchObject({ outcome: 'unknown' });
    expect(await adapter.post(request)).toMatchObject({ outcome: 'unknown' });
    expect(await adapter.findByKey(INVOICE_KEY)).toEqual({ outcome: 'none' });
  });

  it('waits as long as the minute limit says', async () => {
    const { adapter, time } = await connected({ callsPerMinute: 4 });
    const request = await prepared(adapter);
    await adapter.findByKey(INVOICE_KEY);
    expect(await adapter.post(request)).toMatchObject({ outcome: 'transient', retryAfterMs: 21_000 });
    time.now += 61_000;
    expect(await adapter.post(request)).toMatchObject({ outcome: 'posted' });
  });

  it('finishes or deletes a draft that somebody made of our journal', async () => {
    const { adapter, fake } = await connected();
    const request = await prepared(adapter, COST_KEY, costJournal());
    await adapter.post(request);
    fake.journals[0]!.Status = 'DRAFT';
    const found = await adapter.findByKey(COST_KEY);
    if (found.outcome !== 'one') throw new Error(JSON.stringify(found));
    expect(found.entry.state).toBe('draft');
    expect(await adapter.resume(found.entry, request)).toMatchObject({ outcome: 'posted' });
  });

  it('refuses a foreign document where the tenant wants that rather than have it booked in ISK', async () => {
    const { adapter } = await connected({}, { foreignDocuments: 'refuse' });
    const lines = [
      {
        account: '9900',
        debit: new Decimal(5),
        credit: ZERO,
        currency: 'EUR',
        currencyAmount: new Decimal('0.03'),
      },
      {
        account: '3000',
        debit: ZERO,
        credit: new Decimal(5),
        currency: 'EUR',
        currencyAmount: new Decimal('-0.03'),
      },
    ].map((line) => ({ ...line, role: 'clearing' as const, text: '' }));
    const outcome = await adapter.prepare({
      key: INVOICE_KEY,
      journal: invoiceJournal({ currency: 'EUR', lines }),
    });
    expect(outcome).toMatchObject({ outcome: 'rejected', code: 'unsupported' });
  });
});
