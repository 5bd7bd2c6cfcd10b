// The VAT return of a tenant and period, as its books have it: the boxes, every code behind them, the documents behind a code,
// and beside it what is not in the books yet and would change it.
import type { TenantName } from '../../domain/ids.js';
import { type Decimal, ZERO } from '../../domain/money.js';
import { coded } from '../../language/coded.js';
import { message } from '../../language/messages.js';
import type { PostingState } from '../../domain/posting.js';
import { type TenantRules, type Treatment, VAT_RATES } from '../../pipeline/mapping/rules.js';
import { type BookedEntry, bookedIn } from '../booked-entries.js';
import type { OperationsDeps, Period } from '../deps.js';
import { refuseUnknownTenant } from '../known-tenant.js';
import { documentView } from '../in-words.js';
import type { ExportedPosting } from '../views/exported-posting.js';
import type { VatReport, VatReportCode, VatReportDocument } from '../views/vat.js';
import { added, type VatAmounts, vatOfJournal } from './vat-ledger.js';

export interface VatRequest extends Period {
  readonly tenant: TenantName;
  /** The documents behind this code; left out: none. */
  readonly code?: string | undefined;
}

/** Not in the books, and not decided that they never will be. */
const UNPOSTED: readonly PostingState[] = [
  'discovered',
  'mapped',
  'posting',
  'deferred',
  'held',
  'parked',
  'rejected',
];
const UNPOSTED_SHOWN = 100;
const DOCUMENTS_MAX = 2_000;

export async function vatReport(deps: OperationsDeps, request: VatRequest): Promise<VatReport> {
  await refuseUnknownTenant(deps, request.tenant);
  const rules = deps.connections.tenant(request.tenant)?.rules;
  if (!rules) throw coded('TENANT_UNKNOWN', message('NO_FILE_OF_TENANT', { tenant: request.tenant }));
  const tally = new Tally(rules, request.code);
  for await (const [posting, entry] of bookedIn(deps.records, request)) tally.add(posting, entry);
  const { rows, next } = await deps.records.search(
    {
      tenant: request.tenant,
      states: [...UNPOSTED],
      // A payment or a release that waits changes nothing of it, and the journal of a day is its documents.
      fromSource: true,
      issuedFrom: request.from,
      issuedTo: request.to,
      order: 'issued',
      limit: UNPOSTED_SHOWN,
    },
    null,
    [request.tenant],
  );
  return {
    tenant: request.tenant,
    from: request.from,
    to: request.to,
    ...tally.report(),
    unposted: { items: rows.map((row) => documentView(deps.language, row)), more: next !== null },
  };
}

class Tally {
  readonly #rules: TenantRules;
  readonly #code: string | undefined;
  readonly #codes = new Map<string, { amounts: VatAmounts; entries: number }>();
  readonly #documents: VatReportDocument[] = [];
  #entries = 0;
  #withoutLines = 0;
  #documentsLeftOut = 0;

  constructor(rules: TenantRules, code: string | undefined) {
    this.#rules = rules;
    this.#code = code;
  }

  add(posting: ExportedPosting, entry: BookedEntry): void {
    this.#entries += 1;
    if (entry.journal === null) this.#withoutLines += 1;
    else for (const amounts of vatOfJournal(entry.journal, this.#rules)) this.#count(posting, entry, amounts);
  }

  #count(posting: ExportedPosting, entry: BookedEntry, amounts: VatAmounts): void {
    const key = `${amounts.side} ${amounts.code}`;
    const known = this.#codes.get(key);
    this.#codes.set(key, {
      amounts: known ? added(known.amounts, amounts) : amounts,
      entries: (known?.entries ?? 0) + 1,
    });
    if (amounts.code !== this.#code) return;
    if (this.#documents.length >= DOCUMENTS_MAX) this.#documentsLeftOut += 1;
    else this.#documents.push(documentOf(posting, entry, amounts));
  }

  report(): Omit<VatReport, 'tenant' | 'from' | 'to' | 'unposted'> {
    const rows = [...this.#codes.values()].sort((one, other) => (nameOf(one) < nameOf(other) ? -1 : 1));
    const total = (pick: (amounts: VatAmounts) => Decimal) =>
      rows.reduce((sum, { amounts }) => sum.plus(pick(amounts)), ZERO);
    const turnover = (box: VatAmounts['box']) =>
      total((amounts) => (amounts.box === box ? amounts.base : ZERO)).toFixed();
    const out = total((amounts) => (amounts.side === 'sale' ? amounts.vat : amounts.owed));
    const back = total((amounts) => (amounts.side === 'sale' ? ZERO : amounts.vat));
    return {
      boxes: {
        A: turnover('A'),
        B: turnover('B'),
        C: turnover('C'),
        D: out.toFixed(),
        E: back.toFixed(),
        F: out.minus(back).toFixed(),
      },
      outside: turnover('outside'),
      codes: rows.map(codeOf),
      documents: this.#documents,
      documentsLeftOut: this.#documentsLeftOut,
      entries: this.#entries,
      withoutLines: this.#withoutLines,
    };
  }
}

function nameOf({ amounts }: { amounts: VatAmounts }): string {
  return `${amounts.side === 'sale' ? '1' : amounts.side} ${amounts.box} ${amounts.code}`;
}

function codeOf({ amounts, entries }: { amounts: VatAmounts; entries: number }): VatReportCode {
  const { code, side, box, base, vat, owed } = amounts;
  return { code, side, box, base: base.toFixed(), vat: vat.toFixed(), owed: owed.toFixed(), entries };
}

function documentOf(
  { postingId, kind, number, guid, counterpartyName }: ExportedPosting,
  { entry, part, postingDate }: BookedEntry,
  { side, base, vat, owed }: VatAmounts,
): VatReportDocument {
  return {
    postingId,
    kind,
    number,
    guid,
    counterpartyName,
    entry,
    part,
    postingDate,
    side,
    base: base.toFixed(),
    vat: vat.toFixed(),
    owed: owed.toFixed(),
  };
}

// At which rates a VAT code is used, by the rules in force: a code is only a name that the ERP knows.

/** In percent, the highest first; empty: only a case of the rules names it, or rules that are gone. */
export function vatRatesOf(code: string, { vat }: Pick<TenantRules, 'vat'>): string[] {
  const used = new Set<Treatment>();
  for (const table of [vat.out, vat.in, vat.inNonDeductible, vat.inPartial])
    for (const [treatment, named] of Object.entries(table))
      if (named === code && treatment in VAT_RATES) used.add(treatment as Treatment);
  if (vat.reverseCharge === code) used.add('S');
  if (vat.reverseChargeAA === code) used.add('AA');
  const rates = [...used]
    .map((treatment) => VAT_RATES[treatment])
    .sort((one, other) => other.comparedTo(one));
  return [...new Set(rates.map((rate) => rate.times(100).toFixed()))];
}

// The boxes of the Icelandic VAT return (RSK 10.01).
export const BOX_NAMES = ['A', 'B', 'C', 'D', 'E', 'F'] as const;
