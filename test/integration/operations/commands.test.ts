// The commands of an operator, beside a running bridge on the same records.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EXIT } from '../../../src/cli/exit-codes.js';
import { type Bed, bridgeBed } from '../../support/bridge-bed.js';
import { run, type Said, type World } from '../../unit/cli/run-cli.js';

describe('the command line beside a running bridge', () => {
  let bed: Bed;
  let world: World;
  const cli = (...argv: string[]): Promise<Said> => run(argv, world);
  const json = async (...argv: string[]): Promise<unknown> => {
    const said = await cli(...argv, '--json');
    expect(said.err, argv.join(' ')).not.toMatch(/Unexpected/);
    return JSON.parse(said.out) as unknown;
  };
  const found = async (guid: string) => {
    for (let look = 0; look < 100; look++) {
      if ((await bed.bridge.operations.documents({ text: guid })).items.length > 0) return;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    throw new Error(`${guid} was not found`);
  };

  beforeAll(async () => {
    bed = await bridgeBed({
      accounts: [{ username: 'hraun', invoices: 5, costs: 3, seed: 'commands', difficulty: 'tidy' }],
      tenants: [{ name: 'hraun', account: 'hraun', erp: { adapter: 'file' } }],
    });
    world = {
      cwd: bed.directory,
      env: {
        USER: 'sigga',
        LEDGERBRIDGE_CONFIG: bed.settings.configDirectory,
        LEDGERBRIDGE_DATA: bed.settings.dataDirectory,
        DATABASE_URL: bed.database.url.reveal(),
        KEY_hraun: bed.sandbox.accounts[0]!.apiKey,
        SANDBOX_CODE: bed.sandbox.maintCode,
      },
    };
    await bed.settled();
  });
  afterAll(() => bed.close());

  test('asks before somebody is shut out, and takes nobody’s silence for a yes', async () => {
    const isThere = async () => (await cli('user', 'list')).out.match(/birna.*/)?.[0] ?? '';
    expect((await cli('user', 'create', 'birna')).code).toBe(EXIT.ok);
    const before = await isThere();
    const unasked = await cli('user', 'revoke', 'birna');
    expect(unasked).toMatchObject({ code: EXIT.declined, out: '' });
    expect(unasked.err).toContain('birna is signed out everywhere');
    expect((await run(['user', 'revoke', 'birna'], { ...world, typed: 'n\n' })).code).toBe(EXIT.declined);
    expect(await isThere()).toBe(before);
    expect((await cli('user', 'totp', 'reset', 'birna')).code).toBe(EXIT.declined);
    expect((await cli('user', 'totp', 'reset', 'birna', '--yes')).out).toContain('had no second factor');
    expect((await cli('user', 'totp', 'reset', 'nobody', '--yes')).err).toContain('USER_NOT_FOUND');
    expect((await cli('user', 'revoke', 'birna', '--yes')).out).toContain('can no longer sign in');
    expect(await isThere()).not.toBe(before);
  });

  test('looks: status, documents, explain, problems, inbox, schedules, incidents, audit, cursor', async () => {
    const status = await cli('status');
    expect(status.out).toMatch(/^TENANT +HEALTH/);
    expect(status.out).toContain('hraun');
    expect(status.err).toBe('');
    const page = (await json('documents', '--state', 'acknowledged', '-n', '1')) as {
      items: { guid: string }[];
    };
    const { guid } = page.items[0]!;
    const told = await cli('explain', guid, '--source', '--audit');
    expect(told.out).toContain('ACKNOWLEDGED  It is in the books');
    expect(told.out).toContain('At the source now: Posted');
    expect(told.out).toMatch(/Journal \S+, dated \d{4}-/);
    expect((await cli('problems')).code).toBe(EXIT.ok);
    expect((await cli('inbox')).out).toBe('Nothing is missing.\n');
    expect((await cli('incidents')).out).toBe('No incident is open.\n');
    expect((await cli('schedules')).out).toContain('*/5 * * * *');
    expect((await cli('audit', '-n', '3')).out).toContain('More: --after');
    expect((await cli('audit', 'verify')).out).toMatch(/whole\.\n$/);
    expect((await cli('cursor', 'hraun')).out).toMatch(/invoice/);
  });

  test('waits for a sweep and says what it found, tells a document’s life in order, and where its page is', async () => {
    const swept = await cli('sweep', 'hraun', '--wait');
    expect(swept).toMatchObject({ code: EXIT.ok, err: '' });
    expect(swept.out).toMatch(/^invoices: \d+ listed, \d+ new\ncosts: \d+ listed, \d+ new\n$/);
    const [document] = (await bed.bridge.operations.documents({ states: ['acknowledged'], limit: 1 })).items;
    const { guid = '', postingId = '' } = document ?? {};
    const log = join(bed.directory, 'bridge.log');
    await writeFile(
      log,
      `no json\n${JSON.stringify({ time: '2001-01-01T00:00:00Z', level: 'info', msg: 'long ago', guid })}\n`,
    );
    const lines = (await cli('logs', guid, '-f', 'bridge.log')).out.trim().split('\n');
    expect(lines[0]).toMatch(/^2001-01-01 .*log\.info +long ago$/);
    const times = lines.map((line) => line.slice(0, 24));
    expect(times.toSorted()).toEqual(times);
    // Several of them happen in the same moment.
    const life = ['posting.intent', 'posting.posted', 'posting.acknowledged'];
    expect(lines.flatMap((line) => line.split(/ +/)[2] ?? []).filter((what) => life.includes(what))).toEqual(
      life,
    );
    expect(lines.join('\n')).toMatch(/attempt\.main[^]*write-back\.acknowledged/);
    expect((await cli('logs', guid, '-f', 'nowhere.log')).err).toContain(
      'nowhere.log cannot be read (ENOENT)',
    );
    expect((await cli('open', guid)).out).toBe(`http://127.0.0.1:8420/documents/${postingId}\n`);
  });

  test('watches documents until it is told to stop, and shows a move once', async () => {
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 2_500);
    const watched = await run(['documents', '--watch', '--json', '-n', '3'], {
      ...world,
      signal: stop.signal,
    });
    const rows = watched.out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { guid: string });
    expect(new Set(rows.map(({ guid }) => guid)).size).toBe(rows.length);
    expect(rows.length).toBe(3);
  });

  test('offers names of tenants, states and causes to the shell', async () => {
    expect((await cli('completion', 'tenants')).out).toBe('hraun\n');
    expect((await cli('completion', 'states')).out).toContain('parked\n');
    expect((await cli('completion', 'causes')).code).toBe(EXIT.ok);
  });

  test('what only would be done does not sound done, and a short reason is called short', async () => {
    const dry = await cli('cursor', 'hraun', 'cost', '2026-01-01', '--dry-run');
    expect(dry.out).toMatch(
      /^Nothing was changed\. It looks from .* on; it would look from 2026-01-01 on\.\n$/,
    );
    const short = await cli('pause', 'hraun', '-r', 'x', '--yes');
    expect(short.err).toContain('Say why, in 3 to 500 characters');
    expect(short.err).not.toContain('Give both');
  });

  test('a document that does not exist ends with its own exit code and what to do', async () => {
    const said = await cli('explain', 'nothing');
    expect(said.code).toBe(EXIT.unavailable);
    expect(said.err).toContain('DOCUMENT_NOT_FOUND: Search for it with `ledgerbridge documents`.');
  });

  test.each([
    'problems',
    'inbox',
    'incidents',
    'audit',
    'documents',
    'explain 1',
    'replay --state held --dry-run',
  ])(
    '`%s` of a tenant that does not exist is no good news: it says so, and which one may be meant',
    async (command) => {
      const said = await cli(...command.split(' '), '-t', 'hruan');
      expect(said).toMatchObject({ code: EXIT.unavailable, out: '' });
      expect(said.err).toContain('There is no tenant "hruan". Did you mean "hraun"?');
    },
  );

  test('an ERP that is down is a problem, though no document rests for a reason; to hurry is to try it at once', async () => {
    const { prisma } = bed.database;
    const side = { tenantName: 'hraun', side: 'erp' };
    const down = { state: 'open', failures: 9, reason: 'ECONNREFUSED', since: new Date() };
    const openUntil = new Date(Date.now() + 600_000);
    await prisma.breaker.upsert({
      where: { tenantName_side: side },
      create: { ...side, ...down, openUntil },
      update: { ...down, openUntil },
    });
    const said = await cli('problems');
    const guid = bed.sandbox.control.issueInvoice('hraun', { unitPrice: '100' });
    await cli('sweep', 'hraun');
    await found(guid);
    expect((await cli('replay', guid, '-y', '-r', 'the ERP is back')).out).toContain('1 document set going');
    await bed.settled();
    expect(bed.sandbox.control.invoice('hraun', guid).accounting_status).toBe('Posted');
    expect(said.code).toBe(EXIT.problems);
    expect(said.out).toContain('CONNECTION_DOWN:hraun/erp');
    expect((await cli('problems')).out).toBe('Nothing is held up.\n');
  });

  test('nothing changes without a reason, without a yes, or on a dry run', async () => {
    expect((await cli('pause', 'hraun', '--yes')).code).toBe(EXIT.usage);
    expect((await cli('pause', 'hraun', '-r', 'month end')).code).toBe(EXIT.declined);
    expect((await cli('pause', 'hraun', '-r', 'month end', '--dry-run')).out).toContain(
      'Nothing more is posted',
    );
    expect((await bed.bridge.tenants.state('hraun'))!.paused).toBe(false);
  });

  test('pauses, holds, releases, replays, marks, reverses and reposts', async () => {
    const why = ['-r', 'through the command line', '--yes'];
    expect((await cli('pause', 'hraun', ...why)).code).toBe(EXIT.ok);
    const guid = bed.sandbox.control.issueInvoice('hraun', { unitPrice: '3300' });
    expect((await cli('sweep', 'hraun', '--full')).code).toBe(EXIT.ok);
    await found(guid);
    expect((await cli('hold', guid, ...why)).out).toBe('Done: 1 document.\n');
    expect((await cli('hold', guid, ...why)).code).toBe(EXIT.failed);
    expect((await cli('replay', guid, '--dry-run')).out).toContain('(instead: release)');
    expect((await cli('release', guid, ...why)).code).toBe(EXIT.ok);
    const refused = await cli('mark-posted', guid, 'no-such-entry', ...why);
    expect(refused.err).toContain('ERP_REFERENCE_UNKNOWN');
    expect((await cli('skip', guid, '--local', ...why)).code).toBe(EXIT.ok);
    expect((await cli('resume', 'hraun', ...why)).code).toBe(EXIT.ok);
    expect((await cli('replay', guid, ...why)).out).toContain('1 document set going');
    await bed.settled();
    expect(bed.sandbox.control.invoice('hraun', guid).accounting_status).toBe('Posted');
    expect((await cli('reverse', guid, '--dry-run', '-r', 'look first')).out).toContain(
      'A reversing entry dated',
    );
    expect((await cli('reverse', guid, ...why)).out).toContain('was reversed by');
    expect((await cli('repost', guid, ...why)).code).toBe(EXIT.ok);
    await bed.settled();
    expect((await json('explain', guid)) as object).toMatchObject({
      document: { state: 'acknowledged', generation: 1 },
    });
    expect((await cli('move-to-new', guid, ...why)).code).toBe(EXIT.failed);
    expect((await cli('replay', '--list')).out).toContain('done');
    const acts = (await json('audit', '--actor', 'sigga', '-n', '100')) as {
      items: { reason: string | null }[];
    };
    expect(acts.items.length).toBeGreaterThan(8);
    expect(acts.items.every(({ reason }) => reason !== null)).toBe(true);
  });

  test('a dry run is refused in the words in which the act is', async () => {
    const [document] = (await bed.bridge.operations.documents({ states: ['acknowledged'], limit: 1 })).items;
    const guid = document?.guid ?? '';
    const why = ['-r', 'through the command line', '--yes'];
    for (const act of ['hold', 'release', 'skip', 'move-to-new']) {
      const dry = (await cli(act, guid, '--dry-run')).out;
      const done = (await cli(act, guid, ...why)).out;
      expect(dry, act).toMatch(/^Possible: 0 documents\.\n {2}/);
      expect(dry.split('\n')[1], act).toBe(done.split('\n')[1]);
    }
    const dry = await cli('repost', guid, '--dry-run');
    expect(dry.code).toBe(EXIT.failed);
    expect(dry.err).toBe((await cli('repost', guid, ...why)).err);
  });

  test('plans, reconciles, exports and makes tokens', async () => {
    expect((await cli('plan', 'hraun')).out).toContain('0 documents of 0 waiting');
    expect((await cli('reconcile', 'hraun', '--from', '2020-01-01', '--to', '2030-12-31')).out).toContain(
      'Clean.',
    );
    const csv = await cli('export', 'journals', 'hraun', '--from', '2020-01-01', '--to', '2030-12-31');
    expect(csv.out.split('\r\n')[0]).toMatch(/^key,entry/);
    const made = await cli('token', 'create', 'monitoring');
    expect(made.out).toMatch(/^lbt_/);
    expect((await cli('token', 'list')).out).toContain('monitoring');
    expect((await cli('token', 'list')).out).not.toContain(made.out.trim());
  });

  test('a user is made with a password of their own when standard input has none', async () => {
    const made = await cli('user', 'create', 'anna');
    expect(made).toMatchObject({ code: EXIT.ok, err: '' });
    expect(made.out).toMatch(/anna can sign in as viewer\.\nPassword \(shown once\): \S{20}\n/);
  });

  test('replays all causes of a code, or one of them, and refuses by the name that was typed', async () => {
    const types = ['990001', '990002'];
    for (const type of types) {
      const guid = bed.sandbox.control.createCost('hraun', { amount: 1_240, description: 'Óþekkt' });
      bed.sandbox.control.editCost('hraun', guid, { cost_code: type });
      bed.sandbox.control.approveCost('hraun', guid);
    }
    await bed.bridge.tenants.requestSweep('hraun');
    await bed.settled();
    const causes = (await json('problems')) as { id: string; code: string }[];
    const ours = causes.filter(({ id }) => types.some((type) => id.includes(type)));
    expect(ours).toHaveLength(2);
    const { code, id } = ours[0]!;
    const would = async (cause: string) =>
      ((await json('replay', '--cause', cause, '--dry-run')) as { items: unknown[] }).items.length;
    expect(await would(code)).toBe(2);
    expect(await would(id)).toBe(1);
    const unknown = await cli('replay', '--cause', 'NOPE', '--dry-run');
    expect(unknown.code).toBe(EXIT.usage);
    expect(unknown.err).toContain('"NOPE"');
    expect(unknown.err).toContain(id);
    const refused = await cli('replay', 'SR-ekkert', '-r', 'a name that nobody has', '--yes');
    expect(refused.code).not.toBe(EXIT.ok);
    expect(refused.err).toContain('SR-ekkert');
  });

  test('says what to start when no bridge runs', async () => {
    await bed.restart();
    await bed.bridge.close();
    await bed.database.prisma.lease.deleteMany({ where: { name: 'dispatch' } });
    const said = await cli('status');
    expect(said.out).toContain('hraun');
    expect(said.err).toContain('ledgerbridge serve');
  });
});
