// Rehearses: what changed rules, or this version of the program, would make of every document on record. Offline, from the
// snapshots as the source handed them over; nothing is written and nobody is asked. What a mapping would look up (tax-exempt
// customers, categories of items) is not at hand, so both sides are mapped without it, and documents whose journal came from
// such a look-up are counted as such.
import type { Guid, TenantName } from '../../domain/ids.js';
import { Decimal } from '../../domain/money.js';
import type { Journal } from '../../domain/journal.js';
import { journalToJson } from '../../domain/journal-json.js';
import type { SourceKind } from '../../domain/source-document.js';
import { decodeDocument } from '../../service/decode-document.js';
import { parseJson } from '../../service/wire-json.js';
import { mapDocument, type MappingOutcome } from '../../pipeline/mapping/map-document.js';
import type { TenantRules } from '../../pipeline/mapping/rules.js';
import type { ConnectedTenants } from '../connected-tenants.js';
import { unknownTenant } from '../known-tenant.js';
import type { AccountChange, DocumentChange, Rehearsal, RehearsalOptions } from './rehearsal.js';

export interface RehearsedRow {
  readonly postingId: string;
  readonly kind: SourceKind;
  readonly guid: Guid;
  readonly number: string;
  readonly state: string;
  readonly snapshot: string;
  readonly journal: string | null;
  readonly settlement: string | null;
}

export interface RehearsalRecords {
  count(tenant: TenantName, since: string): Promise<number>;
  /** Documents with a snapshot, issued on that day or later; by id, in pages. */
  page(
    tenant: TenantName,
    since: string,
    after: string | null,
    limit: number,
  ): Promise<readonly RehearsedRow[]>;
}

export interface RehearsalDeps {
  readonly records: RehearsalRecords;
  readonly connections: ConnectedTenants;
}

const PAGE = 1_000;
const NAMED_MAX = 500;
const ZERO = new Decimal(0);

export async function rehearse(
  { records, connections }: RehearsalDeps,
  name: string,
  options: RehearsalOptions = {},
): Promise<Rehearsal> {
  if (!connections.tenant(name)) throw unknownTenant(name, connections.names());
  const { rules } = await connections.get(name);
  // Who splits VAT is the ERP's to say, under whatever rules.
  const wanted = options.rules && { ...options.rules, vat: { ...options.rules.vat, mode: rules.vat.mode } };
  const since = options.since ?? '';
  const total = await records.count(name, since);
  const tally = new RehearsalTally();
  let after: string | null = null;
  for (;;) {
    const page: readonly RehearsedRow[] = await records.page(name, since, after, PAGE);
    for (const row of page) tally.add(row, mappedBy(row, rules), wanted ? mappedBy(row, wanted) : null);
    options.onProgress?.(tally.examined, total);
    after = page.at(-1)?.postingId ?? null;
    if (page.length < PAGE || after === null) return tally.result(name);
  }
}

function mappedBy(row: RehearsedRow, rules: TenantRules): Side {
  const decoded = decodeDocument(row.kind, parseJson(row.snapshot));
  if (decoded.outcome === 'malformed') return { text: 'unreadable', balances: new Map() };
  // It is about the content: what the source calls it by now plays no part.
  return sideOf(mapDocument({ ...decoded.document, accountingStatus: 'Created' }, rules, {}));
}

/** What comes of a document: its journals as text, or why there are none; and what each account gets. */
interface Side {
  readonly text: string;
  readonly balances: ReadonlyMap<string, Decimal>;
}

function sideOf(mapped: MappingOutcome): Side {
  if (mapped.outcome !== 'post') return { text: `${mapped.outcome} ${mapped.reason}`, balances: new Map() };
  const journals = [mapped.journal, ...(mapped.settlement ? [mapped.settlement] : [])];
  return { text: journals.map(journalToJson).join('\n'), balances: balancesOf(journals) };
}

function balancesOf(journals: readonly Pick<Journal, 'lines'>[]): Map<string, Decimal> {
  const balances = new Map<string, Decimal>();
  for (const { lines } of journals)
    for (const { account, debit, credit } of lines)
      balances.set(account, (balances.get(account) ?? ZERO).plus(debit).minus(credit));
  return balances;
}

function storedSide({ journal, settlement, state }: RehearsedRow): Side {
  if (journal === null) return { text: state, balances: new Map() };
  const texts = [journal, ...(settlement === null ? [] : [settlement])];
  const parsed = texts.map(
    (text) => JSON.parse(text) as { lines: { account: string; debit: string; credit: string }[] },
  );
  const lines = parsed.flatMap((one) => one.lines);
  const decimals = lines.map(({ account, debit, credit }) => ({
    ...{ account, debit: new Decimal(debit), credit: new Decimal(credit) },
  }));
  return { text: texts.join('\n'), balances: balancesOf([{ lines: decimals }] as never) };
}

class RehearsalTally {
  examined = 0;
  #same = 0;
  #changed = 0;
  #withoutLookUps = 0;
  readonly #before = new Map<string, Decimal>();
  readonly #after = new Map<string, Decimal>();
  readonly #documents: DocumentChange[] = [];

  /** `wanted` null: what is in force now is compared with what is on record. */
  add(row: RehearsedRow, inForce: Side, wanted: Side | null): void {
    this.examined += 1;
    const stored = storedSide(row);
    if (wanted !== null && row.journal !== null && stored.text !== inForce.text) this.#withoutLookUps += 1;
    // What has no journal on record was decided or waits: only new rules can say something new about it.
    if (wanted === null && row.journal === null) {
      this.#same += 1;
      return;
    }
    const [before, after] = wanted === null ? [stored, inForce] : [inForce, wanted];
    addTo(this.#before, before.balances);
    addTo(this.#after, after.balances);
    if (before.text === after.text) {
      this.#same += 1;
      return;
    }
    this.#changed += 1;
    if (this.#documents.length >= NAMED_MAX) return;
    const { kind, number, guid, state } = row;
    const accounts = changesOf(before.balances, after.balances);
    this.#documents.push({
      kind,
      number,
      guid,
      state,
      before: shortly(before),
      after: shortly(after),
      accounts,
    });
  }

  result(tenant: TenantName): Rehearsal {
    return {
      ...{ tenant, examined: this.examined, same: this.#same, changed: this.#changed },
      withoutLookUps: this.#withoutLookUps,
      accounts: changesOf(this.#before, this.#after),
      documents: this.#documents,
    };
  }
}

function shortly({ text, balances }: Side): string {
  return balances.size > 0 ? 'posts' : text;
}

function addTo(sums: Map<string, Decimal>, more: ReadonlyMap<string, Decimal>): void {
  for (const [account, amount] of more) sums.set(account, (sums.get(account) ?? ZERO).plus(amount));
}

/** Only the accounts whose balance is another one. */
function changesOf(
  before: ReadonlyMap<string, Decimal>,
  after: ReadonlyMap<string, Decimal>,
): AccountChange[] {
  const accounts = [...new Set([...before.keys(), ...after.keys()])].sort();
  return accounts.flatMap((account) => {
    const [was, is] = [before.get(account) ?? ZERO, after.get(account) ?? ZERO];
    return was.equals(is) ? [] : [{ account, before: was.toFixed(), after: is.toFixed() }];
  });
}
