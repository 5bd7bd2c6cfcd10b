// People in documents: a dry run says exactly what a run does; afterwards nobody finds them anywhere, and the books are as they were.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createPrivacy, type PrivacyRecords } from '../../../src/operations/privacy/privacy.js';
import { createPrivacyStore } from '../../../src/store/privacy/privacy-store.js';
import { verifyAudit } from '../../../src/store/audit.js';
import { brokenPromises } from '../../support/http-erp.js';
import { run } from '../../unit/cli/run-cli.js';
import { BJARNI, DAGUR, type Person, type PrivacyBed, privacyBed, SIGGA } from './privacy-bed.js';

interface Counts {
  readonly documents: number;
  readonly requests: number;
  readonly originals: number;
  readonly incidents: number;
}

describe('people in documents', () => {
  let made: PrivacyBed;
  let sigga: readonly string[];
  let dagur: readonly string[];
  let bjarni: readonly string[];
  const TODAY = new Date().toISOString().slice(0, 10);

  const privacy = async (...argv: string[]) => run(['privacy', ...argv], made.world);
  const json = async (...argv: string[]) => {
    const { out, err } = await privacy(...argv, '--json');
    if (out === '') throw new Error(err);
    return JSON.parse(out) as Counts & { would: (Counts & Record<string, number>)[]; files: number };
  };
  const counts = ({ documents, requests, originals, incidents }: Counts): Counts => ({
    ...{ documents, requests, originals, incidents },
  });
  const erase = (person: Person, ...more: string[]) =>
    json('erase', '--kennitala', person.kennitala, '--uncertified', ...more);
  const live = () => made.bed.database.prisma;
  const postingOf = (guid: string) => live().posting.findFirstOrThrow({ where: { document: { guid } } });

  beforeAll(async () => {
    made = await privacyBed();
    sigga = await made.sell(SIGGA, ['2016-02-01', '2016-07-08', '2017-12-30']);
    bjarni = await made.sell(BJARNI, ['2016-03-01', '2017-04-01', TODAY]);
    dagur = await made.sell(DAGUR, ['2016-05-05', '2016-06-06']);
    // One is deleted at the source, and of the other somebody should know something.
    await live().posting.update({
      where: { id: (await postingOf(dagur[0]!)).id },
      data: { state: 'orphaned' },
    });
    const at = new Date();
    await live().incident.create({
      data: {
        ...{
          id: dagur[1]!,
          tenantName: 'hraun',
          postingId: (await postingOf(dagur[1]!)).id,
          code: 'POSTED_REOPENED',
        },
        ...{
          fingerprint: dagur[1]!,
          severity: 'critical',
          title: DAGUR.name,
          details: '',
          nextStep: '',
          state: 'open',
        },
        ...{ firstSeenAt: at, lastSeenAt: at },
      },
    });
  });
  afterAll(() => made.close());

  test('are found by their kennitala, with or without a dash, in every place', async () => {
    const { out } = await privacy('report', '--kennitala', '120130-3389', '--json');
    const found = JSON.parse(out) as { documents: unknown; places: { place: string; rows: number }[] };
    expect(found.documents).toEqual([
      { tenant: 'hraun', documents: 3, first: '2016-02-01', last: '2017-12-30' },
    ]);
    const places = new Map(found.places.map(({ place, rows }) => [place, rows]));
    expect(Object.fromEntries(places)).toMatchObject({ document: 3, posting: 3, attempt: 3 });
    expect((await privacy('report', '--kennitala', '0101012229')).out).toContain('Nothing on record');
  });

  test('stay for seven years after the end of the year, unless somebody says otherwise in words', async () => {
    const refused = await privacy('prune', '--years', '3', '-r', 'too soon', '--yes');
    expect([refused.code, refused.err]).toEqual([2, expect.stringContaining('--shorter-than-the-law')]);
    const { would } = await json(
      'prune',
      '--years',
      '0',
      '--shorter-than-the-law',
      '--uncertified',
      '--dry-run',
    );
    expect(would[0]).toMatchObject({ years: 0, documents: 5 });
  });

  test('stay while no green certificate covers their day', async () => {
    const { would } = await json('prune', '--dry-run');
    expect(would[0]).toMatchObject({ documents: 0, uncertified: 5, unsettled: 2 });
  });

  test('are not named in the reason, since the audit keeps it', async () => {
    const said = await privacy('erase', '--kennitala', SIGGA.kennitala, '-r', 'for 120130-3389', '--yes');
    expect([said.code, said.err]).toEqual([2, expect.stringContaining('without the kennitala')]);
  });

  test('who are erased are in no table and no file any more, and the dry run had said exactly what goes', async () => {
    expect(await made.tracesOf(SIGGA)).not.toEqual([]);
    const before = await made.rowsOf(sigga);
    const { would } = await erase(SIGGA, '--dry-run');
    expect(await made.rowsOf(sigga)).toEqual(before);
    expect(would[0]).toMatchObject({ documents: 3, requests: 3, originals: 3, withinPeriod: 0 });
    const postings = await Promise.all(sigga.map(postingOf));
    const done = await erase(SIGGA, '-r', 'asked to be forgotten', '--yes');
    expect(counts(done)).toEqual(counts(would[0]!));
    expect(done.files).toBe(3);
    expect(await made.tracesOf(SIGGA)).toEqual([]);
    for (const before of postings) {
      const after = await live().posting.findUniqueOrThrow({ where: { id: before.id } });
      const { journal, settlement: _settlement, trace, reasonParams: _params, ...kept } = after;
      expect(before).toMatchObject(kept);
      expect(trace).toBeNull();
      expect(amounts(journal)).toEqual(amounts(before.journal));
    }
    const audited = await live().auditEntry.findMany({ where: { action: 'document.contents-removed' } });
    expect(audited.map(({ subject }) => subject).sort()).toEqual(postings.map(({ id }) => id).sort());
    expect(audited[0]).toMatchObject({ actor: 'gudrun', reason: 'asked to be forgotten' });
    expect((await erase(SIGGA, '-r', 'once more', '--yes')).documents).toBe(0);
  });

  test('who bought lately stay in what the law asks to keep, and the command says so', async () => {
    const [, , recent] = bjarni;
    const before = await made.rowsOf([recent!]);
    const { out } = await privacy('erase', '--kennitala', BJARNI.kennitala, '--uncertified', '--dry-run');
    expect(out).toContain('hraun: 2 documents');
    expect(out).toMatch(/1 stay: the law asks to keep them/);
    await erase(BJARNI, '-r', 'asked to be forgotten', '--yes');
    expect(await made.rowsOf([recent!])).toEqual(before);
  });

  test('stay in what is not finished', async () => {
    const before = await made.rowsOf(dagur);
    const { would } = await erase(DAGUR, '--dry-run');
    expect(would[0]).toMatchObject({ documents: 0, unsettled: 2 });
    expect((await erase(DAGUR, '-r', 'asked to be forgotten', '--yes')).documents).toBe(0);
    expect(await made.rowsOf(dagur)).toEqual(before);
  });

  test('go once when two runs are at it, and one that is stopped is finished by the next', async () => {
    const person: Person = { name: 'Ólöf Ríkarðsdóttir', kennitala: '3107552389' };
    const guids = await made.sell(
      person,
      Array.from({ length: 9 }, (_each, day) => `2015-01-0${String(day + 1)}`),
    );
    const wish = { tenant: 'hraun', shorter: false, alsoUncertified: true };
    const act = { actor: 'gudrun', reason: 'yearly' };
    const stopped = new AbortController();
    const first = await byOne(made).removeContents(wish, act, {
      signal: stopped.signal,
      onProgress: (documents) => void (documents === 4 && stopped.abort()),
    });
    expect(first).toMatchObject({ documents: 4, finished: false });
    expect(await made.tracesOf(person)).not.toEqual([]);
    const { would } = await json('prune', '--uncertified', '--dry-run');
    expect(would[0]!.documents).toBe(5);
    const both = await Promise.all([1, 2].map(() => byOne(made).removeContents(wish, act)));
    expect(both[0]!.documents + both[1]!.documents).toBe(5);
    expect(both[0]!.originals + both[1]!.originals).toBe(would[0]!.originals);
    expect(await made.tracesOf(person)).toEqual([]);
    const ids = (await Promise.all(guids.map(postingOf))).map(({ id }) => id);
    const where = { action: 'document.contents-removed', subject: { in: ids } };
    expect(await live().auditEntry.count({ where })).toBe(9);
  });

  test('are not there again after a sweep of everything, which posts nothing twice', async () => {
    const { bed, erp } = made;
    const entries = erp.ledger.control.counts();
    await bed.bridge.operations.sweep('hraun', { actor: 'gudrun', reason: 'everything' }, { full: true });
    await bed.settled();
    expect(erp.ledger.control.counts()).toEqual(entries);
    expect(await made.tracesOf(SIGGA)).toEqual([]);
    const report = await bed.bridge.operations.reconcile('hraun', { from: '2015-01-01', to: '2017-12-31' });
    expect(report.differences).toEqual([]);
    expect((await verifyAudit(made.bed.database.db)).breaks).toEqual([]);
    // The one that was set aside by hand is put back.
    await live().$transaction(async (tx) => {
      await tx.$executeRaw`SET LOCAL session_replication_role = replica`;
      await tx.posting.updateMany({ where: { state: 'orphaned' }, data: { state: 'acknowledged' } });
    });
    expect(await brokenPromises(bed, erp.ledger)).toEqual([]);
  });
});

interface Line {
  readonly account: string;
  readonly debit: string;
  readonly credit: string;
}

function amounts(journal: string | null): unknown {
  const { documentNo, postingDate, lines } = JSON.parse(journal ?? '{}') as Record<string, unknown>;
  const shown = (lines as Line[]).map(({ account, debit, credit }) => ({ account, debit, credit }));
  return { documentNo, postingDate, lines: shown };
}

/** A document a batch, so that there is a middle to stop in. */
function byOne({ bed }: PrivacyBed) {
  const store = createPrivacyStore(bed.database.db);
  const records: PrivacyRecords = {
    ...store,
    removeContents: (wish, act) => store.removeContents(wish, act, 1),
  };
  const expiry = { finish: () => Promise.resolve(0) };
  return createPrivacy({
    ...{ records, expiry, connections: bed.bridge.connections },
    clock: { now: () => new Date() },
  });
}
