// What only shows at the edges: an ERP that lacks an account, an entry that is another document's, a reversal whose answer is
// lost. The everyday of every operation, with both hands, is told in every-operation.test.ts.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { plan, replayPreview, reverseResult, run } from '../../../src/operations/views/act.js';
import { ruleAccounts } from '../../../src/pipeline/mapping/rules.js';
import { EXIT } from '../../../src/cli/exit-codes.js';
import { type Bed, bridgeBed } from '../../support/bridge-bed.js';
import { type HttpErp, httpErp } from '../../support/http-erp.js';
import { run as cli } from '../../unit/cli/run-cli.js';

const ACT = { actor: 'Guðrún', reason: 'a test of what operators do' };
const MISSING = '4711';
const LIMITS = { source: { requestsPerSecond: 200, concurrency: 4 }, erp: { postingsPerSecond: 200 } };

describe('what an operator does on a running bridge', () => {
  let bed: Bed;
  let erp: HttpErp;
  const spec = (rules: Record<string, unknown>) => ({
    name: 'hraun',
    account: 'hraun',
    erp: erp.erp(),
    more: { rules, limits: LIMITS },
  });
  const operations = () => bed.bridge.operations;
  const ledger = () => erp.ledger.control;
  const state = async (id: string) =>
    (await bed.database.prisma.posting.findUniqueOrThrow({ where: { id } })).state;
  const until = async (what: string, done: () => Promise<boolean>) => {
    for (let look = 0; look < 300; look++) {
      if (await done()) return;
      await sleep(100);
    }
    throw new Error(`not ${what} after 30 s`);
  };
  const booked = async (kind: 'invoice' | 'cost') => {
    const { items } = await operations().documents({ states: ['acknowledged'], kind, limit: 1 });
    return items[0]!;
  };
  const begin = async (how: { despiteErrors?: boolean } = {}) => {
    await operations().confirmPlan('hraun', ACT, how);
    await bed.settled();
  };
  const noEntryTwice = () => expect(ledger().duplicatedKeys()).toEqual([]);

  // A bridge of its own for each attempt: nothing that one has used up is missing in the next.
  beforeEach(async () => {
    erp = await httpErp();
    bed = await bridgeBed({
      accounts: [{ username: 'hraun', invoices: 7, costs: 5, seed: 'acts', difficulty: 'tidy' }],
      env: erp.env,
      tenants: [spec({ invoice: { revenueByTreatment: { S: MISSING } } })],
      confirmPlans: false,
    });
    await until('swept', async () => (await bed.database.prisma.posting.count()) >= 12);
  });
  afterEach(async () => {
    await bed.close();
    await erp.ledger.close();
  });

  test('a missing account shows in the plan, is found by cause, mended in the tenant file, and posted once', async () => {
    const { rules } = bed.bridge.connections.tenant('hraun')!;
    const accounts = ruleAccounts(rules).accounts.filter((account) => account !== MISSING);
    ledger().setChart({ accounts: [...accounts, '3999'].map((account) => ({ account })) });

    const planned = await operations().plan('hraun');
    expect(plan.parse(planned)).toEqual(planned);
    expect(planned).toMatchObject({ confirmed: false, examined: planned.waiting });
    const lacks = planned.findings.filter(({ severity }) => severity === 'error');
    expect(lacks.map(({ message }) => message).join()).toContain(MISSING);
    const debit = planned.accounts.reduce((sum, one) => sum + Number(one.debit), 0);
    expect(debit).toBe(Number(planned.totalIsk));
    expect(ledger().counts().entries).toBe(0);
    expect(await bed.states()).toEqual({ discovered: planned.waiting });
    expect((await operations().overview()).tenants[0]!.health).toBe('unconfirmed');

    await begin({ despiteErrors: true });
    const cause = (await operations().problems()).find(({ code }) => code === 'ERP_CONFIGURATION')!;
    expect(cause).toMatchObject({ states: ['held'], tenants: [{ name: 'hraun', count: cause.count }] });
    expect(cause.subject).toContain(MISSING);
    expect(await operations().inbox()).toMatchObject([{ id: cause.id, count: cause.count }]);
    const preview = await operations().previewReplay({ cause: cause.id });
    expect(replayPreview.parse(preview)).toEqual(preview);
    expect(preview).toMatchObject({ total: cause.count, eligible: cause.count, ineligible: 0 });

    await bed.writeTenant(spec({ invoice: { revenueByTreatment: { S: '3999' } } }));
    await until('mended', async () => (await operations().problems()).every(({ id }) => id !== cause.id));
    await bed.settled();
    expect((await bed.states())['acknowledged']).toBeGreaterThan(cause.count);
    noEntryTwice();
  });

  test('a dimension that only one document uses shows in the plan, and its advice names the dimensions', async () => {
    const accounts = ruleAccounts(bed.bridge.connections.tenant('hraun')!.rules).accounts;
    const [{ guid } = { guid: '' }] = bed.sandbox.control.documents('hraun', { kind: 'cost' });
    const chart = (...projects: string[]) =>
      ledger().setChart({
        accounts: accounts.map((account) => ({ account })),
        vatCodes: null,
        dimensions: { project: projects, costLocation: null },
      });
    const used = () =>
      bed.sandbox.control
        .documents('hraun', { kind: 'cost' })
        .map((one) => bed.sandbox.control.cost('hraun', one.guid).project_name)
        .filter((name) => name !== '' && name !== 'Sundlaugin');
    bed.sandbox.control.editCost('hraun', guid, { project_name: 'Sundlaugin' });
    chart(...new Set(used()));
    const lacks = async () =>
      (await operations().plan('hraun')).findings.filter(({ severity }) => severity === 'error');
    expect((await lacks()).map(({ message }) => message)).toEqual([
      'The ERP has no "Sundlaugin" in the dimension project.',
    ]);

    await begin({ despiteErrors: true });
    const [row] = await operations().inbox();
    expect(row).toMatchObject({ count: 1, mend: { where: 'either', path: 'rules.dimensions.values' } });
    expect(row!.mend.file).toMatch(/hraun\.yaml$/);
    expect(row!.mend.example).toMatch(/project:\n +"Sundlaugin": /);
    chart(...new Set(used()), 'Sundlaugin');
    expect(await lacks()).toEqual([]);
  });

  test('an act without a reason is refused, and so is an entry that stands for another document', async () => {
    await expect(operations().confirmPlan('hraun', { actor: 'x', reason: ' ' })).rejects.toMatchObject({
      code: 'ACT_WITHOUT_REASON',
    });
    await begin();
    await operations().pause('hraun', ACT);
    const guid = bed.sandbox.control.issueInvoice('hraun', { unitPrice: '7000' });
    await operations().sweep('hraun', ACT);
    await until('found', async () => (await operations().documents({ text: guid })).items.length === 1);
    const id = await operations().identify(guid);
    const { erpReference } = await operations().explain((await booked('invoice')).postingId);
    await expect(
      operations().act('mark-posted', [id], { entry: erpReference!.id }, ACT),
    ).rejects.toMatchObject({
      code: 'ERP_REFERENCE_TAKEN',
    });
    expect(await state(id)).toBe('discovered');
    const { audit } = await operations().explain(id);
    expect(audit.filter(({ actor }) => actor === ACT.actor)).toEqual([]);
  });

  test('a plan is not confirmed against an ERP that could not be asked, unless somebody says so', async () => {
    await erp.ledger.close();
    const env = {
      ...erp.env,
      USER: 'sigga',
      LEDGERBRIDGE_CONFIG: bed.settings.configDirectory,
      DATABASE_URL: bed.database.url.reveal(),
      KEY_hraun: bed.sandbox.accounts[0]!.apiKey,
      SANDBOX_CODE: bed.sandbox.maintCode,
    };
    const confirm = (...more: string[]) =>
      cli(['plan', 'hraun', '--confirm', '-y', '-r', 'a test', ...more], { cwd: bed.directory, env });
    const refused = await confirm();
    expect(refused.code).toBe(EXIT.problems);
    expect(refused.out).toContain('The ERP could not be asked: ');
    expect(refused.err).toContain('PLAN_UNCHECKED');
    expect(refused.out + refused.err).not.toContain('lacks');
    expect(plan.parse(await operations().plan('hraun'))).toMatchObject({ erpAsked: false, confirmed: false });
    expect((await confirm('--unchecked')).out).toContain('hraun is confirmed.');
  });

  test('a reversal whose answer is lost is found under its key, and the document posted again under the next', async () => {
    await begin();
    const before = await booked('cost');
    const dry = await operations().previewAct('reverse', [before.postingId], {}, ACT);
    expect(reverseResult.parse(dry)).toMatchObject({ reversed: false, reposted: false });
    ledger().failNext({ fault: 'reset-after-effect', on: 'reverse' });
    const done = await operations().act('reverse', [before.postingId], { repost: true }, ACT);
    expect(done).toMatchObject({ reversed: true, reposted: true });
    await until('posted again', async () => (await state(before.postingId)) === 'acknowledged');
    const { document: after, attempts } = await operations().explain(before.postingId);
    expect(after).toMatchObject({ generation: before.generation + 1 });
    expect(ledger().liveCount(before.key)).toBe(0);
    expect(ledger().liveCount(after.key)).toBe(1);
    expect(attempts.filter(({ part }) => part === 'reversal')).toMatchObject([{ outcome: 'posted' }]);
    noEntryTwice();

    const started = await operations().startReplay({ states: ['acknowledged'] }, ACT);
    await operations().workOff({ runId: started.id });
    const finished = await operations().run(started.id);
    expect(run.parse(finished)).toMatchObject({ state: 'done', moved: 0, refused: finished.total });
    expect(finished.refusals).toMatchObject([{ why: 'It is in the books, and the source says Posted.' }]);
  });

  test('the export has every entry that was booked: of earlier generations, and what reversed them', async () => {
    await begin();
    const { postingId, guid } = await booked('invoice');
    await operations().act('reverse', [postingId], { repost: true }, ACT);
    await until('posted again', async () => (await state(postingId)) === 'acknowledged');
    await operations().act('reverse', [postingId], {}, ACT);
    const { attempts } = await operations().explain(postingId);
    const inBooks = attempts.map(
      ({ key, erpReference }) => `${key} ${erpReference!.number ?? erpReference!.id}`,
    );
    const period = { tenant: 'hraun', from: '2000-01-01', to: '2100-12-31', subject: 'journals' } as const;
    const exported: Exported[] = [];
    for await (const line of operations().export({ ...period, format: 'json' }))
      exported.push(JSON.parse(line) as Exported);
    const ours = exported.filter((entry) => entry.guid === guid);
    expect(ours.map(({ key, entry }) => `${key} ${entry}`).sort()).toEqual(inBooks.sort());
    expect(ours.length).toBeGreaterThanOrEqual(4);
    const reversals = ours.filter(({ part }) => part === 'reversal');
    expect(ours.map(({ key }) => key)).toEqual(
      expect.arrayContaining(reversals.map(({ reverses }) => reverses)),
    );
    const amounts = ours.flatMap(({ journal }) => journal.lines.map(({ debit, credit }) => +debit - +credit));
    expect(amounts.length).toBeGreaterThan(7);
    expect(amounts.reduce((sum, amount) => sum + amount, 0)).toBeCloseTo(0);
  });
});

interface Exported {
  readonly guid: string;
  readonly key: string;
  readonly entry: string;
  readonly part: string;
  readonly reverses: string;
  readonly journal: { readonly lines: readonly { readonly debit: string; readonly credit: string }[] };
}
