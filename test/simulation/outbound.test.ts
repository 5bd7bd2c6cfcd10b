// Seeded worlds with both directions in them: what origins have goes to a service that merges nothing, and what stands there then comes
// back to be booked. A failing seed prints itself: `SEED=n npx vitest run --project simulation test/simulation/outbound.test.ts`.
import { describe, expect, test } from 'vitest';
import { worldWith } from '../../lab/proof/campaign.js';
import { brokenPromises } from '../../lab/proof/invariants.js';
import { SEEDED_GUARDS } from '../../lab/proof/outgoing/guards.js';
import { EndlessRun, type RunOptions, simulate } from '../../lab/proof/run.js';
import { seedsFrom } from './seeds.js';

const only = process.env['SEED'];
const SEEDS = only
  ? [Number(only)]
  : Array.from({ length: Number(process.env['SEEDS'] ?? 4) }, (_, index) => index + 1);
/** Where it is not the first one: the seed that breaks a promise without the guard. */
const SHOWN_BY: Readonly<Record<string, number>> = {
  'the wait before the search': 2,
  'the doubt in what a proxy says': 2,
  'the doubt in a list that is short': 7,
  'an hour is billed where it was first seen': 2,
  'a person is asked where there are several': 3,
  'what is ours is known when the service lists it': 2,
  'an uploaded file is on record': 5,
  'telling that the database was restored': 2,
  'the doubt in an upload that nobody has answered': 5,
  'other bytes of a file in an ERP are another version': 63,
  'the files beside an invoice are read again before it leaves': 5,
  'an invoice of an ERP is looked at again before it leaves': 8,
};
/** Seeds in which people do everything with files that is asked for below. */
const WITH_PAPERS = [5, 7];
/** Hours change places between two weeks that wait to be billed. */
const WITH_ALL = [24];

