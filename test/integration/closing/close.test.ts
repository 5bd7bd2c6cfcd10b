// The certificate of a period with a whole bridge: green when all three agree, red and naming it when they do not, and checked
// without a bridge afterwards.
import { execFileSync } from 'node:child_process';
import { createHash, generateKeyPairSync } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Bed, bridgeBed } from '../../support/bridge-bed.js';
import { type HttpErp, httpErp } from '../../support/http-erp.js';
import { run, type World } from '../../unit/cli/run-cli.js';

const MORE = { originals: { perSecond: 100 }, cutOver: '2010-01-01' };
/** Older than the law asks to keep originals. */
const OLD_DAY = '2017-05-11';

interface Made {
  readonly file: string;
  readonly root: string;
  readonly records: number;
  readonly head: { readonly previous: { readonly root: string } | null };
  readonly summary: {
    readonly verdict: string;
    readonly differences: readonly { readonly code: string; readonly params: Record<string, string> }[];
    readonly accounts: readonly { readonly agrees: boolean }[];
    readonly vat: readonly {
      readonly agrees: boolean;
      readonly erp: object | null;
      readonly rates: string[];
    }[];
    readonly limits: readonly { readonly code: string }[];
    readonly originals: Record<string, number>;
    readonly entries: { readonly bridge: number; readonly erp: number };
  };
}

