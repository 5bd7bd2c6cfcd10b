// Originals with a whole bridge: fetched after the posting, kept by their hash, attached to the entry once.
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { directoryVault } from '../../../src/originals/directory-vault.js';
import { ORIGINAL_FAIL_POINTS } from '../../../src/sync/fail-points.js';
import { type Bed, bridgeBed } from '../../support/bridge-bed.js';
import { PASSWORD, servedDashboard } from '../../support/dashboard-bed.js';
import { type HttpErp, httpErp } from '../../support/http-erp.js';
import { historyOf, refusedBy, watchDatabase, Witnesses } from '../../support/real-history.js';

const ORIGINALS = { originals: { perSecond: 100 }, limits: { erp: { postingsPerSecond: 200 } } };

/** Until every entry has its originals settled. */
async function carried(bed: Bed, timeoutMs = 60_000): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const [row] = await bed.database.prisma.$queryRaw<{ open: number }[]>`
      SELECT (SELECT count(*) FROM original WHERE due_at IS NOT NULL)
           + (SELECT count(*) FROM posting p WHERE p.state = 'acknowledged'
                AND NOT EXISTS (SELECT 1 FROM original o WHERE o.posting_id = p.id))::int AS open`;
    if (Number(row?.open) === 0) return;
    if (Date.now() > deadline) throw new Error(`originals are still on their way: ${String(row?.open)}`);
    await sleep(200);
  }
}

const idOf = (reference: string) => (JSON.parse(reference) as { id: string }).id;

/** Every broken promise about originals, as a sentence. */
async function brokenPromises(bed: Bed, { ledger }: HttpErp): Promise<string[]> {
  const broken: string[] = [];
  const rows = await bed.database.prisma.original.findMany({ include: { posting: true } });
  const vault = directoryVault(bed.settings.originalsDirectory);
  for (const row of rows.filter(({ state }) => state === 'attached')) {
    const at = (ledger.control.entryById(idOf(row.erpReference))?.attachments ?? []).filter(
      ({ sha256 }) => sha256 === row.sha256,
    );
    if (at.length !== 1)
      broken.push(`${row.role} of ${row.posting.documentNo ?? ''} is there ${at.length} times`);
    if (at[0]?.fileName !== row.erpFileName) broken.push(`another name: ${at[0]?.fileName ?? ''}`);
    if ((await vault.check(row.sha256!)) !== 'whole') broken.push(`${row.sha256!} is not in the store`);
  }
  const attachedAtErp = ledger.control.entries().flatMap(({ attachments }) => attachments).length;
  const attached = rows.filter(({ state }) => state === 'attached').length;
  if (attachedAtErp !== attached) broken.push(`${attachedAtErp} at the ERP, ${attached} on record`);
  return broken;
}

