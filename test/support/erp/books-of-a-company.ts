// The books of a generated company, as tests give them to ERPs: booked, read back, and added up by account.
import { join } from 'node:path';
import { expect } from 'vitest';
import { type Decimal, ZERO } from '../../../src/domain/money.js';
import type { Journal } from '../../../src/domain/journal.js';
import { compareEntry } from '../../../src/erp/compare-entry.js';
import type { ErpAdapter } from '../../../src/erp/erp-adapter.js';
import { fileAdapter } from '../../../src/erp/file/index.js';
import { ruleClasses } from '../../../src/pipeline/mapping/rules.js';
import { erpServices } from './erp-services.js';
import { type Year, YEAR_RULES, yearOfACompany } from './year-of-a-company.js';

/** Entries that every ERP is given; `JUDGED_ENTRIES=3000` has them judge the whole year, which takes Tryton up to an hour. */
export const ENTRIES = Number(process.env['JUDGED_ENTRIES'] ?? 178);
export const SLOW_MS = Math.max(900_000, ENTRIES * 2500);

export interface Booked {
  readonly key: string;
  readonly journal: Journal;
}

export async function postAll(erp: ErpAdapter, documents: readonly Booked[], atOnce: number): Promise<void> {
  const waiting = [...documents];
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        const outcome = await erp.prepare(next);
        if (outcome.outcome !== 'prepared') throw new Error(JSON.stringify(outcome));
        const posted = await erp.post(outcome.prepared);
        // What people finish waits, be it all or what they approve.
        const good = erp.capabilities.finality === 'draft' ? ['draft', 'posted'] : ['posted'];
        if (!good.includes(posted.outcome)) throw new Error(JSON.stringify(posted));
      }
    }),
  );
}

/** As many documents as come to so many entries: some have a settlement and payments. */
export function someOfTheYear() {
  for (let each = Math.ceil(ENTRIES / 4); ; each += Math.ceil(ENTRIES / 20)) {
    const year = yearOfACompany(each);
    if (year.journals.length >= ENTRIES || each > ENTRIES) return year;
  }
}

type KindsOf = (journal: Journal) => readonly string[];

/** What an ERP may treat in another way than it treats others: of each line its role with side, VAT code and dimensions. */
function kindsIn({ currency, party, appliesTo, lines }: Journal): string[] {
  const document = [party?.kind, currency === 'ISK'];
  const ofLines = lines.flatMap(({ role, vatCode, dimensions = {}, debit, account }) => [
    [role, debit.isZero(), account < '2'],
    [role, vatCode],
    [role, Object.keys(dimensions)],
  ]);
  return [['credits', appliesTo !== undefined], ...ofLines].map((kind) => JSON.stringify([document, kind]));
}

/** How often something happened to its payment counts too. */
function kindsOf(document: readonly Journal[], more: KindsOf): string[] {
  const story = [document[0]?.party?.kind, document[0]?.currency === 'ISK', document.length];
  return [JSON.stringify(story), ...document.flatMap((journal) => [...kindsIn(journal), ...more(journal)])];
}

/**
 * ERPs take their time: every kind is booked at least once, by the fewest documents that a simple search finds, each with all that was
 * paid of it. `FULL=1` books all of them.
 */
export function everyKindOf(year: Year, more: KindsOf = () => []): Pick<Year, 'journals' | 'debts'> {
  if (process.env['FULL'] === '1' || process.env['JUDGED_ENTRIES'] !== undefined) return year;
  const documents = new Map<string, Journal[]>();
  for (const journal of year.journals)
    documents.set(journal.externalReference, [...(documents.get(journal.externalReference) ?? []), journal]);
  const waiting = new Set([...documents.values()].flatMap((journals) => kindsOf(journals, more)));
  const taken = new Set<string>();
  while (waiting.size > 0) {
    const newIn = (journals: readonly Journal[]) =>
      new Set(kindsOf(journals, more).filter((kind) => waiting.has(kind))).size / journals.length;
    const [reference, journals] = [...documents].reduce((best, other) =>
      newIn(other[1]) > newIn(best[1]) ? other : best,
    );
    taken.add(reference);
    for (const kind of kindsOf(journals, more)) waiting.delete(kind);
  }
  return {
    journals: year.journals.filter(({ externalReference }) => taken.has(externalReference)),
    debts: year.debts.filter(({ reference }) => taken.has(reference)),
  };
}

/** Files that hledger, ledger and beancount read. */
export async function bookedAsFiles(directory: string, documents: readonly Booked[]): Promise<string> {
  const configuration = fileAdapter.configuration.parse({ formats: ['journal', 'beancount', 'csv'] });
  const services = { ...erpServices({}, directory), accountClasses: ruleClasses(YEAR_RULES) };
  const files = fileAdapter.create(configuration, services);
  await postAll(files, documents, 16);
  await files.close();
  return join(directory, 'books');
}

/** Every entry of the year, each compared with what was sent, and what they come to by account. */
export async function balancesOf(
  erp: ErpAdapter,
  documents: readonly Booked[],
): Promise<Map<string, Decimal>> {
  const wanted = new Map(documents.map(({ key, journal }) => [key, journal]));
  const totals = new Map<string, Decimal>();
  for await (const entry of erp.entries({ from: '2026-01-01', to: '2026-12-31' })) {
    const journal = wanted.get(entry.key);
    expect(journal && compareEntry(journal, entry, erp.capabilities)).toEqual([]);
    wanted.delete(entry.key);
    for (const { account, debit, credit } of entry.lines)
      totals.set(account, (totals.get(account) ?? ZERO).plus(debit).minus(credit));
  }
  expect([...wanted.keys()]).toEqual([]);
  return new Map([...totals].filter(([, total]) => !total.isZero()));
}

export function shown(balances: ReadonlyMap<string, Decimal>): Record<string, string> {
  return Object.fromEntries([...balances].sort().map(([account, balance]) => [account, balance.toFixed(2)]));
}
