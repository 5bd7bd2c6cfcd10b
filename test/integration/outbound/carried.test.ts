// From a folder into the invoicing service, each once: while replies are lost, effects are late and processes are killed at every step.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { parseLossless } from '../../../src/domain/canonical-json.js';
import type { Origin } from '../../../src/origins/origin.js';
import { contentText, readContent } from '../../../src/origins/content.js';
import { SUBMISSION_FAIL_POINTS } from '../../../src/sync/fail-points.js';
import { createOurInvoices } from '../../../src/store/our-invoices.js';
import type { FaultKind } from '../../../lab/sandbox/faults/fault-plan.js';
import {
  invoice,
  KENNITALA,
  outgoingBed,
  type OutgoingBedOptions,
  testDatabase,
  TIMING,
} from '../../support/outbound-bed.js';
import type { TestDatabase } from '../../support/database.js';
import { embeddedIn, ublOrder } from '../../conformance/origins/folder-beds.js';

/** The request happens and its answer is spoilt, or nothing happens at all: from here the two look alike. */
const FAULTS = [
  ...(['lost-reply', 'reset-after', 'html', 'truncated', 'garbage', 'slow-drip'] as const),
  ...(['server-error', 'maintenance', 'reset-before', 'rate-limit'] as const),
] satisfies FaultKind[];

const pdf = (text: string) => `%PDF-1.4\n${text}`;

type Bed = Awaited<ReturnType<typeof outgoingBed>>;

let database: TestDatabase;
let bed: Bed;
beforeAll(async () => {
  database = await testDatabase();
});
afterEach(() => bed.close());
afterAll(() => database.close());

async function opened(options: Omit<OutgoingBedOptions, 'database'> = {}): Promise<Bed> {
  bed = await outgoingBed({ ...options, database });
  return bed;
}

describe.each(['credential', 'agent'] as const)('over the %s surface', (surface) => {
  test('invoices of one new customer stand there once, and the origin has their guids and numbers', async () => {
    const { put, settle, atService, customers, results, row } = await opened({ surface });
    await put('a.jsonl', [invoice('SO-1', { booking: 'PO 77' }), invoice('SO-2')]);
    await settle();
    expect(await customers(KENNITALA)).toHaveLength(1);
    const [first] = await atService('SO-1');
    expect(first).toMatchObject({
      amount: '7902.85',
      currency: 'ISK',
      type: 'invoice',
      kennitala: KENNITALA,
    });
    expect(await atService('SO-2')).toHaveLength(1);
    expect(await row('SO-1')).toMatchObject({ state: 'acknowledged', guid: first!.guid, sends: 1 });
    expect(await results('a.jsonl')).toMatchObject([
      { reference: 'SO-1', state: 'created', guid: first!.guid, number: first!.number, line: 1 },
      { reference: 'SO-2', state: 'created', line: 2 },
    ]);
    expect(bed.sandbox.control.brokenRules()).toEqual([]);
  });

  test('invoices whose requests are lost, dropped, garbled or turned away stand there once each', async () => {
    const { put, settle, atService, row, sandbox, reconnect, round } = await opened({ surface });
    const references = FAULTS.map((_kind, index) => `SO-${String(index)}`);
    const endpoint = surface === 'agent' ? 'POST /invoices' : 'create-invoice';
    for (const [skip, kind] of FAULTS.entries())
      sandbox.control.addFault({ kind, endpoint, times: 1, skip, retryAfterSeconds: 0 });
    await put(
      'a.jsonl',
      references.map((reference) => invoice(reference)),
    );
    for (let life = 0; life < 200 && sandbox.control.faults().some(({ hits }) => hits === 0); life++) {
      await round();
      await reconnect();
      await sleep(20);
    }
    expect(sandbox.control.faults().map(({ kind, hits }) => [kind, hits])).toEqual(
      FAULTS.map((kind) => [kind, 1]),
    );
    await settle();
    for (const reference of references) {
      expect(await atService(reference), reference).toHaveLength(1);
      expect(await row(reference)).toMatchObject({ state: 'acknowledged' });
    }
  });
});

