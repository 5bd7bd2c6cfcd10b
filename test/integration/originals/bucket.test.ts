// Originals in a bucket with a whole bridge, and at the end of their time: every command works on a bucket as on a directory; what is
// older than the law asks leaves the store when a person says so, and nothing else ever does.
import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { DoctorFinding } from '../../../src/cli/doctor/finding.js';
import { EXIT } from '../../../src/cli/exit-codes.js';
import { openVault } from '../../../src/bridge/open-vault.js';
import { createOriginalsExpiry } from '../../../src/operations/originals-expiry.js';
import { createFollowedIncidents } from '../../../src/store/incidents.js';
import { createExpiryStore } from '../../../src/store/operations/originals-reader.js';
import { createLook } from '../../../src/worker/watchman.js';
import type { Bed } from '../../support/bridge-bed.js';
import { S3_BUCKET, type S3Server } from '../../support/s3-server.js';
import { run, type World } from '../../unit/cli/run-cli.js';
import { type BucketBed, bucketBed, OLD_DAY } from './bucket-bed.js';

const WITHIN = { timeout: 20_000, interval: 100 };

describe('a bucket of originals', () => {
  let bed: Bed;
  let made: BucketBed;
  let bucket: S3Server;
  let world: World;

  const json = async (argv: readonly string[]): Promise<Record<string, unknown> & { code: number }> => {
    const { out, err, code } = await run([...argv, '--json'], world);
    if (out === '') throw new Error(err);
    return { ...(JSON.parse(out) as Record<string, unknown>), code };
  };
  const expire = (...more: string[]) => run(['originals', 'expire', '-t', 'hraun', ...more], world);
  /** The PDF of the invoice that was issued before most people knew what an e-invoice is. */
  const oldPdf = () =>
    bed.database.prisma.original.findFirstOrThrow({
      where: { role: 'pdf', posting: { document: { issueDate: OLD_DAY } } },
    });

  /** One more original of the same document, in this state, until the test is done with it: then there is none after all. */
  const another = async (like: Awaited<ReturnType<typeof oldPdf>>, state: string) => {
    const { prisma } = bed.database;
    const { postingId, generation } = like;
    const where = { postingId_generation_role: { postingId, generation, role: 'ubl' } };
    const made = { ...like, role: 'ubl', state, expiredAt: null };
    const { id: _id, ...update } = made;
    await prisma.original.upsert({ where, create: { ...made, id: randomUUID() }, update });
    return () => prisma.original.update({ where, data: { state: 'absent', sha256: null } });
  };

  beforeAll(async () => {
    made = await bucketBed();
    ({ bed, bucket, world } = made);
  });
  afterAll(async () => {
    await made.close();
  });

  test('is verified by the command: whole, changed and missing, each with its documents', async () => {
    const whole = await json(['originals', 'verify']);
    expect(whole).toMatchObject({ code: 0, whole: true, files: bucket.objects.size });
    const [[one, bytes], [other, others]] = [...bucket.objects] as [[string, Buffer], [string, Buffer]];
    bucket.objects.set(one, Buffer.from('rot'));
    bucket.objects.delete(other);
    const bad = await run(['originals', 'verify'], world);
    expect(bad.code).toBe(3);
    expect(bad.out).toMatch(new RegExp(`^changed  ${one.slice(-64)}  hraun (invoice|cost)`, 'm'));
    expect(bad.out).toMatch(new RegExp(`^missing  ${other.slice(-64)}  hraun (invoice|cost)`, 'm'));
    bucket.objects.set(one, bytes).set(other, others);
  });

  test('that does not answer is no bucket of missing files', async () => {
    bucket.failure = { status: 503, code: 'SlowDown' };
    const asked = await run(['originals', 'verify'], world);
    bucket.failure = null;
    expect(asked.code).toBe(EXIT.unavailable);
    expect(asked.err).toContain('ORIGINALS_STORE_UNAVAILABLE');
    expect(asked.out).not.toContain('missing');
  });

  test('that takes nothing makes originals wait and everybody hear of it, and no posting waits', async () => {
    const { prisma, db } = bed.database;
    const doctor = async () => {
      const { findings } = await json(['doctor']);
      return (findings as DoctorFinding[]).filter(({ area }) => area === 'originals');
    };
    expect(await doctor()).toMatchObject([{ severity: 'ok' }]);
    const files = bucket.objects.size;
    bucket.failure = { status: 507, code: 'InsufficientStorage' };
    expect(await doctor()).toMatchObject([
      { severity: 'error', message: expect.stringContaining('507 to PUT') as string },
    ]);
    bed.sandbox.control.issueInvoice('hraun', {} as never);
    await bed.bridge.tenants.requestSweep('hraun');
    const waits = { where: { reason: 'STORE_AWAY' } };
    await vi.waitFor(async () => expect(await prisma.original.count(waits)).toBe(1), WITHIN);
    await bed.settled();
    expect(await bed.states()).toEqual({ acknowledged: 7 });
    const { out, code } = await run(['status', '--check'], world);
    expect([code, out]).toEqual([3, expect.stringContaining('The store of originals cannot be')]);
    // As the watchman does every 15 seconds.
    const look = createLook({
      incidents: createFollowedIncidents(db),
      overview: () => bed.bridge.operations.overview(),
      brokenFiles: () => [],
    } as never);
    await look();
    const incident = { where: { code: 'ORIGINALS_STORE_AWAY' } };
    expect(await prisma.incident.findMany(incident)).toMatchObject([
      { state: 'open', severity: 'critical', tenantName: null },
    ]);
    bucket.failure = null;
    await prisma.original.updateMany({ ...waits, data: { dueAt: new Date() } });
    await made.carried(5);
    await look();
    expect(await prisma.incident.findMany(incident)).toMatchObject([{ state: 'resolved' }]);
    expect(bucket.objects.size).toBe(files + 1);
  });

  test('is packed into the archive of an auditor', async () => {
    const packed = await json(['archive', 'hraun', '2017', '-o', 'gamalt.zip', '-r', 'for the auditor']);
    expect(packed).toMatchObject({ code: 0, verdict: 'green', originals: 1, missing: [] });
    const names = execFileSync('python3', ['-m', 'zipfile', '-l', join(bed.directory, 'gamalt.zip')], {
      encoding: 'utf8',
    });
    expect(names).toContain(`originals/${(await oldPdf()).sha256!}.pdf`);
  });

  describe('what is older than the law asks', () => {
    test('is shown first, and nobody is asked by a dry run', async () => {
      const before = `${String(new Date().getUTCFullYear() - 7)}-01-01`;
      const shown = await expire('--dry-run');
      expect(shown.out).toContain(`hraun: 1 originals from before ${before} (7 years)`);
      const declined = await expire('-r', 'yearly');
      expect(declined.code).toBe(EXIT.declined);
      expect(bucket.objects.has(`/${S3_BUCKET}/prufa/${placed((await oldPdf()).sha256!)}`)).toBe(true);
    });

    test('is never younger than the law allows, unless somebody says so in words', async () => {
      const refused = await expire('--years', '3', '-r', 'too soon', '--yes');
      expect(refused.code).toBe(2);
      expect(refused.err).toContain('originals are kept for 7 years; 3 is fewer');
      const shown = await expire('--years', '0', '--shorter-than-the-law', '--uncertified', '--dry-run');
      expect(shown.out).toMatch(/hraun: [1-9]\d* originals from before \d{4}-01-01 \(0 years\)/);
    });

    test('stays while it is in doubt, on its way, with a person, or its document is', async () => {
      for (const state of ['fetched', 'attaching', 'unknown', 'parked']) {
        const remove = await another(await oldPdf(), state);
        const { out } = await expire('--dry-run');
        expect(out, state).toContain('hraun: 1 originals');
        expect(out, state).toContain('1 stay: they or their documents are not settled');
        await remove();
      }
    });

    test('stays while its certificate is missing, red, or older than a change', async () => {
      const { prisma } = bed.database;
      const { postingId } = await oldPdf();
      const { stateSince } = await prisma.posting.findUniqueOrThrow({ where: { id: postingId } });
      await prisma.posting.update({ where: { id: postingId }, data: { stateSince: new Date() } });
      const { out } = await expire('--dry-run');
      expect(out).toContain('hraun: 0 originals');
      expect(out).toContain('1 stay: no green certificate covers their day as it is now');
      await prisma.posting.update({ where: { id: postingId }, data: { stateSince } });
      expect((await expire('--dry-run')).out).toContain('hraun: 1 originals');
    });

    test('stays in the store while anything younger is the same file', async () => {
      const { prisma } = bed.database;
      const old = await oldPdf();
      const young = await prisma.original.findFirstOrThrow({
        where: { role: 'pdf', id: { not: old.id } },
      });
      const remove = await another({ ...young, sha256: old.sha256 }, 'kept');
      const done = JSON.parse((await expire('-r', 'yearly', '--yes', '--json')).out) as object;
      expect(done).toMatchObject({ originals: 1, files: 0 });
      expect(bucket.objects.has(`/${S3_BUCKET}/prufa/${placed(old.sha256!)}`)).toBe(true);
      await remove();
    });

    test('is put back when the same file comes in the moment in which it is removed', async () => {
      const { prisma, db } = bed.database;
      const old = await oldPdf();
      const vault = openVault(bed.settings);
      const records = createExpiryStore(db);
      const expiry = createOriginalsExpiry({
        vault,
        records: {
          ...records,
          isNeeded: async (sha256) => {
            await prisma.original.updateMany({ where: { sha256 }, data: { expiredAt: null } });
            return records.isNeeded(sha256);
          },
        },
        connections: bed.bridge.connections,
        clock: { now: () => new Date() },
      });
      const request = { tenant: 'hraun', shorter: false, alsoUncertified: false };
      const done = await expiry.run(request, { actor: 'sigga', reason: 'at once' });
      expect(done.files).toBe(0);
      expect(await vault.check(old.sha256!)).toBe('whole');
      await vault.close();
    });

    test('is removed, and everybody says so: audit, list, verify, certificate, archive', async () => {
      const old = await oldPdf();
      const files = bucket.objects.size;
      const done = JSON.parse((await expire('-r', 'yearly', '--yes', '--json')).out) as object;
      expect(done).toMatchObject({ originals: 1, files: 1 });
      expect(bucket.objects.size).toBe(files - 1);
      expect(bucket.objects.has(`/${S3_BUCKET}/prufa/${placed(old.sha256!)}`)).toBe(false);
      const audited = await bed.database.prisma.auditEntry.findFirstOrThrow({
        where: { action: 'original.expired', subject: old.postingId },
        orderBy: { id: 'desc' },
      });
      expect(audited).toMatchObject({ actor: 'sigga', reason: 'yearly' });
      expect(JSON.parse(audited.details)).toMatchObject({ sha256: old.sha256, years: 7 });
      expect((await run(['originals', 'list'], world)).out).toContain('expired');
      expect(await json(['originals', 'verify'])).toMatchObject({ code: 0, files: files - 1 });
      const packed = await json(['archive', 'hraun', '2017', '-o', 'aftur.zip', '-r', 'once more']);
      expect(packed).toMatchObject({ code: 0, verdict: 'green', originals: 0, missing: [] });
      const unpacked = await mkdtemp(join(tmpdir(), 'aftur-'));
      execFileSync('python3', ['-m', 'zipfile', '-e', join(bed.directory, 'aftur.zip'), unpacked]);
      expect(await readFile(join(unpacked, 'certificate-is.txt'), 'utf8')).toContain('ekki lengur geymt');
      expect(await readFile(join(unpacked, 'originals.csv'), 'utf8')).toMatch(/,\d{4}-\d\d-\d\d\r\n/);
      await rm(unpacked, { recursive: true });
      expect((await expire('-r', 'yearly', '--yes')).out).toContain('Nothing was removed.');
    });

    test('goes on where it was stopped: decided, and not yet gone', async () => {
      const old = await oldPdf();
      const vault = openVault(bed.settings);
      await bed.database.prisma.original.update({ where: { id: old.id }, data: { removedAt: null } });
      bucket.objects.set(`/${S3_BUCKET}/prufa/${placed(old.sha256!)}`, Buffer.from('left behind'));
      const done = JSON.parse((await expire('-r', 'yearly', '--yes', '--json')).out) as object;
      expect(done).toMatchObject({ originals: 0, files: 1 });
      expect(await vault.check(old.sha256!)).toBe('missing');
      await vault.close();
    });
  });
});

function placed(sha256: string): string {
  return `${sha256.slice(0, 2)}/${sha256.slice(2, 4)}/${sha256}`;
}