describe('closing a period', () => {
  let bed: Bed;
  let erp: HttpErp;
  let world: World;
  let period: string;

  const tenant = () => ({
    ...{ name: 'hraun', account: 'hraun', erp: erp.erp(), more: MORE },
  });
  const close = async (...more: string[]): Promise<Made> => {
    const { out, code, err } = await run(
      ['close', 'hraun', ...period.split(' '), '-r', 'the test closes', '--json', ...more],
      world,
    );
    const made = JSON.parse(out || 'null') as Made | null;
    if (made === null) throw new Error(err);
    expect(code).toBe(made.summary.verdict === 'green' ? 0 : 3);
    return made;
  };
  const codes = ({ summary }: Made) => [...new Set(summary.differences.map(({ code }) => code))];

  beforeAll(async () => {
    erp = await httpErp();
    bed = await bridgeBed({
      accounts: [{ username: 'hraun', invoices: 8, costs: 5, seed: 'closing', difficulty: 'tidy' }],
      tenants: [tenant()],
      env: erp.env,
    });
    await bed.settled();
    const { privateKey } = generateKeyPairSync('ed25519');
    const keyFile = join(bed.directory, 'signing.pem');
    await writeFile(keyFile, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
    world = {
      cwd: bed.directory,
      env: {
        ...{ ...erp.env, USER: 'sigga', LEDGERBRIDGE_CONFIG: bed.settings.configDirectory },
        ...{ LEDGERBRIDGE_DATA: bed.settings.dataDirectory, DATABASE_URL: bed.database.url.reveal() },
        ...{ SANDBOX_CODE: bed.sandbox.maintCode, LEDGERBRIDGE_SIGNING_KEY: `file:${keyFile}` },
        KEY_hraun: bed.sandbox.accounts[0]!.apiKey,
      },
    };
    const { prisma } = bed.database;
    const atEntry = { some: {}, every: { state: { in: ['attached', 'absent'] } } };
    await vi.waitFor(
      async () => expect(await prisma.posting.count({ where: { originals: atEntry } })).toBe(13),
      { timeout: 60_000, interval: 100 },
    );
    const days = await prisma.document.aggregate({ _min: { issueDate: true }, _max: { issueDate: true } });
    period = `${days._min.issueDate!} ${days._max.issueDate!}`;
  });
  afterAll(async () => {
    await bed.close();
    await erp.ledger.close();
  });

  test('is green when service, bridge and ERP agree, and the file can be verified anywhere', async () => {
    const made = await close();
    expect(made.summary.differences).toEqual([]);
    expect(made.summary).toMatchObject({ verdict: 'green', entries: { erp: made.summary.entries.bridge } });
    expect(made.summary.accounts.length).toBeGreaterThan(2);
    expect(made.summary.originals['attached']).toBeGreaterThan(8);
    expect(made.records).toBe(13);
    const text = await readFile(made.file, 'utf8');
    expect(text.match(/"audit":\["\d+:[0-9a-f]{64}"/g), 'each with its links of the audit').toHaveLength(13);
    const verified = await run(['verify', made.file], { cwd: bed.directory, env: {} });
    expect(verified.code).toBe(0);
    expect(verified.out).toContain('GREEN');
    const icelandic = await run(['verify', made.file, '--lang', 'is'], { cwd: bed.directory, env: {} });
    expect(icelandic.out).toContain('Staðfesting á tímabili'.toUpperCase());
    expect(icelandic.out).toContain('GRÆNT');
    // One amount changed, in one file, on somebody's machine.
    const changed = join(bed.directory, 'changed.jsonl');
    await writeFile(changed, (await readFile(made.file, 'utf8')).replace('"debit":"', '"debit":"1'));
    const refused = await run(['verify', changed], { cwd: bed.directory, env: {} });
    expect(refused.code).toBe(3);
    expect(refused.out).toMatch(/line \d+, (invoice|cost) .*: its bytes were changed/);
    const again = await close();
    expect(again.head.previous?.root).toBe(made.root);
  });

  test('packs everything into one archive that a person can open', async () => {
    const packed = await run(
      ['archive', 'hraun', ...period.split(' '), '-o', 'safn.zip', '-r', 'for the auditor', '--json'],
      world,
    );
    expect(packed.code).toBe(0);
    expect(JSON.parse(packed.out)).toMatchObject({ verdict: 'green', missing: [] });
    const again = await run(
      ['archive', 'hraun', ...period.split(' '), '-o', 'safn.zip', '-r', 'for the auditor'],
      world,
    );
    expect(again.code).toBe(2);
    expect(again.err).toContain('safn.zip is there already, and nothing is written over');
    const { items } = await bed.bridge.operations.audit({ chain: 'hraun', limit: 20 });
    const written = items.filter(({ action }) => action === 'archive.written');
    expect(written).toMatchObject([{ subject: 'hraun', reason: 'for the auditor' }]);
    const exported = await run(
      ['export', 'postings', 'hraun', '--from', '2020-01-01', '--to', '2030-01-01'],
      world,
    );
    const rows = exported.out.trim().split('\r\n').length - 1;
    const { items: after } = await bed.bridge.operations.audit({ chain: 'hraun', limit: 20 });
    expect(after.find(({ action }) => action === 'journals.exported')?.details).toMatchObject({
      ...{ by: 'command line', what: 'postings', format: 'csv', rows },
    });
    const unpacked = join(bed.directory, 'safn');
    // Python's own reader, so that nobody reads what he wrote himself.
    execFileSync('python3', ['-m', 'zipfile', '-e', join(bed.directory, 'safn.zip'), unpacked]);
    const text = (name: string) => readFile(join(unpacked, name), 'utf8');
    expect(await text('index.html')).toContain('Grænt');
    expect(await text('certificate-en.txt')).toContain('GREEN');
    expect(await text('description-is.md')).toContain('Reglur í gildi');
    expect((await text('documents.csv')).trim().split('\r\n')).toHaveLength(14);
    const lines = (await text('journal_lines.csv')).trim().split('\r\n').slice(1);
    const sum = (column: number) => lines.reduce((total, line) => total + Number(line.split(',')[column]), 0);
    expect(lines.length).toBeGreaterThan(26);
    expect(sum(5)).toBe(sum(6));
    const files = await readdir(join(unpacked, 'originals'));
    for (const name of files) {
      const hash = createHash('sha256')
        .update(await readFile(join(unpacked, 'originals', name)))
        .digest('hex');
      expect(name.startsWith(hash)).toBe(true);
    }
    expect(files.length).toBeGreaterThan(8);
    const verified = await run(['verify', join(unpacked, 'certificate.jsonl')], { cwd: unpacked, env: {} });
    expect(verified.code).toBe(0);
  });

  test('is red when an amount was edited afterwards, and says which', async () => {
    const [cost] = bed.sandbox.control.documents('hraun', { kind: 'cost', accountingStatus: 'Posted' });
    const before = bed.sandbox.control.cost('hraun', cost!.guid).amount;
    bed.sandbox.control.editCost('hraun', cost!.guid, { amount: before + 12_345 });
    const made = await close();
    expect(codes(made)).toContain('CLOSE_AMOUNT_CHANGED');
    expect(
      made.summary.differences.find(({ code }) => code === 'CLOSE_AMOUNT_CHANGED')?.params['number'],
    ).toBe(cost!.guid);
    bed.sandbox.control.editCost('hraun', cost!.guid, { amount: before });
    expect((await close()).summary.verdict).toBe('green');
  });

  test('says of an invoice that was cancelled after it was booked what reconcile and the list of certificates say', async () => {
    const { control } = bed.sandbox;
    const [from, to] = period.split(' ') as [string, string];
    const reconciled = async () => {
      const said = await run(['reconcile', 'hraun', '--from', from, '--to', to, '--json'], world);
      const report = JSON.parse(said.out) as { differences: { code: string; params: { number: string } }[] };
      return report.differences.map(({ code, params }) => [code, params.number]);
    };
    const listed = async () => {
      const said = await run(['certificates', 'hraun', '--json'], world);
      return (JSON.parse(said.out) as { verdict: string; changedSince: number }[])[0];
    };
    const [sold] = control.documents('hraun', { kind: 'invoice', accountingStatus: 'Posted' });
    const { number, status } = control.invoice('hraun', sold!.guid);
    expect((await close()).summary.verdict).toBe('green');
    control.editInvoice('hraun', sold!.guid, { status: 'Cancelled' });
    expect(await reconciled()).toEqual([['CANCELLED_IN_BOOKS', number]]);
    expect(await listed()).toMatchObject({ verdict: 'green', changedSince: 1 });
    const red = await close();
    expect(red.summary.differences).toEqual([
      { code: 'CLOSE_CANCELLED', params: { kind: 'invoice', number } },
    ]);
    control.editInvoice('hraun', sold!.guid, { status });
    expect(await reconciled()).toEqual([]);
    expect((await close()).summary.differences).toEqual([]);
    expect(await listed()).toMatchObject({ verdict: 'green', changedSince: 0 });
  });

  describe.each(['credential', 'agent'] as const)('over the %s surface', (surface) => {
    const edits = (made: Made) =>
      made.summary.differences.filter(({ code }) => code === 'CLOSE_CONTENT_CHANGED');
    const readSingly = () =>
      bed.sandbox.control.journal().filter(({ endpoint }) => /get-(cost|invoice)$|\{id\}$/.test(endpoint))
        .length;

    beforeAll(() => bed.writeTenant({ ...tenant(), surface }));
    afterAll(() => bed.writeTenant(tenant()));

    test('is red when something else than an amount was edited, and says what', async () => {
      const { control } = bed.sandbox;
      const [cost] = control.documents('hraun', { kind: 'cost', accountingStatus: 'Posted' });
      const [invoice] = control.documents('hraun', { kind: 'invoice', accountingStatus: 'Posted' });
      const { description, vat_S } = control.cost('hraun', cost!.guid);
      const { booking } = control.invoice('hraun', invoice!.guid);
      control.editCost('hraun', cost!.guid, { description: 'Annað', vat_S: vat_S + 100 });
      control.editInvoice('hraun', invoice!.guid, { booking: 'Annað' });
      const made = await close();
      expect(codes(made)).toEqual(['CLOSE_CONTENT_CHANGED']);
      expect(edits(made).map(({ params }) => params)).toEqual(
        expect.arrayContaining([
          {
            kind: 'cost',
            number: cost!.guid,
            fields: expect.stringMatching(/^description vat_S( xml)?$/) as string,
          },
          { kind: 'invoice', number: control.invoice('hraun', invoice!.guid).number, fields: 'booking' },
        ]),
      );
      control.editCost('hraun', cost!.guid, { description, vat_S });
      control.editInvoice('hraun', invoice!.guid, { booking });
    });

    test('is green when all is as it was, and reads again only what the lists leave open', async () => {
      bed.sandbox.control.clearJournal();
      const made = await close();
      expect(made.summary.differences).toEqual([]);
      if (surface === 'credential') expect(readSingly()).toBe(0);
      // Its lists come without e-invoices.
      else expect(readSingly()).toBeGreaterThan(0);
    });
  });

  test('is red when a line stands under another VAT code in the ERP, and names both codes with their rates', async () => {
    const { control } = erp.ledger;
    const entries = control.entries();
    const moved = entries.findIndex(({ lines }) => lines.some(({ vatCode }) => vatCode !== undefined));
    const changed = entries.map((entry, at) =>
      at === moved
        ? {
            ...entry,
            lines: entry.lines.map((line) =>
              line.vatCode === undefined ? line : { ...line, vatCode: 'X9' },
            ),
          }
        : entry,
    );
    control.reset();
    control.restore(changed);
    const { summary, file } = await close();
    expect(summary.verdict).toBe('red');
    const differing = summary.differences.filter(({ code }) => code === 'CLOSE_VAT_DIFFERS');
    expect(differing.map(({ params }) => params['vatCode'])).toContain('X9');
    expect(differing.length).toBeGreaterThan(1);
    const printed = await run(['verify', file], { cwd: bed.directory, env: {} });
    expect(printed.out).toMatch(/^ {2}X9: 0 \/ 0 \(0\) ≠ /m);
    control.reset();
    control.restore(entries);
    const again = await close();
    expect(again.summary.differences).toEqual([]);
    expect(again.summary.limits.map(({ code }) => code)).not.toContain('CLOSE_LIMIT_VAT');
    expect(again.summary.vat.flatMap(({ rates }) => rates)).toContain('24');
    for (const { agrees, erp: shown } of again.summary.vat)
      expect([agrees, shown === null]).toEqual([true, false]);
  });

  test('by two people at once makes one certificate, and tells the other; neither is left out of the row', async () => {
    const { prisma } = bed.database;
    const directory = join(bed.settings.dataDirectory, 'certificates');
    const argv = ['close', 'hraun', ...period.split(' '), '-r', 'the test closes', '--json'];
    const before = await prisma.certificate.count();
    const both = await Promise.all([run(argv, world), run(argv, world), run(argv, world)]);
    const made = both.filter(({ code }) => code === 0);
    const told = both.filter(({ code }) => code !== 0);
    expect(made.length).toBeGreaterThan(0);
    for (const { err } of told) expect(err).toContain('Somebody else has closed a period of hraun');
    expect(await prisma.certificate.count()).toBe(before + made.length);
    expect(await readdir(directory)).toHaveLength(before + made.length);
    const row = await prisma.certificate.findMany({ orderBy: { madeAt: 'asc' } });
    const previous = row.map(({ head }) => (JSON.parse(head!) as Made['head']).previous?.root ?? null);
    expect(previous).toEqual([null, ...row.slice(0, -1).map(({ root }) => root)]);
  });

  test('is out of date when a document comes late, and says so', async () => {
    const [, to] = period.split(' ');
    bed.sandbox.control.issueInvoice('hraun', { issueDate: to } as never);
    await bed.bridge.tenants.requestSweep('hraun');
    await bed.settled();
    const listed = await run(['certificates', 'hraun', '--json'], world);
    expect(listed.code).toBe(3);
    const rows = JSON.parse(listed.out) as { changedSince: number; verdict: string }[];
    expect(rows[0]).toMatchObject({ verdict: 'green', changedSince: 1 });
  });

  test('is red when an invoice number is missing', async () => {
    const [, second] = bed.sandbox.control.documents('hraun', { kind: 'invoice' });
    const { prisma } = bed.database;
    // As if nobody had ever handed it over: neither the service nor the bridge shows it.
    const row = await prisma.document.findFirstOrThrow({
      where: { kind: 'invoice' },
      orderBy: { number: 'asc' },
      skip: 2,
    });
    expect(second).toBeDefined();
    await prisma.document.update({ where: { id: row.id }, data: { number: `X${row.number}` } });
    const made = await close();
    const missing = made.summary.differences.find(({ code }) => code === 'CLOSE_NUMBER_MISSING');
    expect(missing?.params['numbers']).toContain(row.number);
    await prisma.document.update({ where: { id: row.id }, data: { number: row.number } });
  });

  test('is red when entries are gone from the ERP, and names their documents', async () => {
    erp.ledger.control.reset();
    const made = await close();
    const missing = made.summary.differences.filter(({ code }) => code === 'CLOSE_ENTRY_MISSING');
    expect(missing.length).toBe(14);
    expect(codes(made)).toContain('CLOSE_ACCOUNT_DIFFERS');
  });

  test('leaves certificates that nobody can change or take away', async () => {
    const { prisma } = bed.database;
    await expect(prisma.$executeRaw`DELETE FROM certificate`).rejects.toThrow(/never changed or removed/);
    await expect(prisma.$executeRaw`UPDATE certificate SET verdict = 'green'`).rejects.toThrow(/never/);
  });

  test('lets originals that are older than the law asks leave the directory, and nothing else', async () => {
    const { prisma } = bed.database;
    const guid = bed.sandbox.control.issueInvoice('hraun', { issueDate: OLD_DAY } as never);
    await bed.bridge.tenants.requestSweep('hraun');
    const pdf = () => prisma.original.findFirst({ where: { posting: { document: { guid } } } });
    await vi.waitFor(async () => expect((await pdf())?.state).toBe('attached'), {
      timeout: 30_000,
      interval: 100,
    });
    const { sha256 } = (await pdf())!;
    const directory = join(bed.settings.dataDirectory, 'originals');
    const files = async () =>
      (await readdir(directory, { recursive: true })).filter((name) => /[0-9a-f]{64}$/.test(name));
    const before = await files();
    expect(before.some((name) => name.endsWith(sha256!))).toBe(true);
    const expire = (...more: string[]) => run(['originals', 'expire', '-t', 'hraun', ...more], world);
    const uncertified = await expire('--dry-run');
    expect(uncertified.out).toContain('no green certificate covers their day');
    const closed = await run(['close', 'hraun', '2017', '-r', 'the year is over', '--json'], world);
    expect(closed.code).toBe(0);
    expect((await expire('--dry-run')).out).toContain('hraun: 1 originals from before');
    const done = await expire('-r', 'yearly', '--yes', '--json');
    expect(JSON.parse(done.out)).toMatchObject({ originals: 1, files: 1 });
    expect(await files()).toEqual(before.filter((name) => !name.endsWith(sha256!)));
    expect((await run(['originals', 'verify'], world)).code).toBe(0);
  });

  test('hashes every original again, and names what is missing or changed', async () => {
    const good = await run(['originals', 'verify'], world);
    expect(good.code).toBe(0);
    // One that is kept: what has left the directory is not looked for there.
    const row = await bed.database.prisma.original.findFirstOrThrow({
      where: { role: 'pdf', sha256: { not: null }, removedAt: null },
    });
    const sha = row.sha256!;
    await writeFile(
      join(bed.settings.dataDirectory, 'originals', sha.slice(0, 2), sha.slice(2, 4), sha),
      'rot',
    );
    const bad = await run(['originals', 'verify'], world);
    expect(bad.code).toBe(3);
    expect(bad.out).toMatch(new RegExp(`^changed  ${sha}  hraun invoice`, 'm'));
  });

  test('while the records are just put back says so, and is red for what waits', async () => {
    await run(['db', 'restored', '--reason', 'the test puts it back', '--yes'], world);
    const [, to] = period.split(' ');
    bed.sandbox.control.issueInvoice('hraun', { issueDate: to } as never);
    await bed.bridge.tenants.requestSweep('hraun');
    const { prisma } = bed.database;
    const inBooks = ['acknowledged', 'posted', 'writing_back'];
    await vi.waitFor(
      async () => expect(await prisma.posting.count({ where: { state: { notIn: inBooks } } })).toBe(1),
      { timeout: 20_000, interval: 100 },
    );
    const made = await close();
    expect(made.summary.verdict).toBe('red');
    expect(codes(made)).toContain('CLOSE_WAITING');
    expect(made.summary.limits.map(({ code }) => code)).toContain('CLOSE_LIMIT_RESTORED');
  });
});