test('an effect that comes after we gave up is waited for, and found', async () => {
  const { put, settle, atService, row, sandbox } = await opened();
  await put('a.jsonl', [invoice('SO-1')]);
  sandbox.control.addFault({
    kind: 'latency',
    delayMs: TIMING.callMs + 150,
    endpoint: 'create-invoice',
    times: 1,
  });
  await settle();
  expect(await atService('SO-1')).toHaveLength(1);
  const { id, state } = await row('SO-1');
  expect(state).toBe('acknowledged');
  // On a machine that is busy an intent may be too old to leave; what left, left once.
  const attempts = await bed.prisma.submissionAttempt.findMany({ where: { submissionId: id } });
  expect(attempts.filter(({ outcome }) => outcome !== 'not-sent')).toHaveLength(1);
});

describe('files that go with an invoice', () => {
  /** What the service has of them, in the words that are in them. */
  const filesOf = async (reference: string, issueDate?: string): Promise<string[]> => {
    const [found] = await bed.atService(reference, issueDate);
    const { files } = bed.sandbox.control.invoice('hraun', found!.guid);
    const texts = files.map(async (id) => (await fetch(`${bed.sandbox.url}/files/hraun/${id}`)).text());
    return Promise.all(texts);
  };
  const uploads = () => bed.sandbox.control.journal({ endpoint: 'upload-file' });

  test('come out of UBL orders, and one that does not fit refuses its order by name', async () => {
    const { beside, settle, row } = await opened({ embedded: ['*.pdf'] });
    const order = (id: string, ...files: string[]) =>
      beside(
        `${id}.xml`,
        ublOrder(id, '3', files.map((text) => embeddedIn('a.pdf', Buffer.from(text))).join('')),
      );
    await order('PO-1', pdf('fyrst'), pdf('svo'));
    await order('PO-2', pdf('x'.repeat(5 * 1024 * 1024)));
    await order('PO-3', 'this is no PDF');
    await settle();
    expect(await filesOf('PO-1', '2026-03-01')).toEqual([pdf('fyrst'), pdf('svo')]);
    for (const reference of ['PO-2', 'PO-3']) {
      const { state, reason, reasonParams, sends } = (await row(reference))!;
      expect([state, reason, sends]).toEqual(['refused', 'SUBMISSION_BREACH', 0]);
      expect(reasonParams).toContain('a.pdf');
    }
  });

  test.each(['lost-reply', 'server-error', 'reset-before', 'garbage'] as const)(
    'stand there once each, and nothing goes before they do: %s at an upload',
    async (kind) => {
      const { put, beside, settle, sandbox, row, reconnect } = await opened();
      await beside('a.pdf', pdf('a'));
      await beside('b.pdf', pdf('b'));
      await put('a.jsonl', [invoice('SO-1', { files: ['a.pdf', 'b.pdf'] })]);
      sandbox.control.addFault({ kind, endpoint: 'upload-file', times: 1 });
      for (let life = 0; life < 4; life++) {
        await bed.round();
        await reconnect();
      }
      await settle();
      expect(await filesOf('SO-1')).toEqual([pdf('a'), pdf('b')]);
      expect(await row('SO-1')).toMatchObject({ state: 'acknowledged' });
      expect(uploads().length).toBeLessThanOrEqual(3);
      expect(sandbox.control.brokenRules()).toEqual([]);
    },
  );

  test('that are too large, of another type, missing or over the agent surface are told with their names', async () => {
    const { put, beside, settle, row, prisma, name } = await opened();
    await beside('stor.pdf', Buffer.concat([Buffer.from(pdf('')), Buffer.alloc(5 * 1024 * 1024)]));
    await beside('bref.docx', 'PK');
    await put('a.jsonl', [
      invoice('SO-1', { files: ['stor.pdf'] }),
      invoice('SO-2', { files: ['bref.docx'] }),
      invoice('SO-3', { files: ['seinna.pdf'] }),
      invoice('SO-4', { files: ['../leyndarmal.pdf'] }),
      invoice('D-5', { kind: 'draft', files: ['bref.docx'] }),
    ]);
    await settle();
    for (const reference of ['SO-1', 'SO-2', 'D-5'])
      expect(await row(reference)).toMatchObject({ state: 'refused', reason: 'SUBMISSION_BREACH', sends: 0 });
    const problems = () => prisma.originProblem.findMany({ where: { tenantName: name } });
    expect((await problems()).map(({ place }) => place)).toEqual(['a.jsonl:3', 'a.jsonl:4']);
    expect(uploads()).toEqual([]);
    // Nobody touches the record: its file comes.
    await beside('seinna.pdf', pdf('seinna'));
    await settle();
    expect(await filesOf('SO-3')).toEqual([pdf('seinna')]);
    expect(await problems()).toHaveLength(1);
  });

  test('a file that changes before it was sent goes as it is then', async () => {
    const { put, beside, settle, round, prisma, name } = await opened();
    await prisma.outgoingTenant.update({ where: { tenantName: name }, data: { pausedAt: new Date() } });
    await beside('a.pdf', pdf('before'));
    await put('a.jsonl', [invoice('SO-1', { files: ['a.pdf'] })]);
    await round();
    await beside('a.pdf', pdf('and after'));
    await prisma.outgoingTenant.update({ where: { tenantName: name }, data: { pausedAt: null } });
    await settle();
    expect(await filesOf('SO-1')).toEqual([pdf('and after')]);
  });
});

