// What had to be looked up for a document because the read shape lacks it. The pipeline fills it through the port;
// `map` reads it from its input, where the names are those of the service.
import { isLosslessNumber } from 'lossless-json';
import { isCalendarDay } from '../../domain/local-time.js';
import { Decimal } from '../../domain/money.js';
import type { IsoDate } from '../../domain/source-document.js';

export interface MappingContext {
  /** From get-customer. Absent: not looked up, which counts as not exempt. */
  readonly customer?: { readonly taxExempt: boolean };
  /** From get-item, by the guid on the invoice line. */
  readonly items?: Readonly<Record<string, { readonly category: string }>>;
  /** The invoice that a credit note refers to. */
  readonly original?: {
    readonly accountingStatus: string;
    readonly issueDate?: IsoDate;
    readonly deliveryDate?: IsoDate;
    readonly currency?: string;
    readonly exchangeRate?: Decimal;
    /** From before the day on which the bridge took over: it is in the books by hand. */
    readonly isBeforeCutOver?: boolean;
  };
  /** Guids of credit notes that refer to this invoice, and are to be booked or are booked. */
  readonly creditNotes?: readonly string[];
  /** One that nobody has read yet, or that is not issued yet, may refer to it. */
  readonly creditNoteMayCome?: true;
  /** 1 to 9 as on create-invoice, where the tenant knows it: the read shape has none. */
  readonly methodPayment?: string;
  /** From the rate source of the rules, for the day of the document. */
  readonly rate?: LookedUpRate;
  /** The rate source could not be asked: what it would have said is not known now. */
  readonly ratesProblem?: string;
}

export interface LookedUpRate {
  readonly day: IsoDate;
  readonly rate: Decimal;
  /** Which source said so; shown in the trace. */
  readonly origin: string;
}

type Raw = Readonly<Record<string, unknown>>;

/** Tolerant: what has another shape than expected counts as not looked up. */
export function decodeContext(raw: unknown, documentGuid: string): MappingContext {
  if (!isRecord(raw)) return {};
  const { customer, items, original } = raw;
  const methodPayment = word(raw['methodPayment'] ?? raw['method_payment']);
  const creditNotes = decodeCreditNotes(raw, documentGuid);
  return {
    ...(isRecord(customer)
      ? { customer: { taxExempt: isYes(customer['tax_exempt'] ?? customer['taxExempt']) } }
      : {}),
    ...(isRecord(items) ? { items: decodeItems(items) } : {}),
    ...(isRecord(original)
      ? {
          original: {
            accountingStatus: word(original['accounting_status'] ?? original['accountingStatus']),
            ...decodeDays(original),
            ...decodeStatedRate(original),
          },
        }
      : {}),
    ...(creditNotes.length > 0 ? { creditNotes } : {}),
    ...(methodPayment === '' ? {} : { methodPayment }),
    ...decodeRate(raw['rate']),
  };
}

function decodeDays(original: Raw): { issueDate?: IsoDate; deliveryDate?: IsoDate } {
  const issueDate = word(original['issue_date'] ?? original['issueDate']);
  const deliveryDate = word(original['delivery_date'] ?? original['deliveryDate']);
  return {
    ...(isCalendarDay(issueDate) ? { issueDate } : {}),
    ...(isCalendarDay(deliveryDate) ? { deliveryDate } : {}),
  };
}

function decodeStatedRate(original: Raw): { currency?: string; exchangeRate?: Decimal } {
  const currency = word(original['currency']);
  const rate = word(original['exchange_rate'] ?? original['exchangeRate']);
  return {
    ...(currency === '' ? {} : { currency }),
    ...(RATE.test(rate) ? { exchangeRate: new Decimal(rate) } : {}),
  };
}

const RATE = /^\d{1,9}(\.\d{1,10})?$/;

function decodeRate(raw: unknown): Pick<MappingContext, 'rate'> {
  if (!isRecord(raw)) return {};
  const [day, rate] = [word(raw['day']), word(raw['rate'])];
  if (!isCalendarDay(day) || !RATE.test(rate)) return {};
  return { rate: { day, rate: new Decimal(rate), origin: word(raw['origin']) || 'context.rate' } };
}

function decodeItems(items: Raw): Record<string, { category: string }> {
  const decoded: [string, { category: string }][] = [];
  for (const [guid, item] of Object.entries(items)) {
    if (isRecord(item)) decoded.push([guid, { category: word(item['category']) }]);
  }
  return Object.fromEntries(decoded);
}

/** However they are called: creditNotes, credit_note, creditedBy, referringCreditNotes. Not: credit_limit, reference. */
const CREDIT_NOTES = /credit_?(note|invoice)|credited_?by|^credits?$|refer(red|enced|ring)_?by/i;

/** Guids, or whole credit notes; one that names another invoice in refer_guid is not about this one. */
function decodeCreditNotes(raw: Raw, documentGuid: string): string[] {
  const found: string[] = [];
  for (const [key, value] of Object.entries(raw)) {
    if (!CREDIT_NOTES.test(key)) continue;
    for (const entry of Array.isArray(value) ? (value as unknown[]) : [value]) {
      if (isRecord(entry)) {
        const refers = word(entry['refer_guid'] ?? entry['referGuid']);
        if (refers === '' || refers.toLowerCase() === documentGuid.toLowerCase())
          found.push(word(entry['guid']));
      } else if (entry === true || (typeof entry === 'string' && word(entry) !== '')) found.push(word(entry));
    }
  }
  return found;
}

function isRecord(value: unknown): value is Raw {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isLosslessNumber(value);
}

function word(value: unknown): string {
  if (typeof value === 'string') return value.trim();
  return typeof value === 'number' || isLosslessNumber(value) ? String(value) : '';
}

function isYes(value: unknown): boolean {
  return value === true || ['1', 'true'].includes(word(value));
}