describe('the originals of what was posted', () => {
  let bed: Bed;
  let erp: HttpErp;

  beforeAll(async () => {
    erp = await httpErp();
    bed = await bridgeBed({
      accounts: [{ username: 'hraun', invoices: 6, costs: 8, seed: 'originals', difficulty: 'tidy' }],
      tenants: [{ name: 'hraun', account: 'hraun', erp: erp.erp(), more: ORIGINALS }],
      env: erp.env,
      confirmPlans: false,
    });
    const [first, second] = bed.sandbox.control.documents('hraun', {
      kind: 'cost',
      accountingStatus: 'Created',
    });
    const attachment = (name: string, content: Buffer) => ({
      attachment: { file_name: name, file_extension: 'pdf', content },
    });
    bed.sandbox.control.editCost(
      'hraun',
      first!.guid,
      attachment('../../x.pdf', Buffer.from('%PDF-1.4 evil')),
    );
    bed.sandbox.control.editCost(
      'hraun',
      second!.guid,
      attachment('reikningur.pdf', Buffer.from('<html><script>alert(1)</script>')),
    );
    await bed.bridge.tenants.confirmPlan('hraun', 'test');
    await bed.settled();
    await carried(bed);
  });
  afterAll(async () => {
    await bed.close();
    await erp.ledger.close();
  });

  test('are at their entries once, in the store by their hash, and on the audit', async () => {
    expect(await brokenPromises(bed, erp)).toEqual([]);
    const byState = await bed.database.prisma.original.groupBy({ by: ['role', 'state'], _count: true });
    expect(byState.find(({ role, state }) => role === 'pdf' && state === 'attached')?._count).toBe(6);
    const attached = await bed.database.prisma.original.count({ where: { state: 'attached' } });
    const audited = await bed.database.prisma.auditEntry.count({ where: { action: 'original.attached' } });
    expect(audited).toBe(attached);
  });

  test('have names of ours: one that is called ../../x.pdf is a file like any other', async () => {
    const evil = await bed.database.prisma.original.findFirstOrThrow({
      where: { sourceName: '../../x.pdf' },
    });
    expect(evil.state).toBe('attached');
    expect(evil.erpFileName).toMatch(/^cost-[^/\\]+-file-[0-9a-f]{12}\.pdf$/);
    expect(evil.sha256).toBe(createHash('sha256').update('%PDF-1.4 evil').digest('hex'));
    expect((await readdir(join(bed.directory, 'data'))).filter((name) => name.includes('x.pdf'))).toEqual([]);
  });

  test('that are not what they say they are go to a person, and the posting does not suffer', async () => {
    const parked = await bed.database.prisma.original.findMany({
      where: { state: 'parked' },
      include: { posting: true },
    });
    expect(parked).toMatchObject([
      { reason: 'TYPE_NOT_TAKEN', sha256: null, posting: { state: 'acknowledged' } },
    ]);
    const incident = await bed.database.prisma.incident.findFirst({ where: { code: 'ORIGINALS_PARKED' } });
    expect(incident).toMatchObject({ tenantName: 'hraun', severity: 'warning', state: 'open' });
  });

  test('are shown beside the journal to who is signed in, in both languages, and what could run is only handed over', async () => {
    const dash = servedDashboard(bed.bridge);
    await dash.addUser('gudrun', 'viewer');
    const signedIn = await fetch(`${dash.url}/login`, {
      ...{ method: 'POST', redirect: 'manual' },
      headers: { origin: dash.url, 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ login: 'gudrun', password: PASSWORD }).toString(),
    });
    const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? '';
    const get = (path: string, headers: Record<string, string> = { cookie }) =>
      fetch(dash.url + path, { redirect: 'manual', headers: { accept: 'text/html', ...headers } });
    const { prisma } = bed.database;
    const pdf = await prisma.original.findFirstOrThrow({ where: { role: 'pdf', state: 'attached' } });
    const path = `/documents/${pdf.postingId}/originals/${pdf.id}`;
    const page = (language: string) =>
      get(`/documents/${pdf.postingId}`, { cookie, 'accept-language': language });
    // The ERP calls its accounts by name, and the journal shows them.
    const { journal } = await prisma.posting.findUniqueOrThrow({ where: { id: pdf.postingId } });
    const { lines } = JSON.parse(journal ?? '{}') as { lines: { account: string }[] };
    const accounts = [...new Set(lines.map(({ account }) => account))];
    erp.ledger.control.setChart({
      accounts: accounts.map((account) => ({ account, name: `Lykill nr. ${account}` })),
    });
    await vi.waitFor(
      async () => {
        const shown = await (await page('is')).text();
        for (const account of accounts) expect(shown).toContain(`Lykill nr. ${account}`);
      },
      { timeout: 20_000, interval: 200 },
    );
    erp.ledger.control.setChart(null);
    const frame = (title: string) => `title="${title}" src="${path}"`;
    expect(await (await page('is')).text()).toContain(frame('Frumrit'));
    const english = await (await page('en')).text();
    expect(english).toContain(frame('Originals'));
    expect(english).toContain('at the entry in the ERP');
    const file = await get(path);
    expect(file.headers.get('content-type')).toBe('application/pdf');
    expect(file.headers.get('content-disposition')).toMatch(/^inline; filename\*=UTF-8''invoice-/);
    expect(file.headers.get('content-security-policy')).toContain("default-src 'none'");
    const sha256 = createHash('sha256')
      .update(Buffer.from(await file.arrayBuffer()))
      .digest('hex');
    expect(sha256).toBe(pdf.sha256);
    const ubl = await prisma.original.findFirstOrThrow({ where: { role: 'ubl', sha256: { not: null } } });
    const xml = await get(`/documents/${ubl.postingId}/originals/${ubl.id}`);
    expect(xml.headers.get('content-disposition')).toMatch(/^attachment/);
    // Of another document, of nobody, or for somebody who is not signed in: nothing.
    expect((await get(`/documents/${ubl.postingId}/originals/${pdf.id}`)).status).toBe(404);
    expect((await get(`/documents/${pdf.postingId}/originals/..%2F..%2Fx.pdf`)).status).toBe(404);
    expect((await get(path, {})).status).not.toBe(200);
    // Nor for somebody who sees other companies only.
    await dash.users.setReach('gudrun', new Map([['jokull', 'admin']]), 'test');
    expect((await get(path)).status).not.toBe(200);
  });

  test('stay where they are: nobody takes one off the record or away from its entry', async () => {
    const { prisma } = bed.database;
    await expect(prisma.$executeRaw`DELETE FROM original`).rejects.toThrow(/never removed/);
    await expect(
      prisma.$executeRaw`UPDATE original SET state = 'fetched' WHERE state = 'attached'`,
    ).rejects.toThrow(/stays so/);
  });
});

