// The write rules of the invoicing service, checked before a request leaves: rules 2 to 6 for invoices, then periods, costs and customers.
import { Decimal, sum } from '../domain/money.js';
import type { IsoDate } from '../domain/source-document.js';
import { VAT_PERCENT, ATTACHMENT_BYTES_MAX, ATTACHMENT_EXTENSIONS } from './wire-values.js';
import type { InvoiceBody, InvoiceLine, OrderBody, RecurringBody } from './write-bodies.js';
import type { Message } from '../domain/message.js';
import { type GivenFor, message, type MessageCode, type WriteRule } from '../language/messages.js';
import type { FilePart } from './wire-types.js';
import { readKennitala } from '../domain/kennitala.js';

export function invoiceRules(body: InvoiceBody, today: IsoDate): readonly Breach[] {
  return [
    ...amountRule(body, body.customer?.tax_exempt === true || hasFee(body)),
    ...dateRule({ ...body, issue_date: body.issue_date ?? today }),
    ...lineRules(body.items),
    ...creditRule(body),
    ...customerRule(body, body.type === 'credit'),
    ...flagRules(body),
  ];
}

/** A template is issued on days to come, so today is no issue date of it. */
export function recurringRules(body: RecurringBody): readonly Breach[] {
  return [
    ...amountRule(body, body.customer?.tax_exempt === true || hasFee(body)),
    ...dateRule(body),
    ...lineRules(body.items),
    ...customerRule(body, false),
    ...flagRules(body),
  ];
}

export function orderRules(body: OrderBody): readonly Breach[] {
  return [...amountRule(body, false), ...lineRules(body.items), ...flagRules(body)];
}

type Priced = Pick<OrderBody, 'amount' | 'items' | 'discount_value'>;

/**
 * Lines of existing items carry no price here, and how a discount or fee on the whole invoice enters the amount is not
 * shown: then only the service can tell.
 */
function amountRule(body: Priced, unknowable: boolean): Breach[] {
  const priced = body.items.every((line) => line.unit_price !== undefined && line.tax !== undefined);
  const discounted = body.discount_value?.isZero() === false;
  if (unknowable || discounted || !priced) return [];
  const expected = sum(body.items.map(lineTotal)).toDecimalPlaces(2);
  if (expected.eq(body.amount)) return [];
  return [broken(2, 'LINES_MAKE_OTHER', { amount: body.amount.toFixed(), lines: expected.toFixed() })];
}

function lineTotal(line: InvoiceLine): Decimal {
  const gross = line.qty.times(line.unit_price ?? 0);
  const discount = line.discount ?? new Decimal(0);
  const net =
    line.discount_type === true ? gross.times(discount.div(100).neg().plus(1)) : gross.minus(discount);
  return net.times(new Decimal(VAT_PERCENT[line.tax ?? 'Z']).div(100).plus(1));
}

type Dated = Pick<InvoiceBody, 'issue_date' | 'due_date' | 'settlement_date'>;

function dateRule(body: Dated): Breach[] {
  const { issue_date: issue, settlement_date: settlement } = body;
  const due = body.due_date ?? issue;
  if (settlement === undefined) return [broken(3, 'SETTLEMENT_NEEDED')];
  const breaches: Breach[] = [];
  if (issue !== undefined && due !== undefined && issue > due) {
    breaches.push(broken(3, 'DAY_AFTER', { field: 'issue_date', day: issue, than: 'due_date', limit: due }));
  }
  if (due !== undefined && due > settlement) {
    const about = { field: 'due_date', day: due, than: 'settlement_date', limit: settlement };
    breaches.push(broken(3, 'DAY_AFTER', about));
  }
  return breaches;
}

const INLINE_FIELDS = ['item_number', 'description', 'unit_price', 'tax', 'uom'] as const;

