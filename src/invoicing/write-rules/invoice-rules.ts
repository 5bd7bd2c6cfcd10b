// Rules 2 to 6 for the bodies that make invoices, and the flags that exclude each other.
import { Decimal, sum } from '../../domain/decimal.js';
import type { IsoDate } from '../../domain/source-document.js';
import { VAT_PERCENT } from '../wire-values.js';
import type { InvoiceBody, InvoiceLine, OrderBody, RecurringBody } from '../write-bodies.js';
import { broken, type Breach } from './breach.js';
import { customerRules } from './customer-rules.js';

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