test.each(SUBMISSION_FAIL_POINTS)(
  'a process that is killed %s leaves everything to the next, and nothing is twice',
  async (point) => {
    const { put, beside, round, settle, atService, customers, results, row } = await opened();
    await beside('a.pdf', pdf('a'));
    await put('a.jsonl', [invoice('SO-1', { files: ['a.pdf'] }), invoice('SO-2')]);
    let died = 0;
    for (let life = 0; life < 4; life++) if (!(await round(point))) died++;
    expect(died).toBeGreaterThan(0);
    await settle();
    for (const reference of ['SO-1', 'SO-2']) {
      expect(await atService(reference)).toHaveLength(1);
      expect(await row(reference)).toMatchObject({ state: 'acknowledged' });
    }
    const { guid } = await row('SO-1');
    expect(bed.sandbox.control.invoice('hraun', guid ?? '').files).toHaveLength(1);
    expect(await customers(KENNITALA)).toHaveLength(1);
    expect(await results('a.jsonl')).toHaveLength(2);
  },
);

test('whoever works on a record that changes meanwhile puts nothing of the old one on record', async () => {
  const { put, round, prisma, name, store, settle, atService, row } = await opened();
  await put('a.jsonl', [invoice('SO-1')]);
  await prisma.outgoingTenant.update({ where: { tenantName: name }, data: { pausedAt: new Date() } });
  await round();
  await prisma.outgoingTenant.update({ where: { tenantName: name }, data: { pausedAt: null } });
  const [claimed] = await store.claim([{ tenant: name, atOnce: 1, perDay: 9 }], 'slow', 60_000);
  const lines = [{ item_number: 'V', description: 'Vara', qty: 1, unit_price: 100, tax: 'S' }];
  await put('a.jsonl', [invoice('SO-1', { lines })]);
  await round();
  const begin = { act: 'create', kind: 'invoice', body: { amount: 'of the old one' } } as const;
  expect(await store.commit(claimed!, { action: 'intent', to: 'sending', begin, dueInMs: 0 })).toBe(false);
  await settle();
  expect(await atService('SO-1')).toMatchObject([{ amount: '124.00' }]);
  expect((await row('SO-1')).request).not.toContain('of the old one');
});

describe('an invoice in doubt that somebody skips', () => {
  test('is not taken for another one when the service lists it, and a replay finds it', async () => {
    const { put, round, settle, atService, prisma, db, name, row, keyOf, sandbox } = await opened();
    await put('a.jsonl', [invoice('SO-1')]);
    sandbox.control.addFault({ kind: 'lost-reply', endpoint: 'create-invoice', times: 1 });
    await round();
    for (let life = 0; life < 20 && (await row('SO-1')).state !== 'unknown'; life++) await round();
    const move = (from: string, state: string) =>
      prisma.submission.updateMany({
        where: { tenantName: name, state: from },
        data: { state, dueAt: new Date() },
      });
    await move('unknown', 'parked');
    await move('parked', 'skipped');
    const [standing] = await atService('SO-1');
    const ours = createOurInvoices(db, name, { unlessSaid: 'origin', originsSay: false });
    const recognise = () => ours.recognise({ guid: standing!.guid, number: '1' }, [keyOf('invoice', 'SO-1')]);
    expect(await recognise()).toMatchObject({ verdict: 'in-doubt' });
    await move('skipped', 'received');
    await settle();
    expect(await recognise()).toMatchObject({ verdict: 'ours' });
    expect(await atService('SO-1')).toHaveLength(1);
  });

  test('one that never left says nothing of what carries its mark', async () => {
    const { put, round, prisma, db, name, keyOf } = await opened();
    await prisma.outgoingTenant.update({ where: { tenantName: name }, data: { pausedAt: new Date() } });
    await put('a.jsonl', [invoice('SO-1')]);
    await round();
    await prisma.submission.updateMany({ where: { tenantName: name }, data: { state: 'skipped' } });
    const ours = createOurInvoices(db, name, { unlessSaid: 'origin', originsSay: false });
    const found = await ours.recognise({ guid: 'a', number: '1' }, [keyOf('invoice', 'SO-1')]);
    expect(found).toMatchObject({ verdict: 'another' });
  });
});