function lineRules(lines: readonly InvoiceLine[]): Breach[] {
  return lines.flatMap((line, index): Breach[] => {
    const at = index + 1;
    if (line.guid !== undefined) {
      if (line.add_new !== 1) return [];
      return [broken(4, 'LINE_NAMES_BOTH', { line: at })];
    }
    const missing = INLINE_FIELDS.filter((field) => line[field] === undefined || line[field] === '');
    if (line.add_new !== 1) {
      return [broken(4, 'LINE_NAMES_NONE', { line: at })];
    }
    if (missing.length === 0) return [];
    return [broken(4, 'LINE_LACKS', { line: at, fields: missing.join(', ') })];
  });
}

function creditRule(body: InvoiceBody): Breach[] {
  if (body.type === 'credit' && body.ref_invoice_guid === undefined) {
    return [broken(5, 'CREDIT_WITHOUT_INVOICE')];
  }
  if (body.type === 'invoice' && body.ref_invoice_guid !== undefined) {
    return [broken(5, 'CREDITED_BY_NO_CREDIT')];
  }
  return [];
}

function customerRule(
  body: Pick<InvoiceBody, 'customer' | 'trading_partner_id'>,
  inherited: boolean,
): Breach[] {
  const { customer } = body;
  if (customer?.guid !== undefined || (inherited && customer === undefined)) return [];
  if (customer?.name === undefined) {
    return [broken(6, 'CUSTOMER_NOT_NAMED')];
  }
  const routed = { ...customer, trading_partner_id: customer.trading_partner_id ?? body.trading_partner_id };
  return [...customerRules(routed)];
}

interface Flags {
  readonly is_claim?: boolean | undefined;
  readonly mark_paid?: boolean | undefined;
  readonly is_payment_link?: boolean | undefined;
  readonly method_payment?: number | undefined;
}

function flagRules(body: Flags): Breach[] {
  const raised = (['is_claim', 'mark_paid', 'is_payment_link'] as const).filter(
    (name) => body[name] === true,
  );
  const breaches: Breach[] = [];
  if (raised.length > 1) {
    breaches.push(broken('flags', 'FLAGS_TOGETHER', { flags: raised.join(' ') }));
  }
  if (body.method_payment !== undefined && body.mark_paid !== true) {
    breaches.push(broken('flags', 'METHOD_WITHOUT_PAID'));
  }
  return breaches;
}

function hasFee(body: { readonly payment_fee?: Decimal | undefined }): boolean {
  return body.payment_fee?.isZero() === false;
}

// The write rules of Document 1, checked before a byte leaves. A breach names its rule, so that the message can be held
// against the document.

export interface Breach {
  readonly rule: WriteRule;
  readonly what: Message;
}

function broken<Code extends MessageCode>(rule: WriteRule, code: Code, ...given: GivenFor<Code>): Breach {
  return { rule, what: message(code, ...given) };
}

export function breachSaid({ rule, what }: Breach): Message {
  return message('RULE_BROKEN', { rule, what });
}

// invoice-summaries takes exactly one of four ways of naming a period (Document 1, "Dashboard and summaries").

const MODES = ['year', 'year+month', 'year+from_month+to_month', 'from_date+to_date'];
const FIELDS = ['year', 'month', 'from_month', 'to_month', 'from_date', 'to_date'] as const;

type Period = Readonly<Partial<Record<(typeof FIELDS)[number], unknown>>>;

export function periodRule(period: Period): readonly Breach[] {
  const given = FIELDS.filter((field) => period[field] !== undefined).join('+');
  if (MODES.includes(given)) return [];
  return [broken('period', 'ONE_PERIOD', { modes: MODES.join('; '), given })];
}

// Rule 8 and the limits of attachments.

interface CostFields {
  readonly amount: Decimal;
  readonly vat_11?: Decimal | undefined;
  readonly vat_24?: Decimal | undefined;
  readonly file?: FilePart | undefined;
}

/** VAT is rounded to whole krónur; each krona of it stands for up to ten of the gross amount it was taken from. */
const ROUNDING_ISK = 15;