describe('with records of origins and documents of the service in one world', () => {
  const events: string[] = [];
  const papers: string[] = [];
  const sharing: string[] = [];

  test(`every promise is kept while everything crashes, over ${String(SEEDS.length)} seeds`, async () => {
    for (const seed of SEEDS) {
      const run = await simulate({ seed, erp: 'look-up', documents: 6, outgoing: {} });
      expect(brokenPromises(run), `seed ${String(seed)}`).toEqual([]);
      events.push(...run.kernel.trace);
    }
  });

  test('also of items, each of which stands once, as it was changed last', async () => {
    for (const seed of SEEDS.slice(0, 2)) {
      const outgoing = { records: 2, items: 12 };
      const run = await simulate({ seed, erp: 'look-up', documents: 0, outgoing });
      expect(brokenPromises(run), `seed ${String(seed)}`).toEqual([]);
      expect(run.outgoing!.books.live('item')).not.toEqual([]);
    }
  });

  test('also in the worlds of the campaign, with all kinds of records, invoices of an ERP and items beside them', async () => {
    for (const seed of only ? SEEDS : [...SEEDS, ...WITH_ALL]) {
      const run = await simulate(worldWith(seed, 'out', 4));
      expect(brokenPromises(run), `seed ${String(seed)}`).toEqual([]);
    }
  });

  test('also of records that share a reference: the first goes, and the second is shown and never sent', async () => {
    for (const seed of SEEDS) {
      const outgoing = { records: 16, shared: 10 };
      const run = await simulate({ seed, erp: 'look-up', documents: 0, outgoing });
      expect(brokenPromises(run), `seed ${String(seed)}`).toEqual([]);
      sharing.push(...run.kernel.trace);
    }
  });

  test.skipIf(only !== undefined)('and everything happens to them that people do with such records', () => {
    const happens = {
      'one that is there a second time': /is there a second time, new/,
      'one that changes': /is there a second time, changed/,
      'one that goes in place of the first': /takes the place of the first/,
    };
    const missing = Object.entries(happens).filter(([, event]) => !sharing.some((one) => event.test(one)));
    expect(missing.map(([what]) => what)).toEqual([]);
  });

  test('also of invoices that an ERP has posted, each with the files that stand beside it when it leaves', async () => {
    for (const seed of only ? SEEDS : WITH_PAPERS) {
      const outgoing = { records: 2, posted: 12 };
      const run = await simulate({ seed, erp: 'look-up', documents: 0, outgoing });
      expect(brokenPromises(run), `seed ${String(seed)}`).toEqual([]);
      papers.push(...run.kernel.trace);
    }
  });

  test.skipIf(only !== undefined)('and everything happens to them that people do with files', () => {
    const happens = {
      'an upload that nobody has heard of': /\.pdf of \w+ is uploaded: (unheard|lost)/,
      'a file that is another by now': /\.pdf of INV-\d+ is another/,
      'one that was put there': /\.pdf of INV-\d+ is put there/,
      'one that was taken away': /\.pdf of INV-\d+ is taken away/,
      'an invoice that is cancelled before it leaves': /invoice INV-\d+ received → parked \(GONE_AT_ORIGIN\)/,
      'files that are taken as they are now': /invoice INV-\d+ is taken with its files as they are/,
    };
    const missing = Object.entries(happens).filter(([, event]) => !papers.some((one) => event.test(one)));
    expect(missing.map(([what]) => what)).toEqual([]);
  });

  test('also of hours that people invoice at the service, which are not billed again', async () => {
    const events: string[] = [];
    for (const seed of SEEDS) {
      const run = await simulate({
        seed,
        erp: 'look-up',
        documents: 0,
        outgoing: { records: 30, invoiced: 4 },
      });
      expect(brokenPromises(run), `seed ${String(seed)}`).toEqual([]);
      events.push(...run.kernel.trace);
    }
    expect(only ?? events.some((event) => event.includes('invoices task'))).toBeTruthy();
  });

  test('and when the database is restored from a backup', async () => {
    for (const seed of SEEDS.slice(0, 3)) {
      const run = await simulate({ seed, erp: 'look-up', documents: 2, restored: true, outgoing: {} });
      expect(brokenPromises(run), `seed ${String(seed)}`).toEqual([]);
    }
  });

  test.skipIf(only !== undefined)('everything that the promises are about happens', () => {
    const happens = {
      'an answer that is lost': /create \w+ \S+ is sent: unheard/,
      'a request that is late': /is sent: late/,
      'a proxy that answers': /is sent: proxied/,
      'a refusal': /sending → refused/,
      'a second send': /unknown → sending/,
      'one found again': /unknown → created/,
      'one in doubt that nobody can search for': /unknown → parked \(SUBMISSION_UNKNOWN\)/,
      'a replay': /\(replayed\)/,
      'a skip': /→ skipped \(skipped\)/,
      'a withdrawal': /withdrawing → withdrawn/,
      'a customer that is chosen': /parked → received \(chosen\)/,
      'a change in time': /has changed, (received|held)/,
      'a change too late': /has changed too late/,
      'a change at the service': /\(changed at the service\)/,
      'a credit note': /CREDITED_AWAITED|create invoice CR-/,
      'hours that are billed': /invoice hours 2026-02-\d\d \d+ sending → created/,
      'hours that are taken back': /hours H-\d+ received → withdrawing/,
      'an invoice that a template makes': /made by template/,
      'one skipped because its origin has booked it': /→ skipped \(skipped BOOKED_AT_ORIGIN/,
      'a process that dies while it carries': /a process dies after-/,
    };
    const missing = Object.entries(happens).filter(([, event]) => !events.some((one) => event.test(one)));
    expect(missing.map(([what]) => what)).toEqual([]);
  });
});

test('the same seed gives the same run', async () => {
  const options = { seed: 5, erp: 'look-up', documents: 4, outgoing: { records: 8 } } as const;
  const [one, two] = [await simulate(options), await simulate(options)];
  expect(two.digest).toBe(one.digest);
});

describe('a seeded world of the other direction notices when a guard is taken away', () => {
  /** A run that never ends shows that something is wrong, but not that a promise was broken: another seed tells. */
  const brokenBy = (options: RunOptions): Promise<readonly string[]> =>
    simulate(options).then(brokenPromises, (error: unknown) => {
      if (error instanceof EndlessRun) return [];
      throw error;
    });

  test('the search before a second send of an item', async () => {
    const found: string[] = [];
    for (const seed of seedsFrom()) {
      const outgoing = { records: 1, items: 12, target: { searchesNothing: true } };
      const broken = await brokenBy({ seed, erp: 'look-up', documents: 0, outgoing });
      found.push(...broken.filter((one) => one.startsWith('21: item ')));
      if (found.length > 0) break;
    }
    expect(found).not.toEqual([]);
  });

  test.each(SEEDED_GUARDS)('$guard', async ({ guard, without, restored = false, breaks }) => {
    const found: string[] = [];
    for (const seed of seedsFrom(SHOWN_BY[guard])) {
      const broken = await brokenBy({ seed, erp: 'look-up', documents: 0, restored, outgoing: without });
      found.push(...broken.filter((one) => breaks.includes(one.split(':')[0] ?? '')));
      if (found.length > 0) break;
    }
    expect(found).not.toEqual([]);
  });
});