const FIRST = { ...ORIGINALS, originals: { perSecond: 100, beforeAcknowledging: true } };

/** Documents of which the service heard before their last original was where it belongs. */
async function toldEarly({ database: { prisma } }: Bed): Promise<unknown[]> {
  return prisma.$queryRaw`
    SELECT p.document_no FROM posting p JOIN write_back w ON w.posting_id = p.id AND w.state = 'acknowledged'
    WHERE NOT EXISTS (SELECT 1 FROM original o WHERE o.posting_id = p.id)
       OR EXISTS (SELECT 1 FROM original o WHERE o.posting_id = p.id AND o.state_since > w.acknowledged_at)`;
}

/** Everything shorter than in production, in the same proportions. */
const TIMING = { leaseMs: 2_000, sendByMs: 1_000, erpTimeoutMs: 1_000, networkDelayMaxMs: 500 };

test('a bridge killed after every step attaches each original once, and tells the service only then', async () => {
  const witnesses = new Witnesses();
  const erp = await httpErp({ behaviour: { latencyMs: 2 }, onEffect: witnesses.onEffect });
  const bed = await bridgeBed({
    sandbox: { onStatus: witnesses.onStatus },
    accounts: [{ username: 'hraun', invoices: 5, costs: 4, seed: 'killed', difficulty: 'tidy' }],
    tenants: [{ name: 'hraun', account: 'hraun', erp: erp.erp({ deadlineMs: 1_000 }), more: FIRST }],
    env: erp.env,
    processes: true,
  });
  try {
    await watchDatabase(bed.database);
    for (const point of ORIGINAL_FAIL_POINTS) {
      const child = bed.child({ failAt: `${point}:2:SIGKILL`, timing: TIMING });
      const exit = once(child, 'exit').then(() => true);
      await Promise.race([once(child, 'message'), exit]);
      await bed.database.prisma.tenant.updateMany({
        data: { planConfirmedAt: new Date(), planConfirmedBy: 'test' },
      });
      expect(await Promise.race([exit, sleep(40_000, false)]), point).toBe(true);
    }
    erp.ledger.control.failNext({ on: 'attach', fault: 'lose-reply' });
    const last = bed.child({ timing: TIMING });
    await once(last, 'message');
    // On a slow machine an original meets its deadline of a second more than once, and the third wait is a minute.
    await bed.settled(120_000);
    await carried(bed);
    last.kill('SIGTERM');
    await once(last, 'exit');
    expect(await brokenPromises(bed, erp)).toEqual([]);
    expect(await bed.database.prisma.original.count({ where: { sends: { gt: 1 } } })).toBeGreaterThan(0);
    expect(await toldEarly(bed)).toEqual([]);
    expect(await bed.states()).toEqual({ acknowledged: 9 });
    const quietPeriodMs = TIMING.sendByMs + 2 * TIMING.erpTimeoutMs;
    const specified = { kind: 'native-key', keyLifeMs: 1_800_000, quietPeriodMs };
    const history = await historyOf(bed.database, witnesses);
    expect(history.filter(({ what }) => what === 'acknowledge')).toHaveLength(9);
    expect(refusedBy(specified, history)).toEqual([]);
  } finally {
    await bed.close();
    await erp.ledger.close();
  }
}, 300_000);
