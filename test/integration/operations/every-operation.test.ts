// The day of an operator, told twice on a bridge with real records: once with the command line, once over the API.
import { spawnSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Secret } from '../../../src/domain/secret.js';
import { journalFromJson } from '../../../src/domain/journal-json.js';
import type { VatReport } from '../../../src/operations/views/vat.js';
import { ACTIONS } from '../../../src/operations/acts.js';
import { createUserAccounts } from '../../../src/operations/users/user-accounts.js';
import { createUserStore } from '../../../src/store/dashboard/user-store.js';
import { createApprovalRecords } from '../../../src/store/operations/approvals.js';
import { type Bed, bridgeBed } from '../../support/bridge-bed.js';
import { type HttpErp, httpErp } from '../../support/http-erp.js';
import { invoice } from '../../support/outbound-bed.js';
import { has } from '../../support/services.js';
import { type Documented, openApiCheck } from '../api/documented.js';
import type { World } from '../../unit/cli/run-cli.js';
import { type Hand, HANDS, PERSON, REASON, tell, type Told, type Walked, WAYS } from './ways.js';

const ON_ITS_WAY = ['discovered', 'mapped', 'posting', 'posted', 'writing_back'];
const FORMULA = '=HYPERLINK("http://evil.example")';
const LIMITS = { source: { requestsPerSecond: 200, concurrency: 4 }, erp: { postingsPerSecond: 200 } };

let bed: Bed;
let world: World;
let token: string;
let documented: Documented;
const erps: Record<string, HttpErp> = {};
/** Ways that led somewhere: `hand operation`. */
const walked = new Set<string>();

beforeAll(async () => {
  for (const hand of HANDS) erps[hand] = await httpErp();
  bed = await bridgeBed({
    accounts: HANDS.map((username) => ({
      username,
      invoices: 3,
      costs: 2,
      seed: username,
      difficulty: 'tidy',
    })),
    tenants: HANDS.map((name) => {
      const origin = { name: 'orders', type: 'folder', directory: `../../orders-${name}`, stableSeconds: 1 };
      const more = { limits: LIMITS, outgoing: { origins: [origin] } };
      return { name, account: name, erp: erps[name]!.erp(), more };
    }),
    env: erps['cli']!.env,
    confirmPlans: false,
  });
  world = {
    cwd: bed.directory,
    env: {
      ...erps['cli']!.env,
      LEDGERBRIDGE_CONFIG: bed.settings.configDirectory,
      LEDGERBRIDGE_DATA: bed.settings.dataDirectory,
      DATABASE_URL: bed.database.url.reveal(),
      SANDBOX_CODE: bed.sandbox.maintCode,
      ...Object.fromEntries(bed.sandbox.accounts.map(({ username, apiKey }) => [`KEY_${username}`, apiKey])),
    },
  };
  const accounts = createUserAccounts(createUserStore(bed.database), { now: () => new Date() });
  await accounts.create('gudrun', 'admin', new Secret('a fine long password'), 'test');
  await accounts.setSystemUser('gudrun', userInfo().username, 'test');
  const act = { actor: 'gudrun', identity: 'login:gudrun', reason: 'a token for the test' } as const;
  documented = await openApiCheck(bed.bridge.http!.url);
  token = (await bed.bridge.operations.createToken({ name: 'of the test', role: 'admin' }, act)).value;
});
afterAll(async () => {
  await bed.close();
  for (const erp of Object.values(erps)) await erp.ledger.close();
});

