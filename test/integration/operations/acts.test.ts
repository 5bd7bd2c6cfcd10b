import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ruleAccounts } from '../../../src/pipeline/mapping/rule-accounts.js';
import { type ErpLedger, startErpLedger } from '../../../src/sandbox/erp-ledger/server.js';
import {
  actResult,
  markResult,
  plan,
  replayPreview,
  reverseResult,
  run,
} from '../../../src/operations/views/act.js';
import { type Bed, bridgeBed } from '../../support/bridge-bed.js';

const ACT = { actor: 'Guðrún', reason: 'a test of what operators do' };
const MISSING = '4711';
const BY_HAND = 'BYHAND00000000000001';

/** One bridge on a ledger that counts its entries; the tests tell one story, in order. */
describe('what an operator does on a running bridge', () => {
  let bed: Bed;
  let ledger: ErpLedger;
  const spec = (rules: Record<string, unknown>) => ({
    name: 'hraun',
    account: 'hraun',
    erp: {
      adapter: 'http',
      settings: { baseUrl: ledger.url, secret: 'env:LEDGER', company: 'Dæmi ehf.', ledger: 'sandbox' },
    },
    more: { rules },
  });
  const operations = () => bed.bridge.operations;
  const state = async (id: string) =>
    (await bed.database.prisma.posting.findUniqueOrThrow({ where: { id } })).state;
  const until = async (what: string, done: () => Promise<boolean>) => {
    for (let look = 0; look < 300; look++) {
      if (await done()) return;
      await sleep(100);
    }
    throw new Error(`not ${what} after 30 s`);
  };
  const anyOf = async (wanted: string, kind?: 'invoice' | 'cost') =>
    (
      await operations().documents({
        states: [wanted as 'acknowledged'],
        ...(kind ? { kind } : {}),
        limit: 1,
      })
    ).items[0]!;
  const noEntryTwice = () => expect(ledger.control.duplicatedKeys()).toEqual([]);

  beforeAll(async () => {
    ledger = await startErpLedger({ secret: 'ledger-secret-of-the-test' });
    bed = await bridgeBed({
      accounts: [{ username: 'hraun', invoices: 14, costs: 10, seed: 'acts', difficulty: 'tidy' }],
      env: { LEDGER: 'ledger-secret-of-the-test' },
      tenants: [spec({ invoice: { revenueByTreatment: { S: MISSING } } })],
      confirmPlans: false,
    });
    const { rules } = bed.bridge.connections.tenant('hraun')!;
    const accounts = ruleAccounts(rules).accounts.filter((account) => account !== MISSING);
    ledger.control.setChart({ accounts: [...accounts, '3999'].map((account) => ({ account })) });
    await until('swept', async () => (await bed.database.prisma.posting.count()) >= 24);
  });
  afterAll(async () => {
    await bed.close();
    await ledger.close();
  });

  test('the plan shows every journal and what the ERP lacks, and writes nothing', async () => {
    const planned = await operations().plan('hraun');
    expect(plan.parse(planned)).toEqual(planned);
    expect(planned).toMatchObject({ confirmed: false, examined: planned.waiting });
    expect(planned.outcomes.post).toBeGreaterThan(15);
    expect(
      planned.findings.some(({ severity, message }) => severity === 'error' && message.includes(MISSING)),
    ).toBe(true);
    const debit = planned.accounts.reduce((sum, { debit }) => sum + Number(debit), 0);
    expect(debit).toBe(Number(planned.totalIsk));
    expect(ledger.control.counts().entries).toBe(0);
    expect(await bed.states()).toEqual({ discovered: planned.waiting });
    const [row] = (await operations().overview()).tenants;
    expect(row!.health).toBe('unconfirmed');
  });

  test('an act without a reason is refused', async () => {
    await expect(operations().confirmPlan('hraun', { actor: 'x', reason: ' ' })).rejects.toMatchObject({
      code: 'ACT_WITHOUT_REASON',
    });
  });

  test('a missing account is found by cause, mended in the tenant file, and posted once', async () => {
    expect(await operations().confirmPlan('hraun', ACT)).toBe(true);
    expect(await operations().confirmPlan('hraun', ACT)).toBe(false);
    await bed.settled();
    const cause = (await operations().problems()).find(({ code }) => code === 'ERP_CONFIGURATION')!;
    expect(cause).toMatchObject({ states: ['held'], tenants: [{ name: 'hraun', count: cause.count }] });
    expect(cause.subject).toContain(MISSING);
    expect(cause.count).toBeGreaterThan(3);
    expect(await operations().inbox()).toMatchObject([{ id: cause.id, count: cause.count }]);
    const preview = await operations().previewReplay({ cause: cause.id });
    expect(replayPreview.parse(preview)).toEqual(preview);
    expect(preview).toMatchObject({ total: cause.count, eligible: cause.count, ineligible: 0 });
    await bed.writeTenant(spec({ invoice: { revenueByTreatment: { S: '3999' } } }));
    await until('mended', async () => (await operations().problems()).every(({ id }) => id !== cause.id));
    await bed.settled();
    expect((await bed.states())['acknowledged']).toBeGreaterThan(15);
    noEntryTwice();
  });

  test('a document is held, released and posted', async () => {
    const { control } = bed.sandbox;
    await operations().pause('hraun', ACT);
    const guid = control.issueInvoice('hraun', { unitPrice: '5000' });
    await operations().sweep('hraun', ACT);
    await until('found', async () => (await operations().documents({ text: guid })).items.length === 1);
    const id = await operations().identify(guid);
    const held = await operations().hold([id], ACT);
    expect(actResult.parse(held)).toEqual({ done: [id], refused: [] });
    expect((await operations().hold([id], ACT)).refused).toMatchObject([
      { postingId: id, why: 'It is held already.' },
    ]);
    await operations().resume('hraun', ACT);
    expect(await operations().explain(id)).toMatchObject({
      document: { held: true, state: 'held' },
      actions: ['release', 'skip', 'mark-posted'],
    });
    expect((await operations().previewReplay({ postingIds: [id] })).groups).toMatchObject([
      { eligible: false, instead: 'release' },
    ]);
    await operations().release([id], ACT);
    await until('posted', async () => (await state(id)) === 'acknowledged');
    noEntryTwice();
  });

  test('a skipped invoice is told to the source and never reaches the ERP', async () => {
    await operations().pause('hraun', ACT);
    const guid = bed.sandbox.control.issueInvoice('hraun', { unitPrice: '6000' });
    await operations().sweep('hraun', ACT);
    await until('found', async () => (await operations().documents({ text: guid })).items.length === 1);
    const id = await operations().identify(guid);
    const before = ledger.control.counts().entries;
    expect((await operations().skip([id], ACT)).done).toEqual([id]);
    await operations().resume('hraun', ACT);
    await bed.settled();
    expect(bed.sandbox.control.invoice('hraun', guid)).toMatchObject({ accounting_status: 'Skipped' });
    expect(bed.sandbox.control.invoice('hraun', guid).accounting_message).toContain(ACT.reason);
    expect(ledger.control.counts().entries).toBe(before);
  });

  test('mark-as-posted is refused when the ERP does not know the reference, or it is another document', async () => {
    const { control } = bed.sandbox;
    control.issueInvoice('hraun', { unitPrice: '7000' });
    await operations().pause('hraun', ACT);
    await operations().sweep('hraun', ACT);
    await until('found', async () => (await bed.states())['discovered'] === 1);
    const waiting = await anyOf('discovered');
    const booked = await anyOf('acknowledged', 'invoice');
    await expect(operations().markPosted(waiting.postingId, 'no-such-entry', ACT)).rejects.toMatchObject({
      code: 'ERP_REFERENCE_UNKNOWN',
    });
    const { erpReference } = await operations().explain(booked.postingId);
    await expect(operations().markPosted(waiting.postingId, erpReference!.id, ACT)).rejects.toMatchObject({
      code: 'ERP_REFERENCE_TAKEN',
    });
    expect(await state(waiting.postingId)).toBe('discovered');
    const { audit } = await operations().explain(waiting.postingId);
    expect(audit.filter(({ actor }) => actor === ACT.actor)).toEqual([]);
  });

  test('an entry that a bookkeeper made by hand is compared, believed, and acknowledged', async () => {
    const waiting = await anyOf('discovered');
    const { journals } = await operations().plan('hraun');
    const { journal } = journals.find(({ postingId }) => postingId === waiting.postingId)!;
    const { erp } = await bed.bridge.connections.get('hraun');
    const { journalFromJson } = await import('../../../src/domain/journal-json.js');
    const prepared = await erp.prepare({
      key: BY_HAND,
      journal: journalFromJson(JSON.stringify(journal)),
    });
    if (prepared.outcome !== 'prepared') throw new Error(prepared.message);
    const posted = await erp.post(prepared.prepared);
    if (posted.outcome !== 'posted') throw new Error(posted.outcome);
    const dry = await operations().markPosted(waiting.postingId, posted.reference.id, ACT, { dryRun: true });
    expect(markResult.parse(dry)).toMatchObject({ marked: false, differences: [] });
    const marked = await operations().markPosted(waiting.postingId, posted.reference.id, ACT);
    expect(marked.marked).toBe(true);
    await operations().resume('hraun', ACT);
    await until('acknowledged', async () => (await state(waiting.postingId)) === 'acknowledged');
    expect(bed.sandbox.control.invoice('hraun', waiting.guid).accounting_status).toBe('Posted');
    expect(ledger.control.entriesByKey(waiting.key)).toEqual([]);
    noEntryTwice();
  });

  test('an entry is reversed under its own key and the document posted again under the next', async () => {
    const booked = await anyOf('acknowledged', 'cost');
    const dry = await operations().reverse(booked.postingId, ACT, { dryRun: true });
    expect(reverseResult.parse(dry)).toMatchObject({ reversed: false, reposted: false });
    ledger.control.failNext({ fault: 'reset-after-effect', on: 'reverse' });
    const done = await operations().reverse(booked.postingId, ACT, { repost: true });
    expect(done).toMatchObject({ reversed: true, reposted: true });
    await until('posted again', async () => (await state(booked.postingId)) === 'acknowledged');
    const after = (await operations().explain(booked.postingId)).document;
    expect(after).toMatchObject({ generation: 1 });
    expect(after.key).not.toBe(booked.key);
    expect(ledger.control.liveCount(booked.key)).toBe(0);
    expect(ledger.control.liveCount(after.key)).toBe(1);
    const { attempts, audit } = await operations().explain(booked.postingId);
    expect(attempts.filter(({ part }) => part === 'reversal')).toMatchObject([{ outcome: 'posted' }]);
    expect(audit.find(({ action }) => action === 'posting.reversed')).toMatchObject(ACT);
    noEntryTwice();
  });

  test('a cost in Error goes to New, is approved, comes back as Created and is posted', async () => {
    const { control } = bed.sandbox;
    const guid = control.createCost('hraun', { amount: '12400', description: 'VAT that cannot be' });
    control.editCost('hraun', guid, { vat_S: 900_000 });
    control.approveCost('hraun', guid);
    await operations().sweep('hraun', ACT, { full: true });
    await until(
      'rejected',
      async () => (await operations().documents({ text: guid })).items[0]?.state === 'rejected',
    );
    const id = await operations().identify(guid);
    await bed.settled();
    expect(control.cost('hraun', guid).accounting_status).toBe('Error');
    expect((await operations().previewReplay({ postingIds: [id] })).groups).toMatchObject([
      { eligible: false, instead: 'move-to-new' },
    ]);
    expect((await operations().explain(id)).actions).toContain('move-to-new');
    expect(await operations().moveToNew(id, ACT)).toMatchObject({ sourceStatus: 'New' });
    expect(control.cost('hraun', guid).accounting_status).toBe('New');
    expect((await operations().explain(id)).sentence).toMatch(/comes back by itself/);
    control.editCost('hraun', guid, { vat_S: 0 });
    control.approveCost('hraun', guid);
    await operations().sweep('hraun', ACT, { full: true });
    await until('posted', async () => (await state(id)) === 'acknowledged');
    expect(control.cost('hraun', guid).accounting_status).toBe('Posted');
    noEntryTwice();
  });

  test('reconciling the period finds nothing to complain about, and the audit is whole', async () => {
    const report = await operations().reconcile('hraun', { from: '2020-01-01', to: '2030-12-31' });
    // The entry made by hand carries a key that this test gave it; a bookkeeper's would carry none.
    expect(report.differences.map(({ subject }) => subject)).toEqual([BY_HAND]);
    const audit = await operations().verifyAudit();
    expect(audit).toMatchObject({ whole: true, breaks: [] });
  });

  test('runs, cursors and incidents answer', async () => {
    const started = await operations().startReplay({ states: ['acknowledged'] }, ACT);
    await operations().workOff({ runId: started.id });
    const finished = await operations().run(started.id);
    expect(run.parse(finished)).toMatchObject({ state: 'done', moved: 0, refused: finished.total });
    expect(finished.refusals).toMatchObject([{ why: 'It is in the books, and the source says Posted.' }]);
    const cursors = await operations().cursors('hraun');
    expect(cursors.map(({ kind }) => kind)).toEqual(['invoice', 'cost']);
    await operations().setCursor('hraun', 'cost', '2025-01-01', ACT);
    expect((await operations().cursors('hraun'))[1]).toMatchObject({ fromDate: '2025-01-01' });
    await expect(operations().resolveIncident('nothing', ACT)).rejects.toMatchObject({
      code: 'INCIDENT_NOT_FOUND',
    });
  });

  test('journals are exported for hledger and as CSV that no spreadsheet takes for a formula', async () => {
    const lines: string[] = [];
    const period = { tenant: 'hraun', from: '2020-01-01', to: '2030-12-31' } as const;
    for await (const line of operations().export({ ...period, subject: 'journals', format: 'csv' }))
      lines.push(line);
    expect(lines[0]).toMatch(/^key,entry,posting_date/);
    expect(lines.length).toBeGreaterThan(40);
    expect(lines.some((line) => /(^|,)[=+@]/.test(line))).toBe(false);
  });
});