test('a process with another database that knows nothing finds what is there and sends nothing again', async () => {
  const { put, settle, atService, prisma, name, row, reconnect } = await opened();
  await put('a.jsonl', [invoice('SO-1')]);
  await settle();
  // The records of this tenant are gone: the guard is for programs, not for lost disks.
  await prisma.$transaction([
    prisma.$executeRaw`ALTER TABLE submission DISABLE TRIGGER USER`,
    prisma.$executeRaw`ALTER TABLE submission_attempt DISABLE TRIGGER USER`,
    prisma.$executeRaw`DELETE FROM submission_attempt a USING submission s WHERE s.id = a.submission_id AND s.tenant_name = ${name}`,
    prisma.$executeRaw`DELETE FROM submission WHERE tenant_name = ${name}`,
    prisma.$executeRaw`DELETE FROM origin_cursor WHERE tenant_name = ${name}`,
    prisma.$executeRaw`ALTER TABLE submission ENABLE TRIGGER USER`,
    prisma.$executeRaw`ALTER TABLE submission_attempt ENABLE TRIGGER USER`,
  ]);
  await reconnect();
  await settle();
  expect(await atService('SO-1')).toHaveLength(1);
  expect(await row('SO-1')).toMatchObject({ state: 'acknowledged', sends: 0 });
});

test('a draft whose reply was lost cannot be searched for: a person decides, and nothing is sent again', async () => {
  const { put, settle, row, sandbox, prisma, name } = await opened();
  await put('a.jsonl', [invoice('D-1', { kind: 'draft' }), invoice('D-2', { kind: 'draft' })]);
  sandbox.control.addFault({ kind: 'reset-after', endpoint: 'create-draft-invoice', times: 1 });
  await settle();
  const rows = [await row('D-1'), await row('D-2')];
  expect(rows.map(({ state }) => state).sort()).toEqual(['acknowledged', 'parked']);
  expect(rows.find(({ state }) => state === 'parked')).toMatchObject({
    reason: 'SUBMISSION_UNKNOWN',
    sends: 1,
  });
  const incident = await prisma.incident.findFirst({ where: { tenantName: name } });
  expect(incident).toMatchObject({ code: 'SUBMISSION_UNKNOWN', severity: 'critical' });
  expect(sandbox.control.journal({ endpoint: 'create-draft-invoice' })).toHaveLength(2);
});

test('what breaks a rule is not sent; the origin hears why, and what is mended there goes', async () => {
  const { put, settle, atService, results, row, sandbox } = await opened();
  await put('a.jsonl', [invoice('SO-1', { due_date: '2020-01-01' }), invoice('SO-2', { amount: 1 })]);
  await settle();
  expect(await row('SO-1')).toMatchObject({ state: 'refused', reason: 'SUBMISSION_BREACH', sends: 0 });
  expect((await results('a.jsonl')).map(({ state }) => state)).toEqual(['refused', 'refused']);
  expect(sandbox.control.journal({ endpoint: 'create-invoice' })).toEqual([]);
  await put('a.jsonl', [invoice('SO-1'), invoice('SO-2', { amount: 1 })]);
  await settle();
  expect(await atService('SO-1')).toHaveLength(1);
  expect(await row('SO-2')).toMatchObject({ state: 'refused' });
});

test('a credit note waits for the invoice that it credits, and names it', async () => {
  const { put, settle, row, sandbox } = await opened();
  await put('a.jsonl', [invoice('K-1', { credit_of: 'SO-1', customer: undefined })]);
  await settle();
  expect(await row('K-1')).toMatchObject({ state: 'held', reason: 'CREDITED_AWAITED' });
  await put('b.jsonl', [invoice('SO-1')]);
  await settle();
  await settle();
  const [original, credit] = [await row('SO-1'), await row('K-1')];
  expect(credit).toMatchObject({ state: 'acknowledged' });
  expect(sandbox.control.invoice('hraun', credit.guid!)).toMatchObject({
    type: 'credit',
    refer_guid: original.guid,
  });
});

