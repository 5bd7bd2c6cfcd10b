import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import { Decimal, ZERO } from '../../../src/domain/money.js';
import type { Journal } from '../../../src/domain/journal.js';
import { businessCentralAdapter } from '../../../src/erp/business-central/index.js';
import { batchCode } from '../../../src/erp/business-central/translate.js';
import type { ErpAdapter, PreparedPost } from '../../../src/erp/erp-adapter.js';
import {
  BC_SECRET,
  businessCentralBooks,
  businessCentralSettings,
  partner,
} from '../../support/fakes/business-central-books.js';
import type { BcLedgerOptions } from '../../support/fakes/business-central-ledger.js';
import { FAKE_CHART } from '../../support/fakes/fake-chart.js';
import { FakeServer } from '../../support/fakes/fake-server.js';
import { fakeServices } from '../../support/fakes/fake-services.js';
import { COST_KEY, costJournal, INVOICE_KEY, invoiceJournal } from '../../support/fakes/sample-journals.js';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function connected(options: Partial<BcLedgerOptions> = {}, settings: Record<string, unknown> = {}) {
  const fake = businessCentralBooks(options);
  const server = await new FakeServer(fake).start();
  const configuration = businessCentralAdapter.configuration.parse(
    businessCentralSettings(server.origin, settings),
  );
  const time = { now: new Date('2026-03-20T12:00:00Z') };
  const clock = { now: () => time.now };
  const adapter = businessCentralAdapter.create(
    configuration,
    fakeServices({ 'env:BC_SECRET': BC_SECRET }, clock),
  );
  closers.push(
    () => server.stop(),
    () => adapter.close(),
  );
  return { fake, ledger: fake.ledger, server, adapter, time };
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

/** A gateway answers the next deletions in its own name, and they do not get through. Says how many were refused. */
function refuseDeletions(fake: ReturnType<typeof businessCentralBooks>, times: number): () => number {
  const answer = fake.answer.bind(fake);
  let refused = 0;
  fake.answer = (request) => {
    if (request.method !== 'DELETE' || refused === times) return answer(request);
    refused++;
    return { status: 503 };
  };
  return () => refused;
}

describe('Business Central adapter', () => {
  it('books the receivable through the customer and removes the journal that posting left blank', async () => {
    const { adapter, ledger } = await connected();
    const outcome = await adapter.post(await prepared(adapter));
    expect(outcome).toMatchObject({ outcome: 'posted', reference: { number: '1' } });
    expect(ledger.journals).toEqual([]);
    expect(ledger.entries.map((entry) => [entry.accountNumber, entry.description])).toEqual([
      ['1500', 'SR1001 Viðskiptakrafa kt. 4501011230'],
      ['3000', 'SR1001 Ráðgjöf'],
      ['2500', 'SR1001 Útskattur 24%'],
    ]);
  });

  it('calls a posting that went to the job queue pending until the entries are there', async () => {
    const { adapter, ledger, time } = await connected({ jobQueue: true }, { posting: 'job-queue' });
    expect(adapter.capabilities.finality).toBe('async');
    const request = await prepared(adapter);
    expect(await adapter.post(request)).toMatchObject({ outcome: 'pending' });
    expect(await adapter.findByKey(INVOICE_KEY)).toMatchObject({
      outcome: 'one',
      entry: { state: 'pending' },
    });
    expect(await adapter.post(request)).toMatchObject({ outcome: 'pending' });
    ledger.runJobQueue();
    expect(await adapter.post(request)).toMatchObject({ outcome: 'posted' });
    expect(ledger.entries).toHaveLength(3);
    time.now = new Date('2026-03-21T12:00:00Z');
    expect(await adapter.findByKey(INVOICE_KEY)).toMatchObject({
      outcome: 'one',
      entry: { state: 'posted' },
    });
  });

  it('finds an entry that the job queue posts while it is being looked for', async () => {
    const { adapter, fake, ledger } = await connected({ jobQueue: true }, { posting: 'job-queue' });
    await adapter.post(await prepared(adapter));
    const answer = fake.answer.bind(fake);
    let looks = 0;
    fake.answer = (request) => {
      if (++looks === 3) ledger.runJobQueue();
      return answer(request);
    };
    expect(await adapter.findByKey(INVOICE_KEY)).toMatchObject({
      outcome: 'one',
      entry: { state: 'posted' },
    });
  });

  it('calls a posting posted that the job queue finishes while it is being read back', async () => {
    const queue = { jobQueue: true, queueRunsAfterReads: 1 };
    const { adapter, ledger } = await connected(queue, { posting: 'job-queue' });
    expect(await adapter.post(await prepared(adapter))).toMatchObject({
      outcome: 'posted',
      reference: { number: '1' },
    });
    expect(ledger.entries).toHaveLength(3);
  });

  it('does not call it lost what another process posts between the look and the journal', async () => {
    const { adapter, fake, ledger } = await connected();
    const request = await prepared(adapter, COST_KEY, costJournal());
    const answer = fake.answer.bind(fake);
    fake.answer = (sent) => {
      const isCreation = sent.method === 'POST' && sent.url.pathname.endsWith('/journals');
      if (isCreation && ledger.entries.length === 0) {
        answer(sent);
        ledger.post(ledger.journals[0]!);
      }
      return answer(sent);
    };
    expect(await adapter.post(request)).toMatchObject({ outcome: 'transient' });
    expect(await adapter.post(request)).toMatchObject({ outcome: 'posted' });
    expect(new Set(ledger.transactionOf.values()).size).toBe(1);
  });

  it('waits for the job queue when a proxy answered for it, and finishes the journal when nothing comes of it', async () => {
    const { adapter, ledger, server, time } = await connected({ jobQueue: true }, { posting: 'job-queue' });
    const request = await prepared(adapter);
    await server.provoke({ kind: 'rate-limit', retryAfterSeconds: 7, on: 'final-step' });
    expect(await adapter.post(request)).toMatchObject({ outcome: 'unknown' });
    await server.heal();
    expect(await adapter.findByKey(INVOICE_KEY)).toMatchObject({ entry: { state: 'pending' } });
    time.now = new Date('2026-03-20T13:00:00Z');
    const found = await adapter.findByKey(INVOICE_KEY);
    expect(found).toMatchObject({ outcome: 'one', entry: { state: 'draft' } });
    if (found.outcome === 'one')
      expect(await adapter.resume(found.entry, request)).toMatchObject({ outcome: 'pending' });
    ledger.runJobQueue();
    expect(new Set(ledger.transactionOf.values()).size).toBe(1);
  });

  it('takes a journal that the job queue has left lying for a draft again, and finishes it', async () => {
    const { adapter, ledger, time } = await connected({ jobQueue: true }, { posting: 'job-queue' });
    const request = await prepared(adapter);
    await adapter.post(request);
    time.now = new Date('2026-03-20T13:00:00Z');
    const found = await adapter.findByKey(INVOICE_KEY);
    expect(found).toMatchObject({ outcome: 'one', entry: { state: 'draft' } });
    if (found.outcome === 'one') await adapter.resume(found.entry, request);
    ledger.runJobQueue();
    expect(new Set(ledger.transactionOf.values()).size).toBe(1);
  });

  it('does not book twice when a number series hides the entries from its look-up', async () => {
    const { adapter, ledger } = await connected({ numberSeries: true });
    const request = await prepared(adapter);
    const hidden = { outcome: 'rejected', code: 'collision' };
    expect(await adapter.post(request)).toMatchObject(hidden);
    expect(await adapter.findByKey(INVOICE_KEY)).toEqual({ outcome: 'none' });
    expect(await adapter.post(request)).toMatchObject(hidden);
    expect(ledger.entries).toHaveLength(3);
  });

  it('calls a posting pending that the job queue took although nobody had said so', async () => {
    const { adapter, ledger } = await connected({ jobQueue: true });
    expect(await adapter.post(await prepared(adapter))).toMatchObject({ outcome: 'pending' });
    ledger.runJobQueue();
    expect(await adapter.findByKey(INVOICE_KEY)).toMatchObject({
      outcome: 'one',
      entry: { state: 'posted' },
    });
  });

  it('replaces a journal that a crash left without its dimensions', async () => {
    const { adapter, ledger, server } = await connected();
    const request = await prepared(adapter);
    await server.provoke({ kind: 'die-after-create' });
    expect(await adapter.post(request)).toMatchObject({ outcome: 'unknown' });
    await server.heal();
    expect(await adapter.findByKey(INVOICE_KEY)).toEqual({ outcome: 'none' });
    expect(await adapter.post(request)).toMatchObject({ outcome: 'posted' });
    expect(ledger.entries.map((entry) => entry.dimensionSetLines.map((line) => line.valueCode))).toEqual([
      [],
      ['RVK'],
      [],
    ]);
    expect(ledger.journals).toEqual([]);
  });

  it('notices amounts that were rounded on the way in, before they are posted', async () => {
    const { adapter, ledger } = await connected({ amountDecimals: 0 });
    const outcome = await adapter.post(await prepared(adapter, COST_KEY, costJournal()));
    expect(outcome).toMatchObject({ outcome: 'rejected', code: 'invalid' });
    expect(ledger.journals).toEqual([]);
    expect(ledger.entries).toEqual([]);
  });

  it('uses a batch code again that stands for an empty journal', async () => {
    const { adapter, ledger } = await connected();
    const request = await prepared(adapter);
    ledger.addJournal(batchCode(INVOICE_KEY), 'leftover');
    expect(await adapter.post(request)).toMatchObject({ outcome: 'posted' });
  });

  it('leaves no journal behind, whatever its name counts up to, and asks again when a deletion fails', async () => {
    const { adapter, ledger, fake } = await connected();
    const keys = ['IAAA2AAA2AAA2AAA2AAA', 'I7777777777777777777'];
    const request = await prepared(adapter);
    await adapter.post(request);
    for (const key of keys) {
      const outcome = await adapter.prepare({ key, journal: invoiceJournal() });
      if (outcome.outcome === 'prepared') await adapter.post(outcome.prepared);
    }
    expect(ledger.journals).toEqual([]);
    const refused = refuseDeletions(fake, 2);
    expect(await adapter.post(await prepared(adapter, COST_KEY, costJournal()))).toMatchObject({
      outcome: 'posted',
    });
    expect(refused()).toBe(2);
    expect(ledger.journals).toEqual([]);
  });

  it('takes the line that a post has left for no entry, also when it kept its number', async () => {
    const { adapter, ledger, fake } = await connected();
    const refused = refuseDeletions(fake, 3);
    const request = await prepared(adapter);
    expect(await adapter.post(request)).toMatchObject({ outcome: 'posted' });
    expect(refused()).toBe(3);
    expect(ledger.journals).toHaveLength(1);
    expect(await adapter.findByKey(INVOICE_KEY)).toMatchObject({
      outcome: 'one',
      entry: { state: 'posted' },
    });
    const listed = [];
    for await (const entry of adapter.entries({ from: '2026-01-01', to: '2026-12-31' }))
      listed.push(entry.state);
    expect(listed).toEqual(['posted']);
    expect(await adapter.post(request)).toMatchObject({ outcome: 'posted' });
    expect(new Set(ledger.transactionOf.values()).size).toBe(1);
  });

  it('finds a vendor by the registration number before it makes one under the kennitala', async () => {
    const { adapter, ledger } = await connected();
    const [vendor] = ledger.vendors;
    ledger.vendors[0] = { ...vendor!, number: 'V00010' };
    expect(await adapter.prepare({ key: COST_KEY, journal: costJournal() })).toMatchObject({
      outcome: 'prepared',
    });
    expect(ledger.vendors.map(({ number }) => number)).toEqual(['V00010']);
  });

  it('says of an account that it is blocked, before anything is sent, and not that it is lacking', async () => {
    const { adapter, ledger } = await connected();
    const { account } = costJournal().lines[0]!;
    ledger.accounts.set(account, { blocked: true, accountType: 'Posting', directPosting: true });
    expect(await adapter.prepare({ key: COST_KEY, journal: costJournal() })).toMatchObject({
      ...{ outcome: 'rejected', code: 'blocked-account', account },
      message: expect.stringContaining(`Account ${account} is blocked`) as string,
    });
    expect(ledger.journals).toEqual([]);
  });

  it('takes no VAT out of a line that has none, although its account is taxed, where Business Central splits VAT', async () => {
    const { ledger, server } = await connected();
    const { revenue, codeOut } = FAKE_CHART.taxed;
    ledger.accounts.set(revenue, {
      ...{ blocked: false, accountType: 'Posting', directPosting: true, vatGroup: codeOut },
    });
    const settings = businessCentralAdapter.configuration.parse(businessCentralSettings(server.origin));
    const services = { ...fakeServices({ 'env:BC_SECRET': BC_SECRET }), vatMode: 'erp-splits' } as const;
    const splitting = businessCentralAdapter.create(settings, services);
    // What waited on an account goes to revenue, a month at a time: its VAT was booked with the invoice.
    const net = new Decimal(5_000);
    const [line] = costJournal().lines;
    const lines = [
      { ...line!, account: FAKE_CHART.expense, debit: net, credit: ZERO },
      { ...line!, account: revenue, debit: ZERO, credit: net },
    ].map(({ vatCode: _code, vatBase: _base, counterparty: _who, ...each }) => each);
    const outcome = await splitting.prepare({ key: COST_KEY, journal: costJournal({ lines }) });
    if (outcome.outcome !== 'prepared') throw new Error(JSON.stringify(outcome));
    expect(await splitting.post(outcome.prepared)).toMatchObject({ outcome: 'posted' });
    expect(ledger.entries.map(({ accountNumber }) => accountNumber)).toEqual([FAKE_CHART.expense, revenue]);
    await splitting.close();
  });

  it('waits when another document holds the batch code', async () => {
    const { adapter, ledger } = await connected();
    const request = await prepared(adapter);
    const taken = ledger.addJournal(batchCode(INVOICE_KEY), 'another');
    ledger.addLine(taken, {
      lineNumber: 10_000,
      accountType: 'G/L Account',
      accountNumber: FAKE_CHART.expense,
      postingDate: FAKE_CHART.openDate,
      documentNumber: COST_KEY,
      externalDocumentNumber: 'K-778',
      amount: costJournal().lines[0]!.debit,
      description: 'K-778 Húsaleiga',
      taxCode: '',
    });
    expect(await adapter.post(request)).toMatchObject({ outcome: 'transient' });
    expect(taken.lines).toHaveLength(1);
  });

  it('refuses a customer whose own currency would become that of the line', async () => {
    const { adapter, ledger } = await connected();
    ledger.customers[0] = partner(FAKE_CHART.customer.kennitala, 'Erlendur', 'EUR');
    const outcome = await adapter.prepare({ key: INVOICE_KEY, journal: invoiceJournal() });
    expect(outcome).toMatchObject({ outcome: 'rejected', code: 'unsupported' });
  });

  it('books nothing when a customer got another currency after the journal was prepared', async () => {
    const { adapter, ledger } = await connected();
    const request = await prepared(adapter);
    ledger.customers[0] = partner(FAKE_CHART.customer.kennitala, 'Erlendur', 'EUR');
    expect(await adapter.post(request)).toMatchObject({ outcome: 'rejected', code: 'unbalanced' });
    expect(ledger.entries).toEqual([]);
    expect(ledger.journals).toEqual([]);
  });

  it('finds a customer whose number was written with a hyphen, and numbers no second one', async () => {
    const { adapter, ledger } = await connected();
    ledger.customers[0] = partner('450101-1230', 'Þórður');
    expect(await adapter.post(await prepared(adapter))).toMatchObject({ outcome: 'posted' });
    expect(ledger.customers).toHaveLength(1);
  });

  it('leaves no batch behind, however batches are counted up', async () => {
    const { adapter, ledger } = await connected({ incrementBatchName: true });
    const key = 'I2345672345672345672';
    expect(await adapter.post(await prepared(adapter, key))).toMatchObject({ outcome: 'posted' });
    expect(ledger.journals).toEqual([]);
  });

  it.each([
    { kind: 'rate-limit', retryAfterSeconds: 7, on: 'final-step' },
    { kind: 'server-error', status: 503, on: 'final-step' },
  ] as const)(
    'calls a journal that may be left unposted unknown, after $kind, and finishes it',
    async (fault) => {
      const { adapter, ledger, server } = await connected();
      const request = await prepared(adapter);
      await server.provoke(fault);
      expect(await adapter.post(request)).toMatchObject({ outcome: 'unknown' });
      await server.heal();
      const found = await adapter.findByKey(INVOICE_KEY);
      expect(found).toMatchObject({ outcome: 'one', entry: { state: 'draft' } });
      if (found.outcome === 'one')
        expect(await adapter.resume(found.entry, request)).toMatchObject({ outcome: 'posted' });
      expect(new Set(ledger.transactionOf.values()).size).toBe(1);
      expect(ledger.journals).toEqual([]);
    },
  );

  it('attaches the same file once, another of the same name beside it, and fills one that a crash left empty', async () => {
    const { adapter, fake, ledger } = await connected();
    const outcome = await adapter.post(await prepared(adapter));
    if (outcome.outcome !== 'posted') throw new Error(JSON.stringify(outcome));
    const parentId = ledger.entries[0]!.id;
    fake.attachments.push({ id: randomUUID(), fileName: 'a.pdf', parentId, content: Buffer.alloc(0) });
    for (const text of ['x', 'x', 'longer']) {
      const file = { fileName: 'a.pdf', contentType: 'application/pdf', content: Buffer.from(text) };
      expect(await adapter.attach(outcome.reference, file)).toEqual({ outcome: 'attached' });
    }
    expect(fake.attachments.map((attachment) => attachment.content.toString())).toEqual(['x', 'longer']);
  });

  it('refuses a receivable without a kennitala before it makes a journal of it', async () => {
    const { adapter, ledger } = await connected();
    const lines = invoiceJournal().lines.map(({ counterparty: _counterparty, ...line }) => line);
    const outcome = await adapter.prepare({ key: INVOICE_KEY, journal: invoiceJournal({ lines }) });
    expect(outcome).toMatchObject({ outcome: 'rejected', code: 'unknown-party' });
    expect(ledger.journals).toEqual([]);
  });

  it('says which control account is missing under subledger', async () => {
    const { adapter } = await connected({}, { subledger: {} });
    const findings = await adapter.validate({ accounts: ['1500', '3'], vatCodes: [], dimensions: {} });
    expect(findings.map((finding) => finding.message)).toEqual([
      'Account 1500 takes no direct posting. If it is a control account, list it under `subledger`.',
      'Account 3 is a heading or a total, not an account to post on.',
    ]);
  });

  it('logs in once for many requests and again when the token has run out', async () => {
    const { adapter, server } = await connected();
    const logins = () => server.seen.filter((request) => request.url.pathname.endsWith('/token')).length;
    await Promise.all([adapter.health(), adapter.health(), adapter.findByKey(INVOICE_KEY)]);
    expect(logins()).toBe(1);
    await server.provoke({ kind: 'expired-token' });
    expect(await adapter.health()).toMatchObject({ outcome: 'healthy' });
    expect(logins()).toBe(2);
  });
});
