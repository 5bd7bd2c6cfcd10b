// Invoices and costs as the source shows them, decoded once (service/decode-document) and read by everybody after.
// Enumerated fields stay strings: the service may grow new values, and the mapper is the one that judges them.
import type { Guid, IsoDate } from './ids.js';
import type { Decimal } from './money.js';

export const SOURCE_KINDS = ['invoice', 'cost'] as const;
export type SourceKind = (typeof SOURCE_KINDS)[number];

/**
 * What is booked: a document of the source; what follows one that was booked before: a payment of an invoice, or the release of
 * what waits for another month; or the documents of a day together.
 */
export const BOOKED_KINDS = [...SOURCE_KINDS, 'payment', 'release', 'summary'] as const;
export type BookedKind = (typeof BOOKED_KINDS)[number];

export function isBookedKind(text: string): text is BookedKind {
  return (BOOKED_KINDS as readonly string[]).includes(text);
}

/** The source has it, and is told what became of it. */
export function isSourceKind(kind: BookedKind): kind is SourceKind {
  return kind === 'invoice' || kind === 'cost';
}

export type { IsoDate };

export interface InvoiceItem {
  readonly guid: Guid;
  readonly itemNumber: string;
  readonly description: string;
  readonly qty: Decimal;
  readonly uom: string;
  readonly tax: string;
  readonly unitPrice: Decimal;
  readonly discount: Decimal;
  /** true = percent, false = price. */
  readonly discountIsPercent: boolean;
  /** Fields that a price stands on and that came empty; they count as zero, and nobody books that. */
  readonly unstated?: readonly ('qty' | 'unit_price')[];
}

export interface InvoiceCustomer {
  readonly guid: Guid;
  readonly name: string;
  readonly address: string;
  readonly zip: string;
  readonly city: string;
  readonly registrationNo: string;
  readonly email: string;
}

export interface SourceInvoice {
  readonly kind: 'invoice';
  readonly guid: Guid;
  readonly number: string;
  readonly amount: Decimal;
  readonly currency: string;
  readonly status: string;
  readonly type: string;
  readonly referGuid: Guid;
  readonly accountingStatus: string;
  readonly accountingMessage: string;
  readonly createdDate: IsoDate;
  readonly issueDate: IsoDate;
  readonly dueDate: IsoDate;
  readonly settlementDate: IsoDate;
  readonly deliveryDate: IsoDate;
  readonly description: string;
  readonly booking: string;
  readonly costProvide: string;
  readonly terms: string;
  readonly updatedTimestamp: string;
  readonly claimStatus: string;
  readonly capitalGainsTax: Decimal;
  readonly otherDefaultCostsAmount: Decimal;
  readonly defaultChargeAmount: Decimal;
  readonly defaultInterestAmount: Decimal;
  readonly bankTransactionAmount: Decimal;
  readonly total24Vat: Decimal;
  readonly total11Vat: Decimal;
  readonly total0Vat: Decimal;
  /** Null when absent or zero: the documents do not say what an ISK invoice carries. */
  readonly exchangeRate: Decimal | null;
  readonly items: readonly InvoiceItem[];
  readonly customer: InvoiceCustomer;
}

export interface SourceCost {
  readonly kind: 'cost';
  readonly guid: Guid;
  readonly description: string;
  readonly supplierId: string;
  readonly amount: Decimal;
  readonly currency: string;
  /** VAT amounts in ISK, whatever the currency (Document 1, write rule 8). */
  readonly vatAA: Decimal;
  readonly vatS: Decimal;
  /** `credit_note`, where the service gives it back: the documented read shape lacks it. */
  readonly isCreditNote: boolean;
  readonly costCode: string;
  readonly howPaid: string;
  readonly issueDate: IsoDate;
  readonly createdDate: IsoDate;
  /** UBL XML as it came, still base64; null when not yet processed. */
  readonly xmlBase64: string | null;
  readonly fileName: string;
  readonly fileExtension: string;
  readonly fileBase64: string | null;
  readonly accountingStatus: string;
  readonly updatedTimestamp: string;
  readonly projectName: string;
}

export type SourceDocument = SourceInvoice | SourceCost;

// The service gives an item its number itself (Document 1, "Item"), so the number that its origin knows it by stands at the head of its
// description, in brackets: `[A-100] Chair`. It is what an item is found by, and what people see on an invoice.
const HEAD = /^\s*\[([^\][]{1,140})\]\s*/;

/** Two origins may call different things the same: their series tells them apart here too. */
export function headNumber(series: string, reference: string): string {
  return series === '' ? reference : `${series}/${reference}`;
}

export function withHead(number: string, name: string): string {
  return `[${number}] ${name.trim()}`;
}

/** null: there is none. */
export function headOf(description: string): string | null {
  return HEAD.exec(description)?.[1]?.trim() ?? null;
}

/** The description without it. */
export function behindHead(description: string): string {
  return description.replace(HEAD, '').trim();
}