test('one customer is updated where the origin says something else, of several a person says which', async () => {
  const { put, settle, customers, row, sandbox, tenant } = await opened();
  const customer = { kind: 'customer', kennitala: KENNITALA, name: 'Prufa ehf.', email: 'a@b.is' };
  await put('c.jsonl', [customer]);
  await settle();
  await put('c.jsonl', [{ ...customer, city: 'Akureyri' }]);
  await settle();
  expect(await customers(KENNITALA)).toMatchObject([{ fields: { city: 'Akureyri' } }]);
  const other = '4910080160';
  for (const name of ['Einn', 'Tveir']) {
    const body = { registration_no: other, name, email: 'a@b.is' };
    await tenant().target.send({ act: 'create', kind: 'customer', body }, new Date(Date.now() + 1_000));
  }
  await put('d.jsonl', [invoice('SO-9', { customer: { kennitala: other } })]);
  await settle();
  expect(await row('SO-9')).toMatchObject({ state: 'held', reason: 'CUSTOMER_AWAITED' });
  expect(await row(other)).toMatchObject({ state: 'parked', reason: 'CUSTOMER_AMBIGUOUS', sends: 0 });
  expect(sandbox.control.journal({ endpoint: 'create-invoice' })).toEqual([]);
});

test('credentials that are refused say nothing about the record', async () => {
  const { put, settle, row, sandbox, round } = await opened();
  await put('a.jsonl', [invoice('SO-1')]);
  await round();
  sandbox.control.addFault({ kind: 'refused', times: 100 });
  for (let life = 0; life < 6; life++) await round();
  expect((await row('SO-1')).state).not.toBe('refused');
  sandbox.control.clearFaults();
  await bed.prisma.submission.updateMany({
    where: { tenantName: bed.name, dueAt: { not: null } },
    data: { dueAt: new Date() },
  });
  await settle();
  expect(await row('SO-1')).toMatchObject({ state: 'acknowledged' });
});

describe('from an origin where people cancel what they have handed over', () => {
  /** Hands over one invoice, and says of it what it is told to say. */
  const cancelling = (now: { read: 'there' | 'gone' | 'silent' }): Origin => {
    const { kind: _kind, reference: _reference, ...value } = invoice('E-1');
    const read = readContent('invoice', parseLossless(JSON.stringify(value)));
    if (read.outcome !== 'read') throw new Error(JSON.stringify(read));
    const content = contentText(read.content);
    const record = { kind: 'invoice', reference: 'E-1', place: 'erp', content } as const;
    return {
      ...{ name: 'erp', takesBack: true },
      changes: (cursor) =>
        Promise.resolve({
          ...{ records: cursor === null ? [record] : [], problems: [], looked: [], cursor: '1', more: false },
        }),
      read: () =>
        now.read === 'silent'
          ? Promise.reject(new Error('down'))
          : Promise.resolve(now.read === 'there' ? record : null),
      tell: () => Promise.resolve(),
      close: () => Promise.resolve(),
    };
  };

  test('what was cancelled before it left is parked, and never sent', async () => {
    const { bill, settle, atService, row } = await opened();
    bill(cancelling({ read: 'gone' }));
    await settle();
    expect(await row('E-1')).toMatchObject({ state: 'parked', reason: 'GONE_AT_ORIGIN', sends: 0 });
    expect(await atService('E-1')).toEqual([]);
  });

  test('one that does not answer is waited for, and then what is there goes out', async () => {
    const now = { read: 'silent' as 'silent' | 'there' };
    const { bill, round, settle, atService, row, prisma, name } = await opened();
    bill(cancelling(now));
    for (let look = 0; look < 20; look++) await round();
    expect(await row('E-1')).toMatchObject({ state: 'held', reason: 'ORIGIN_SILENT', tries: 0, sends: 0 });
    now.read = 'there';
    await prisma.submission.updateMany({ where: { tenantName: name }, data: { dueAt: new Date() } });
    await settle();
    expect(await row('E-1')).toMatchObject({ state: 'acknowledged', sends: 1 });
    expect(await atService('E-1')).toHaveLength(1);
  });
});
