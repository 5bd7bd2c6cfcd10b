// The balanced journal that every adapter posts. domain/mapping.md of the specification calls these fields by the same names.
import { type Decimal, sum } from './decimal.js';
import type { IsoDate } from './source-document.js';

export const LINE_ROLES = [
  'receivable',
  'payable',
  'revenue',
  'expense',
  'vat-out',
  'vat-in',
  'reverse-charge-in',
  'reverse-charge-out',
  'bank',
  'clearing',
  'withheld-tax',
  'interest',
  'collection',
  'exchange',
  'residual',
  'rounding',
] as const;
export type LineRole = (typeof LINE_ROLES)[number];

export interface JournalLine {
  readonly account: string;
  readonly role: LineRole;
  /** ISK. Exactly one side is above zero. */
  readonly debit: Decimal;
  readonly credit: Decimal;
  /** Only on foreign documents; signed, plus is debit. */
  readonly currency?: string;
  readonly currencyAmount?: Decimal;
  readonly vatCode?: string;
  readonly vatBase?: Decimal;
  /** Where the ERP reckons VAT: what it is to owe and to deduct by a reverse charge on this line, in ISK. It moves no money. */
  readonly reverseVat?: Decimal;
  /** Kennitala of the customer or supplier; only on receivable and payable lines. */
  readonly counterparty?: string;
  readonly dueDate?: IsoDate;
  readonly dimensions?: Readonly<Record<string, string>>;
  readonly release?: LineRelease;
  readonly text: string;
}

/** The line waits on its account for other months than the document's: an equal part goes to `account` on each of the days. */
export interface LineRelease {
  readonly account: string;
  /** In ISK, without VAT, on the side of the line. */
  readonly amount: Decimal;
  /** In order; a day that stands twice gets two parts. */
  readonly days: readonly IsoDate[];
}

const VAT_ROLES: ReadonlySet<LineRole> = new Set([
  'vat-out',
  'vat-in',
  'reverse-charge-in',
  'reverse-charge-out',
]);

/** The amount holds VAT, which the ERP is to take out by the code of the line; `vatBase` is what it should leave. */
export function isGross({ role, vatBase }: Pick<JournalLine, 'role' | 'vatBase'>): boolean {
  return vatBase !== undefined && !VAT_ROLES.has(role);
}

/** What the entry comes to on each side, with what an ERP that reckons VAT puts on both for a reverse charge. */
export function totalOf({ lines }: Pick<Journal, 'lines'>): Decimal {
  return sum(lines.flatMap(({ debit, reverseVat }) => (reverseVat ? [debit, reverseVat] : [debit])));
}

/** A line of VAT itself, where the ERP is not to reckon any. */
export function isVatLine({ role }: Pick<JournalLine, 'role'>): boolean {
  return VAT_ROLES.has(role);
}

/** Who the document is with: what an adapter may need to look the partner up, or to create it where the tenant allows. */
export interface JournalParty {
  readonly kind: 'customer' | 'supplier';
  readonly kennitala: string;
  readonly name: string;
  readonly address?: string;
  readonly zip?: string;
  readonly city?: string;
  readonly email?: string;
}

export interface Journal {
  readonly documentNo: string;
  /** The guid at the source. */
  readonly externalReference: string;
  readonly postingDate: IsoDate;
  readonly documentDate: IsoDate;
  readonly dueDate?: IsoDate;
  readonly settlementDate?: IsoDate;
  readonly description: string;
  readonly currency: string;
  /** ISK per one unit of currency; 1 for ISK. */
  readonly exchangeRate: Decimal;
  /** Guid of the original, on credit notes. */
  readonly appliesTo?: string;
  /**
   * On credit notes of suppliers, which have no guid of the original at the source: the `documentNo` of the bill, as the e-invoice names
   * it. Whether the bill is in the books, only they tell.
   */
  readonly appliesToNo?: string;
  readonly party?: JournalParty;
  /** Instead of one: those of all its documents, each once. */
  readonly parties?: readonly JournalParty[];
  readonly attachments?: readonly string[];
  readonly lines: readonly JournalLine[];
}

/** Whoever has this kennitala, where the journal says who that is. */
export function partyWith(
  { party, parties = [] }: Pick<Journal, 'party' | 'parties'>,
  isMeant: (party: JournalParty) => boolean,
): JournalParty | undefined {
  return party && isMeant(party) ? party : parties.find(isMeant);
}