describe.each(HANDS)('with the hand %s', (hand: Hand) => {
  const tenant = hand;
  const ledger = () => erps[hand]!.ledger.control;
  const source = () => bed.sandbox.control;
  const did = async (operation: Walked, given: Record<string, string> = {}): Promise<Told> => {
    const told = await tell({ bed, world, token, documented }, hand, operation, { tenant, ...given });
    if (told.ok) walked.add(`${hand} ${operation}`);
    return told;
  };
  /** The answer, which must be one. */
  const does = async <Body>(operation: Walked, given: Record<string, string> = {}): Promise<Body> => {
    const { ok, code, body } = await did(operation, given);
    expect(`${operation} ${ok ? 'answered' : String(code)}`).toBe(`${operation} answered`);
    return body as Body;
  };
  const until = async (what: string, done: () => Promise<boolean> | boolean) => {
    for (let look = 0; look < 300; look++) {
      if (await done()) return;
      await sleep(100);
    }
    throw new Error(`not ${what} after 30 s`);
  };
  const state = async (guid: string) =>
    (await bed.database.prisma.posting.findFirst({ where: { document: { guid } } }))?.state;
  /** Nothing of this tenant is on its way; the other one's story is its own. */
  const settled = () =>
    until('settled', async () => {
      const states = Object.keys(await bed.states(tenant));
      const writing = await bed.database.prisma.writeBack.count({
        where: { state: { in: ['pending', 'sent'] }, posting: { tenantName: tenant } },
      });
      return writing === 0 && !ON_ITS_WAY.some((name) => states.includes(name));
    });
  const posting = (guid: string) =>
    bed.database.prisma.posting.findFirstOrThrow({ where: { document: { guid } } });
  const confirmed = () => bed.bridge.tenants.confirmPlan(tenant, 'test');
  /** Found by a sweep while the tenant is paused, so that nothing moves before the story says so. */
  const found = async (issue: () => string): Promise<string> => {
    await confirmed();
    await does('pause');
    const guid = issue();
    await does('sweep');
    await until('found', async () => (await state(guid)) !== undefined);
    return guid;
  };
  /** Every act left its line, with the person and the reason. */
  const audited = async (guid: string, ...actions: string[]) => {
    const { items } = await does<{ items: { action: string; actor: string; reason: string | null }[] }>(
      'audit',
      {
        subject: (await posting(guid)).id,
      },
    );
    const ours = items.filter(({ actor, reason }) => actor.includes(PERSON) && reason === REASON);
    expect(ours.map(({ action }) => action)).toEqual(expect.arrayContaining(actions));
  };

  test('what goes into the service is planned, confirmed, followed, replayed and skipped', async () => {
    const { prisma } = bed.database;
    const directory = join(bed.directory, `orders-${hand}`);
    await mkdir(directory);
    const orders = [
      invoice('SO-1'),
      invoice('SO-2', { due_date: '2020-01-01' }),
      invoice('D-1', { kind: 'draft' }),
    ];
    await writeFile(join(directory, 'a.jsonl'), orders.map((order) => `${JSON.stringify(order)}\n`).join(''));
    const of = (reference: string) =>
      prisma.submission.findFirst({ where: { tenantName: tenant, reference } });
    await until('taken in', async () => (await of('SO-2')) !== null);
    expect(await does('outgoing')).toMatchObject([
      { tenantName: tenant, confirmed: null, counts: { received: 3 } },
    ]);
    const { planned } = await does<{ planned: { reference: string; problem: string | null }[] }>(
      'outgoingPlan',
    );
    expect(planned.map(({ reference, problem }) => [reference, problem === null]).sort()).toEqual([
      ['D-1', true],
      ['SO-1', true],
      ['SO-2', false],
    ]);
    expect(await does('outgoingProblems')).toEqual([]);
    for (const act of ['pauseOutgoing', 'resumeOutgoing', 'confirmOutgoing'] as const) await does(act);
    await until('created', async () => (await of('SO-1'))?.state === 'acknowledged');
    await until('refused', async () => (await of('SO-2'))?.state === 'refused');
    expect(await does<unknown[]>('submissions')).toHaveLength(4);
    const [sent, refused] = [await of('SO-1'), await of('SO-2')];
    expect(await does('submission', { id: sent!.id })).toMatchObject({
      number: sent!.number,
      attempts: [{ outcome: 'accepted' }],
    });
    await does('replaySubmission', { id: refused!.id });
    await until('refused again', async () => (await of('SO-2'))?.state === 'refused');
    expect(await does('skipSubmission', { id: refused!.id })).toMatchObject({ state: 'skipped' });
    expect(await did('skipSubmission', { id: sent!.id })).toMatchObject({ code: 'ACT_NOT_POSSIBLE' });
    await until('created', async () => (await of('D-1'))?.state === 'acknowledged');
    const draft = (await of('D-1'))!.id;
    expect(await does('withdrawSubmission', { id: draft })).toMatchObject({ kind: 'draft' });
    await until('withdrawn', async () => (await of('D-1'))?.state === 'withdrawn');
    expect(await did('withdrawSubmission', { id: sent!.id })).toMatchObject({ code: 'ACT_NOT_POSSIBLE' });
    expect(await did('submission', { id: 'nobody' })).toMatchObject({ code: 'SUBMISSION_NOT_FOUND' });
    // The keeper takes up at once what a person has decided: each act has a record of its own, that rests until then.
    const resting = async (reference: string, state: string, conflicts: string | null) => {
      const [row] = await prisma.$queryRaw<{ id: string }[]>`
        INSERT INTO submission (id, tenant_name, origin, kind, reference, key, place, state, state_since, content, content_hash, received_at, conflicts, guid)
        VALUES (gen_random_uuid(), ${tenant}, '', 'customer', ${reference}, ${`${reference}-${tenant}`}, '', ${state}, now(),
                ${JSON.stringify({ kennitala: reference })}, '', now(), ${conflicts}, ${conflicts && 'its-guid'}) RETURNING id`;
      return row!.id;
    };
    const several = await resting('4910080160', 'parked', null);
    expect(await does('chooseCustomer', { id: several, guid: 'a-guid' })).toMatchObject({ id: several });
    const sides = { origin: 'Akureyri', service: 'Selfoss' };
    const conflict = JSON.stringify([{ field: 'city', agreed: { origin: '', service: '' }, ...sides }]);
    const apart = await resting('5402696029-2', 'acknowledged', conflict);
    expect(await does('settleFields', { id: apart, ...sides })).toMatchObject({ id: apart });
    const audited = await prisma.auditEntry.findMany({
      where: { chain: tenant, action: { startsWith: 'outgoing.' } },
      orderBy: { id: 'asc' },
    });
    expect(audited.map(({ action, reason }) => [action, reason])).toEqual(
      ['outgoing.paused', 'outgoing.resumed', 'outgoing.confirmed'].map((action) => [action, REASON]),
    );
  });

  test('what somebody else asked for is listed, agreed to and withdrawn', async () => {
    await confirmed();
    const approvals = createApprovalRecords(bed.database);
    const asked = { tenantName: tenant, act: 'plan', subject: tenant, asked: '{}' } as const;
    await approvals.askOrAgree({ actor: 'Sigga', reason: 'asks' }, 'sigga', asked);
    const [waiting] = await does<{ id: string; actor: string; tenantName: string }[]>('approvals');
    expect(waiting).toMatchObject({ actor: 'Sigga', tenantName: tenant });
    // It was confirmed meanwhile, so agreeing changes nothing any more.
    expect(await does('agree', { id: waiting!.id })).toMatchObject({ id: waiting!.id, act: 'plan' });
    await does('withdraw', { id: waiting!.id });
    expect(await did('withdraw', { id: waiting!.id })).toMatchObject({ code: 'APPROVAL_NOT_FOUND' });
  });

  test('a plan is looked at, says what was not checked, and is confirmed', async () => {
    await until(
      'swept',
      async () => (await bed.database.prisma.posting.count({ where: { tenantName: tenant } })) >= 5,
    );
    const planned = await does<{ findings: { message: string }[]; journals: unknown[] }>('plan');
    if (planned.journals.length > 0)
      expect(planned.findings.map(({ message }) => message).join()).toContain(
        'Closed periods were not checked',
      );
    expect(await does('testNotifications')).toEqual([]);
    await does('confirmPlan');
    const { tenants } = await does<{ tenants: { name: string; planConfirmed: unknown }[] }>('overview');
    expect(tenants.find(({ name }) => name === tenant)!.planConfirmed).not.toBeNull();
    await does('resume');
    await settled();
  });

  test('what there is to see is shown', async () => {
    await does('schedules');
    if (hand === 'api') await does('throughput');
    expect(await does('problems')).toEqual(expect.any(Array));
    expect(await does('inbox')).toEqual(expect.any(Array));
    expect(await does('verifyAudit')).toMatchObject({ whole: true });
    expect(await does('cursors')).toMatchObject([{ kind: 'invoice' }, { kind: 'cost' }]);
    await does('setCursor', { day: '2025-02-01' });
    expect(await does('cursors')).toMatchObject([{}, { fromDate: '2025-02-01' }]);
    expect(await did('setCursor', { day: 'tomorrow' })).toMatchObject({ ok: false });
    expect(await did('explain', { id: 'nothing' })).toMatchObject({ code: 'DOCUMENT_NOT_FOUND' });
  });

  test('one document is held and released, another one skipped', async () => {
    const held = await found(() => source().issueInvoice(tenant, { unitPrice: '5000' }));
    const skipped = await found(() => source().issueInvoice(tenant, { unitPrice: '6000' }));
    expect(await does('hold', { id: held })).toMatchObject({ refused: [] });
    expect(await does('explain', { id: held })).toMatchObject({ document: { held: true, state: 'held' } });
    expect(await does('release', { id: held })).toMatchObject({ refused: [] });
    expect(await does('skip', { id: skipped })).toMatchObject({ refused: [] });
    await does('resume');
    await settled();
    expect(source().invoice(tenant, held).accounting_status).toBe('Posted');
    expect(source().invoice(tenant, skipped).accounting_status).toBe('Skipped');
    expect(ledger().liveCount((await posting(held)).key)).toBe(1);
    expect(ledger().liveCount((await posting(skipped)).key)).toBe(0);
    await audited(held, 'posting.held-by-operator', 'posting.released');
    await audited(skipped, 'posting.skipped-by-operator');
  });

  test('an entry that the ERP does not know is refused, one that was made by hand is believed', async () => {
    const guid = await found(() => source().issueInvoice(tenant, { unitPrice: '7000' }));
    expect(await did('mark-posted', { id: guid, entry: 'no-such-entry' })).toMatchObject({
      ok: false,
      code: 'ERP_REFERENCE_UNKNOWN',
    });
    expect(await state(guid)).toBe('discovered');
    const { id, key } = await posting(guid);
    const { journals } = await bed.bridge.operations.plan(tenant);
    const planned = journals.find(({ postingId }) => postingId === id)!;
    const entry = await bookedByHand(tenant, JSON.stringify(planned.journal));
    expect(await does('mark-posted', { id: guid, entry })).toMatchObject({ marked: true, differences: [] });
    await does('resume');
    await until('acknowledged', async () => (await state(guid)) === 'acknowledged');
    expect(source().invoice(tenant, guid).accounting_status).toBe('Posted');
    expect(ledger().entriesByKey(key)).toEqual([]);
    await audited(guid, 'posting.marked-posted-elsewhere');
  });

  test('an entry is reversed, and its document posted again under the next key', async () => {
    const guid = await found(() => source().issueInvoice(tenant, { unitPrice: '8000' }));
    await does('resume');
    await until('posted', async () => (await state(guid)) === 'acknowledged');
    const before = await posting(guid);
    expect(await does('reverse', { id: guid })).toMatchObject({ reversed: true, reposted: false });
    expect(ledger().liveCount(before.key)).toBe(0);
    await does('repost', { id: guid });
    await until('posted again', async () => (await state(guid)) === 'acknowledged');
    const after = await posting(guid);
    expect(after).toMatchObject({ generation: before.generation + 1 });
    expect(ledger().liveCount(after.key)).toBe(1);
    await audited(guid, 'posting.reversed', 'posting.reposted');
  });

  test('an invoice in Error is mended, replayed and read back as Posted, and its incident is settled', async () => {
    const guid = await found(() => {
      const made = source().issueInvoice(tenant, { unitPrice: '9000' });
      source().editInvoice(tenant, made, { currency: 'XXX' });
      return made;
    });
    await does('resume');
    await until('in Error', () => source().invoice(tenant, guid).accounting_status === 'Error');
    await settled();
    const { id, key } = await posting(guid);
    const { items } = await does<{ items: { state: string }[] }>('documents', { text: guid });
    expect(items).toMatchObject([{ state: 'rejected', reason: { code: 'UNKNOWN_CURRENCY' } }]);
    const incident = await alarmed(tenant, id);
    source().editInvoice(tenant, guid, { currency: 'ISK' });
    expect(await does('previewReplay', { id: guid })).toMatchObject({ total: 1, eligible: 1 });
    const run = await does<{ id: string }>('startReplay', { id: guid });
    await until(
      'replayed',
      async () => (await does<{ state: string }>('run', { id: run.id })).state === 'done',
    );
    await until('posted', async () => (await state(guid)) === 'acknowledged');
    expect(source().invoice(tenant, guid).accounting_status).toBe('Posted');
    expect(ledger().liveCount(key)).toBe(1);
    expect(await does('run', { id: run.id })).toMatchObject({ moved: 1, refused: 0, arrived: 1 });
    expect(await does('runs')).toEqual(expect.arrayContaining([expect.objectContaining({ id: run.id })]));
    await audited(guid, 'posting.replayed');
    expect(await bed.database.prisma.incident.findUniqueOrThrow({ where: { id: incident } })).toMatchObject({
      state: 'resolved',
      resolution: '{"code":"SETTLED_ACKNOWLEDGED","params":{}}',
    });
    const { items: lines } = await does<{ items: unknown[] }>('audit', { subject: incident });
    expect(lines).toMatchObject([{ action: 'incident.resolved', actor: 'worker' }]);
  });

  test('a cost is driven from Error to New, to Created, to Posted', async () => {
    const guid = await found(() => {
      const made = source().createCost(tenant, { amount: '12400', description: 'a currency that is none' });
      source().editCost(tenant, made, { currency: 'XXX' });
      source().approveCost(tenant, made);
      return made;
    });
    await does('resume');
    await until('in Error', () => source().cost(tenant, guid).accounting_status === 'Error');
    await settled();
    expect(await does('previewReplay', { id: guid })).toMatchObject({ groups: [{ instead: 'move-to-new' }] });
    await does('move-to-new', { id: guid });
    expect(source().cost(tenant, guid).accounting_status).toBe('New');
    source().editCost(tenant, guid, { currency: 'ISK', vat_S: 0 });
    source().approveCost(tenant, guid);
    expect(source().cost(tenant, guid).accounting_status).toBe('Created');
    await does('sweep');
    await until('posted', async () => (await state(guid)) === 'acknowledged');
    expect(source().cost(tenant, guid).accounting_status).toBe('Posted');
    expect(ledger().liveCount((await posting(guid)).key)).toBe(1);
    await audited(guid, 'posting.moved-to-new');
  });

  test('a difference is found by reconciling, acknowledged and settled by a person', async () => {
    await confirmed();
    const period = { from: '2021-03-01', to: '2021-03-31' };
    if (ledger().liveCount(STRAY) === 0) await bookedByHand(tenant, JSON.stringify(strayJournal()), STRAY);
    expect(await does('reconcile', period)).toMatchObject({
      clean: false,
      differences: [{ subject: STRAY }],
    });
    const listed = await does<IncidentRow[] | { items: IncidentRow[] }>('incidents');
    const rows = Array.isArray(listed) ? listed : listed.items;
    const { id } = rows.find(({ code }) => code === 'RECONCILIATION_DIFFERS')!;
    expect(await does('acknowledgeIncident', { id })).toMatchObject({ state: 'acknowledged' });
    expect(await does('resolveIncident', { id })).toMatchObject({ state: 'resolved', resolution: REASON });
    expect(await did('resolveIncident', { id })).toMatchObject({ ok: false, code: 'INCIDENT_NOT_FOUND' });
    const { items } = await does<{ items: { action: string }[] }>('audit', { subject: id });
    expect(items.map(({ action }) => action)).toEqual(['incident.resolved', 'incident.acknowledged']);
  });

  test('what was posted is exported for spreadsheets, for programs and for hledger', async () => {
    const guid = await found(() =>
      source().issueInvoice(tenant, { unitPrice: '1000', description: FORMULA }),
    );
    await does('resume');
    await until('posted', async () => (await state(guid)) === 'acknowledged');
    const csv = await does<string>('export', { what: 'journals', format: 'csv' });
    expect(csv).toContain(guid);
    expect(csv).not.toMatch(/(^|,|")[=+@]/m);
    const json = await does<string>('export', { what: 'postings', format: 'json' });
    const postings = json.trimEnd().split('\n');
    expect(postings.map((line) => (JSON.parse(line) as { guid: string }).guid)).toContain(guid);
    const journal = await does<string>('export', { what: 'journals', format: 'hledger' });
    expect(journal).toContain(guid);
    if (has('hledger')) {
      const judged = spawnSync('hledger', ['-f', '-', 'check'], { input: journal, encoding: 'utf8' });
      expect(judged.stderr).toBe('');
      const counted = spawnSync('hledger', ['-f', '-', 'stats'], { input: journal, encoding: 'utf8' });
      expect(counted.stdout).toMatch(
        new RegExp(`(Txns|Transactions) +: ${String(journal.match(/^\d{4}-/gm)!.length)} `),
      );
    }
    expect(await did('export', { what: 'postings', format: 'hledger' })).toMatchObject({
      ok: false,
      code: 'QUERY_INVALID',
    });
    expect(await did('export', { what: 'journals', format: 'csv', tenant: 'nobody' })).toMatchObject({
      ok: false,
      code: 'TENANT_UNKNOWN',
    });
  });

  test('a period is closed, and its certificate can be seen and printed; rules are rehearsed', async () => {
    const made = await does<{ id?: string; verdict?: string; summary?: { verdict: string } }>('closePeriod', {
      period: '2026',
    });
    expect(made.verdict ?? made.summary?.verdict).toMatch(/green|red/);
    expect(await did('closePeriod', { period: '2026-13' })).toMatchObject({
      ok: false,
      code: 'QUERY_INVALID',
    });
    const [newest] = await does<{ id: string; from: string; records: number }[]>('certificates');
    expect(newest).toMatchObject({ from: '2026-01-01' });
    if (hand === 'api') {
      const { id } = newest!;
      expect(await does('certificate', { id })).toMatchObject({ id, tenantName: tenant });
      expect(await does<string>('certificatePdf', { id })).toMatch(/^%PDF-/);
      const unknown = '00000000-0000-4000-8000-000000000000';
      expect(await did('certificate', { id: unknown })).toMatchObject({ code: 'CERTIFICATE_NOT_FOUND' });
    }
    const rehearsed = await does<{ examined: number }>('rehearse');
    expect(rehearsed.examined).toBeGreaterThan(0);
  });

  test('reports are what the service has', async () => {
    if (hand === 'cli') return;
    const sales = await does<{ columns: string[]; rows: object[] }>('serviceReport', { report: 'sales' });
    expect(sales.columns).toContain('in_stock');
    expect(sales.rows.length).toBeGreaterThan(0);
    expect(await did('serviceReport', { report: 'summary' })).toMatchObject({ code: 'QUERY_INVALID' });
  });

  test('the VAT return says what the books say, and what is not in them yet', async () => {
    const report = await does<VatReport>('vatReport', { period: '2026' });
    expect(report.entries).toBeGreaterThan(0);
    expect(Number(report.boxes.F)).toBe(Number(report.boxes.D) - Number(report.boxes.E));
    expect(await did('vatReport', { period: '2026-13' })).toMatchObject({ ok: false, code: 'QUERY_INVALID' });
    if (!has('hledger')) return;
    const journal = await does<string>('export', { what: 'journals', format: 'hledger' });
    const balanceOf = (...accounts: string[]) => {
      const query = ['-f', '-', 'balance', '-b', '2026-01-01', '-e', '2027-01-01', ...accounts];
      const { stdout } = spawnSync('hledger', query, { input: journal, encoding: 'utf8' });
      return Number(/(-?\d+) ISK\s*$|^\s*0\s*$/.exec(stdout.trimEnd())?.[1] ?? 0);
    };
    expect(balanceOf('^250')).toBe(-Number(report.boxes.D));
    expect(balanceOf('^160')).toBe(Number(report.boxes.E));
    const turnover = ['A', 'B', 'C'].reduce((sum, box) => sum + Number(report.boxes[box as 'A']), 0);
    expect(balanceOf('^30')).toBe(-turnover);
  });

  test('a token is made, listed and revoked', async () => {
    const made = await does<{ token: { id: string }; value: string }>('createToken', { name: `for ${hand}` });
    const schedules = () =>
      fetch(`${bed.bridge.http!.url}/api/v1/schedules`, {
        headers: { authorization: `Bearer ${made.value}` },
      });
    expect((await schedules()).status).toBe(200);
    expect(JSON.stringify(await does('tokens'))).not.toContain(made.value);
    await does('revokeToken', { id: made.token.id });
    expect((await schedules()).status).toBe(401);
    expect(await did('revokeToken', { id: made.token.id })).toMatchObject({
      ok: false,
      code: 'TOKEN_INVALID',
    });
  });
});

interface IncidentRow {
  readonly id: string;
  readonly code: string;
}

const STRAY = 'STRAYENTRY2345672345';

function strayJournal() {
  const line = { text: 'stray', role: 'revenue' };
  return {
    documentNo: 'S-1',
    externalReference: 'S-1',
    postingDate: '2021-03-15',
    documentDate: '2021-03-15',
    description: 'Nobody knows it',
    currency: 'ISK',
    exchangeRate: '1',
    lines: [
      { ...line, account: '1200', debit: '100', credit: '0' },
      { ...line, account: '3200', debit: '0', credit: '100' },
    ],
  };
}

/** A bookkeeper's entry, made in the ERP itself. */
async function bookedByHand(tenant: string, journal: string, key?: string): Promise<string> {
  const { erp } = await bed.bridge.connections.get(tenant);
  const byHand = key ?? `BYHAND${String(Date.now()).replaceAll(/[019]/g, '7')}`.slice(0, 20).padEnd(20, 'A');
  const prepared = await erp.prepare({ key: byHand, journal: journalFromJson(journal) });
  if (prepared.outcome !== 'prepared') throw new Error(prepared.message);
  const posted = await erp.post(prepared.prepared);
  if (posted.outcome !== 'posted') throw new Error(posted.outcome);
  // What the ERP shows to people, and so what they type.
  return posted.reference.number ?? posted.reference.id;
}

/** As if it had been parked with an alarm before. */
async function alarmed(tenantName: string, postingId: string): Promise<string> {
  const { id } = await bed.database.prisma.incident.create({
    data: {
      id: crypto.randomUUID(),
      tenantName,
      postingId,
      code: 'TRIES_EXHAUSTED',
      fingerprint: `TRIES_EXHAUSTED:${postingId}:${String(Date.now())}`,
      severity: 'critical',
      title: 'It failed as often as the bridge tries',
      details: '',
      nextStep: 'Replay it',
      state: 'open',
      firstSeenAt: new Date(),
      lastSeenAt: new Date(),
    },
  });
  return id;
}

test('every operation has a command and a route that were walked above, or a reason why not', () => {
  const acts = ACTIONS.filter((name) => name !== 'replay');
  const operations = Object.keys(bed.bridge.operations).filter((name) => !/^(act|previewAct)$/.test(name));
  expect(Object.keys(WAYS).sort()).toEqual([...operations, ...acts].sort());
  const missing = Object.entries(WAYS).flatMap(([operation, ways]) =>
    HANDS.filter((hand) => typeof ways[hand] !== 'string' && !walked.has(`${hand} ${operation}`)).map(
      (hand) => `${hand} ${operation}`,
    ),
  );
  expect(missing).toEqual([]);
});
