// Seeded worlds with both directions in them: what origins have goes to a service that merges nothing, and what stands there then comes
// back to be booked. A failing seed prints itself: `SEED=n npx vitest run --project simulation test/simulation/outbound.test.ts`.
import { describe, expect, test } from 'vitest';
import { worldWith } from '../../lab/proof/campaign.js';
import { SEEDED_GUARDS } from '../../lab/proof/outgoing/guards.js';
import { simulate } from '../../lab/proof/run.js';
import { eventsOf, firstBroken, kept, missingIn, only, seedsTo } from './seeds.js';

const SEEDS = seedsTo(4);
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
    events.push(...eventsOf(await kept(SEEDS, { erp: 'look-up', documents: 6, outgoing: {} })));
  });

  test('also of items, each of which stands once, as it was changed last', async () => {
    const outgoing = { records: 2, items: 12 };
    for (const run of await kept(SEEDS.slice(0, 2), { erp: 'look-up', documents: 0, outgoing })) {
      expect(run.outgoing!.books.live('item')).not.toEqual([]);
    }
  });

  test('also in the worlds of the campaign, with all kinds of records, invoices of an ERP and items beside them', async () => {
    await kept(only ? SEEDS : [...SEEDS, ...WITH_ALL], (seed) => worldWith(seed, 'out', 4));
  });

  test('also of records that share a reference: the first goes, and the second is shown and never sent', async () => {
    const outgoing = { records: 16, shared: 10 };
    sharing.push(...eventsOf(await kept(SEEDS, { erp: 'look-up', documents: 0, outgoing })));
  });

  test.skipIf(only !== undefined)('and everything happens to them that people do with such records', () => {
    const happens = {
      'one that is there a second time': /is there a second time, new/,
      'one that changes': /is there a second time, changed/,
      'one that goes in place of the first': /takes the place of the first/,
    };
    expect(missingIn(sharing, happens)).toEqual([]);
  });

  test('also of invoices that an ERP has posted, each with the files that stand beside it when it leaves', async () => {
    const outgoing = { records: 2, posted: 12 };
    papers.push(
      ...eventsOf(await kept(only ? SEEDS : WITH_PAPERS, { erp: 'look-up', documents: 0, outgoing })),
    );
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
    expect(missingIn(papers, happens)).toEqual([]);
  });

  test('also of hours that people invoice at the service, which are not billed again', async () => {
    const events: string[] = [];
    events.push(
      ...eventsOf(
        await kept(SEEDS, { erp: 'look-up', documents: 0, outgoing: { records: 30, invoiced: 4 } }),
      ),
    );
    expect(only ?? events.some((event) => event.includes('invoices task'))).toBeTruthy();
  });

  test('and when the database is restored from a backup', async () => {
    await kept(SEEDS.slice(0, 3), { erp: 'look-up', documents: 2, restored: true, outgoing: {} });
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
    expect(missingIn(events, happens)).toEqual([]);
  });
});

test('the same seed gives the same run', async () => {
  const options = { seed: 5, erp: 'look-up', documents: 4, outgoing: { records: 8 } } as const;
  const [one, two] = [await simulate(options), await simulate(options)];
  expect(two.digest).toBe(one.digest);
});

describe('a seeded world of the other direction notices when a guard is taken away', () => {
  test('the search before a second send of an item', async () => {
    const outgoing = { records: 1, items: 12, target: { searchesNothing: true } };
    const world = { erp: 'look-up', documents: 0, outgoing } as const;
    expect(await firstBroken(world, (one) => one.startsWith('21: item '))).not.toEqual([]);
  });

  test.each(SEEDED_GUARDS)('$guard', async ({ guard, without, restored = false, breaks }) => {
    const world = { erp: 'look-up', documents: 0, restored, outgoing: without } as const;
    const counts = (one: string) => breaks.includes(one.split(':')[0] ?? '');
    expect(await firstBroken(world, counts, SHOWN_BY[guard])).not.toEqual([]);
  });
});