export function costRules(cost: CostFields): readonly Breach[] {
  const breaches: Breach[] = [];
  if (!cost.amount.isPositive() || cost.amount.isZero()) {
    breaches.push(broken(8, 'AMOUNT_NOT_ABOVE_ZERO'));
  }
  const vat24 = cost.vat_24 ?? new Decimal(0);
  const vat11 = cost.vat_11 ?? new Decimal(0);
  if (vat24.isNegative() || vat11.isNegative()) {
    breaches.push(broken(8, 'VAT_NEGATIVE'));
  }
  const taxed = vat24.times(124).div(24).plus(vat11.times(111).div(11));
  if (taxed.gt(cost.amount.abs().plus(ROUNDING_ISK))) {
    breaches.push(broken(8, 'VAT_MORE_THAN_AMOUNT', { taxed: taxed.toFixed(0) }));
  }
  return [...breaches, ...attachmentRules(cost.file)];
}

const SIGNATURES: Readonly<Record<string, readonly string[]>> = {
  jpg: ['ffd8ff'],
  jpeg: ['ffd8ff'],
  png: ['89504e47'],
  gif: ['47494638'],
  pdf: ['25504446'],
};

export function attachmentRules(file: FilePart | undefined): readonly Breach[] {
  if (file === undefined) return [];
  const extension = file.fileName.split('.').at(-1)?.toLowerCase() ?? '';
  if (!(ATTACHMENT_EXTENSIONS as readonly string[]).includes(extension)) {
    return [broken('attachment', 'FILE_TYPE_REFUSED', { type: extension.slice(0, 20) })];
  }
  if (file.content.byteLength === 0) return [broken('attachment', 'FILE_EMPTY')];
  if (file.content.byteLength > ATTACHMENT_BYTES_MAX) {
    return [broken('attachment', 'FILE_TOO_LARGE', { bytes: file.content.byteLength })];
  }
  const start = Buffer.from(file.content.subarray(0, 8)).toString('hex');
  if (SIGNATURES[extension]?.some((signature) => start.startsWith(signature)) === true) return [];
  return [broken('attachment', 'FILE_NOT_LIKE_ITS_NAME', { type: extension })];
}

/** Something that these rules judge as they would judge a real file of that name and size. */
export function fileLike(fileName: string, bytes: number): FilePart {
  const content = Buffer.alloc(Math.max(0, Math.min(bytes, ATTACHMENT_BYTES_MAX + 1)));
  const [signature = ''] = SIGNATURES[fileName.split('.').at(-1)?.toLowerCase() ?? ''] ?? [];
  Buffer.from(signature, 'hex').copy(content);
  return { fileName, content };
}

// Rule 6: how a customer is reached decides what must be known of it.

interface Reached {
  /** A string in one document, an integer in the other. */
  readonly output_select?: string | number | undefined;
  readonly email?: string | undefined;
  readonly trading_partner_id?: string | undefined;
}

const DEFAULT_OUTPUT = '3';

export function customerRules(body: Reached): readonly Breach[] {
  const output = String(body.output_select ?? DEFAULT_OUTPUT);
  const breaches: Breach[] = [];
  if (output !== '4' && isBlank(body.email)) {
    breaches.push(broken(6, 'EMAIL_NEEDED'));
  }
  if (output === '2' && isBlank(body.trading_partner_id)) {
    breaches.push(broken(6, 'PARTNER_NEEDED'));
  }
  return [...breaches, ...tradingPartnerRule(body.trading_partner_id)];
}

/** An update sends only what changes, so only what is sent can be judged. */
export function customerChangeRules(body: Reached): readonly Breach[] {
  return tradingPartnerRule(body.trading_partner_id);
}

function tradingPartnerRule(partner: string | undefined): readonly Breach[] {
  if (partner === undefined || partner === '') return [];
  if (partner.includes(':')) {
    return [broken(6, 'PARTNER_WITH_PREFIX')];
  }
  if (!readKennitala(partner).format) {
    return [broken(6, 'PARTNER_NO_KENNITALA')];
  }
  return [];
}

function isBlank(written: string | undefined): boolean {
  return written === undefined || written.trim() === '';
}
