// A simulated document as the invoicing service sends it.
import { parse, stringify } from 'lossless-json';
import { decodeDocument } from '../../src/service/decode-document.js';
import type { SimulatedDocument } from './life.js';

const VAT = 0.24;

/** What tells one version from another, in the document and in the journal that was made of it. */
export function versionMark(version: number): string {
  return `version-${version}.`;
}

/** What a reader is not shown: every version looks like the first, or a credit note refers to nothing that is known. */
export interface Hidden {
  readonly hideEdits?: boolean;
  readonly hideReferences?: boolean;
}

export function snapshotOf(
  document: SimulatedDocument,
  { hideEdits = false, hideReferences }: Hidden,
): string {
  const description = versionMark(hideEdits ? 1 : document.version);
  const amount = hideEdits ? (document.amounts[0] ?? 0) : document.amount;
  const common = {
    guid: document.guid,
    amount,
    currency: 'ISK',
    accounting_status: document.accountingStatus,
    created_date: document.issueDate,
    issue_date: document.issueDate,
    description,
    ...(document.booking === undefined ? {} : { booking: document.booking }),
  };
  const record =
    document.kind === 'cost'
      ? costOf(amount, document.costCode)
      : {
          ...invoiceOf(document, hideEdits ? amount / (1 + VAT) : document.net),
          ...(hideReferences && document.credits !== undefined ? { refer_guid: 'nobody' } : {}),
        };
  return stringify({ ...common, ...record }) ?? '';
}

function costOf(amount: number, costCode: string) {
  const vat = Math.max(0, Math.round((amount * VAT) / (1 + VAT)));
  return { supplier_id: '4101212040', vat_S: vat, vat_AA: 0, cost_code: costCode, how_paid: 1 };
}

/** What is billed now was delivered in an earlier month: where the rules ask for it, it is released there at once. */
function monthsBefore(day: string): string {
  return new Date(Date.parse(day) - 40 * 86_400_000).toISOString().slice(0, 10);
}

function invoiceOf(
  { number, status, issueDate, amount, isHalfPaid, credits }: SimulatedDocument,
  net: number,
) {
  return {
    type: credits === undefined ? 'invoice' : 'credit',
    ...(credits === undefined ? {} : { refer_guid: credits }),
    ...(isHalfPaid ? { claim_status: 'sent', bank_transaction_amount: Math.round(amount / 2) } : {}),
    number,
    status,
    delivery_date: monthsBefore(issueDate),
    due_date: issueDate,
    settlement_date: issueDate,
    items: [
      {
        guid: 'i',
        item_number: 'V1',
        description: 'Vara',
        qty: 1,
        uom: 'C62',
        tax: 'S',
        unit_price: net,
        discount: 0,
        discount_type: 0,
      },
    ],
    customer: { guid: 'c', name: 'Dæmi ehf.', registration_no: '4101212040' },
  };
}

interface Read {
  readonly snapshot: string;
  readonly decoded: ReturnType<typeof decodeDocument>;
}

const reads = new WeakMap<SimulatedDocument, Read & { readonly facts: string }>();

/** As the client of the service reads it; the same until somebody changes it, and lists are long. */
export function readDocument(document: SimulatedDocument, hidden: Hidden): Read {
  const { accountingStatus, issueDate, status, version, amount, net, isHalfPaid } = document;
  const facts = [
    accountingStatus,
    issueDate,
    status,
    version,
    amount,
    net,
    isHalfPaid,
    hidden.hideEdits,
  ].join();
  const before = reads.get(document);
  if (before?.facts === facts) return before;
  const snapshot = snapshotOf(document, hidden);
  const read = { facts, snapshot, decoded: decodeDocument(document.kind, parse(snapshot)) };
  reads.set(document, read);
  return read;
}
