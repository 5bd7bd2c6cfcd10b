// What a benchmark did, judged from outside once it is over: by the service's and the ERP's own lists, never by our records.
import { Decimal, sum } from '../../src/domain/money.js';
import {
  checkDocuments,
  type Finding,
  indexEntries,
  type OutsideDocument,
  type OutsideEntry,
} from '../../src/outside/check-outside.js';
import { BENCH_LEDGER } from './bench-config.js';
import type { ServiceStarted } from './parts.js';

export interface OutsideFindings {
  readonly documents: number;
  readonly entries: number;
  readonly waiting: number;
  readonly findings: readonly Finding[];
}

const ENTRIES_A_PAGE = 5_000;
const DOCUMENTS_MAX = 5_000_000;
const FINDINGS_MAX = 100;
/** As many as are checked in a second or so: whoever waits sees how far it is. */
const DOCUMENTS_A_STEP = 10_000;

export async function checkFromOutside(
  names: readonly string[],
  service: ServiceStarted,
  erpUrl: string,
  onProgress: (checked: number) => void,
): Promise<OutsideFindings> {
  onProgress(0);
  const entries = await readEntries(erpUrl);
  const index = indexEntries(entries);
  const reports: ReturnType<typeof checkDocuments>[] = [];
  const total = (of: (report: (typeof reports)[number]) => number) =>
    reports.reduce((all, one) => all + of(one), 0);
  for (const { username, registrationNo } of service.accounts.filter((account) =>
    names.includes(account.username),
  )) {
    const ours = {
      environment: 'development',
      sourceAccount: registrationNo,
      ledger: `http:${BENCH_LEDGER.ledger}`,
      settledBefore: null,
    } as const;
    const all = await readDocuments(service.url, username);
    for (let from = 0; from < all.length; from += DOCUMENTS_A_STEP) {
      const documents = all.slice(from, from + DOCUMENTS_A_STEP);
      reports.push(checkDocuments({ ...ours, documents }, index));
      onProgress(total((report) => report.documents));
    }
  }
  return {
    documents: total(({ documents }) => documents),
    entries: entries.length,
    waiting: total(({ waiting }) => waiting),
    findings: reports.flatMap(({ findings }) => findings).slice(0, FINDINGS_MAX),
  };
}

interface ListedDocument {
  readonly guid: string;
  readonly number: string;
  readonly accountingStatus: string | null;
}

async function readDocuments(url: string, username: string): Promise<OutsideDocument[]> {
  const kinds = ['invoice', 'cost'] as const;
  const lists = await Promise.all(
    kinds.map(async (kind) => {
      const { result: listed } = await read<{ readonly result: readonly ListedDocument[] }>(
        `${url}/_control/accounts/${username}/documents?kind=${kind}&limit=${DOCUMENTS_MAX}`,
      );
      return listed.map(({ guid, number, accountingStatus }): OutsideDocument => ({
        ...{ kind, guid, number, accountingStatus: accountingStatus ?? '' },
        // What rounding and reverse charge add to the debits, the accounts tell: they are compared where the bridge reads back.
        ...{ amount: null, handedOverAt: null },
      }));
    }),
  );
  return lists.flat();
}

interface ListedEntry {
  readonly id: string;
  readonly key: string;
  readonly reversed: boolean;
  readonly lines: readonly { readonly debit: string }[];
}

async function readEntries(url: string): Promise<OutsideEntry[]> {
  const all: OutsideEntry[] = [];
  for (let offset = 0; offset < DOCUMENTS_MAX; offset += ENTRIES_A_PAGE) {
    const page = await read<{ entries: readonly ListedEntry[] }>(
      `${url}/_control/entries?offset=${offset}&limit=${ENTRIES_A_PAGE}`,
    );
    for (const { id, key, reversed, lines } of page.entries)
      all.push({
        id,
        key,
        isReversed: reversed,
        amount: sum(lines.map(({ debit }) => new Decimal(debit))).toFixed(),
      });
    if (page.entries.length < ENTRIES_A_PAGE) break;
  }
  return all;
}

async function read<Answer>(url: string): Promise<Answer> {
  // While one list is compared the other side may have closed the connection that the next would go on.
  const answer = await fetch(url).catch(() => fetch(url));
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}.`);
  return (await answer.json()) as Answer;
}
