// The beginning of an invoice, draft, order or quote: its customer, the invoice that it credits, its request, the write rules, and a
// first search: another bridge, or a database that was lost, may have sent it before. Then it is sent.
import type { Guid } from '../domain/ids.js';
import type { TargetRequest } from '../service/invoicing-target.js';
import { message, reason, told, type Words } from '../language/messages.js';
import { attachFiles, readBackDocument, asTaken, sendRequest } from './send-request.js';
import { changePrepared, stands, withContentHash, owesPaid, tellPaid } from './change-prepared.js';
import {
  type CustomerContent,
  contentText,
  invoiceContent,
  type InvoiceContent,
  totalOf,
} from '../origins/content.js';
import {
  type Advanced,
  type SubmissionWork,
  hold,
  parkWithAlarm,
  refuseBreach,
  rest,
  keyOf,
  mayStand,
  holdAndTell,
  readAwaited,
} from './submission-work.js';
import { judgeFound, search } from './find-document.js';
import { invoiceRequest, preparedRequest } from './make-request.js';
import { takenBack } from './still-there.js';
import { quietPeriodMs } from './stage.js';
import { Decimal } from '../domain/money.js';

export async function beginDocument(work: SubmissionWork): Promise<Advanced> {
  const { stage, tenant, claimed } = work;
  const { kind, key } = claimed;
  const content = await withServiceNumbers(work, invoiceContent.parse(JSON.parse(claimed.content)));
  // What a history that was lost had sent last may still arrive.
  const waitMs = claimed.restoredAgoMs === null ? 0 : quietPeriodMs(stage.timing) - claimed.restoredAgoMs;
  if (waitMs > 0) return rest(work, { action: 'waits-to-look', dueInMs: Math.ceil(waitMs) });
  if (owesPaid(claimed)) return tellPaid(work);
  const isBelowZero = belowZero(content);
  if (isBelowZero !== null) return refuseBreach(work, isBelowZero);
  const credited = await creditedGuid(work, content);
  if (credited === 'awaited') return awaitCredited(work, content.credit_of ?? '');
  // A credit note inherits the customer of what it credits (write rule 5), so it waits for none; `customer` is called required
  // all the same, so it is named where it is known.
  const inherits = kind === 'invoice' && credited.guid !== null;
  const wanted = await customerGuid(work, content);
  const customer = inherits && wanted === 'awaited' ? { guid: null } : wanted;
  if (customer === 'awaited') return awaitCustomer(work, content.customer);
  if (customer.guid === null && !inherits) return refuseBreach(work, told('CUSTOMER_MISSING'));
  if (lacksAmount(content)) return refuseBreach(work, told('AMOUNT_MISSING'));
  const known = { key, customerGuid: customer.guid, creditedGuid: credited.guid };
  const made =
    kind === 'invoice'
      ? invoiceRequest(content, tenant.wish, known)
      : preparedRequest(kind, content, tenant.wish, known);
  const request = asTaken(claimed, withContentHash(made, claimed.content));
  const problem = tenant.target.breach(request);
  // What is wrong with a file may have been put right at its origin.
  if (problem !== null) return (await changedFiles(work, content)) ?? refuseBreach(work, problem);
  if (stands(claimed)) return changePrepared(work, request);
  return kind === 'invoice' ? sendInvoice(work, request, content) : sendPrepared(work, request);
}

function changedFiles(work: SubmissionWork, { files = [] }: InvoiceContent): Promise<Advanced | null> {
  return files.length === 0 ? Promise.resolve(null) : takenBack(work);
}

/** Files first: whatever takes long is done when it is asked for the last time whether it may leave. */
async function sendInvoice(
  given: SubmissionWork,
  unattached: TargetRequest,
  content: InvoiceContent,
): Promise<Advanced> {
  const attached = await attachFiles(given, unattached, content);
  if (attached === 'rested' || attached === 'lost') return attached;
  const { work, request } = attached;
  const isBack = await takenBack(work);
  if (isBack !== null) return isBack;
  const found = await search(work, request);
  if (found === 'rested' || found === 'lost') return found;
  return found.length > 0 ? judgeFound(work, request, found) : sendRequest(work, request, readBackDocument);
}

async function sendPrepared(work: SubmissionWork, request: TargetRequest): Promise<Advanced> {
  return (await takenBack(work)) ?? sendUnsearched(work, request);
}

/** Nothing can be found again of these: where one may have been sent and forgotten, a person says that it was not. */
function sendUnsearched(work: SubmissionWork, request: TargetRequest): Promise<Advanced> {
  if (mayStand(work.claimed))
    return parkWithAlarm(work, 'SUBMISSION_UNKNOWN', message('SUBMISSION_MAY_BE_FORGOTTEN'));
  return sendRequest(work, request, readBackDocument);
}

/** A guid at the service; null: there is none to be had; `awaited`: it is not there yet. */
type Wanted = { readonly guid: Guid | null } | 'awaited';

async function creditedGuid(work: SubmissionWork, content: InvoiceContent): Promise<Wanted> {
  if (content.ref_invoice_guid !== undefined) return { guid: content.ref_invoice_guid };
  if (content.credit_of === undefined) return { guid: null };
  return created(work, keyOf(work, 'invoice', content.credit_of));
}

export async function customerGuid(
  work: SubmissionWork,
  {
    customer,
    customer_guid: guid,
  }: {
    readonly customer?: CustomerContent | undefined;
    readonly customer_guid?: string | undefined;
  },
): Promise<Wanted> {
  if (guid !== undefined) return { guid };
  return customer === undefined ? { guid: null } : created(work, keyOf(work, 'customer', customer.kennitala));
}

async function created({ stage, tenant }: SubmissionWork, key: string): Promise<Wanted> {
  const guid = await stage.store.createdGuid(tenant.name, key);
  return guid === null ? 'awaited' : { guid };
}

/** What an item of the service costs, the service knows. */
export function lacksAmount({ amount, lines }: Pick<InvoiceContent, 'amount' | 'lines'>): boolean {
  return amount === undefined && lines.some(({ guid }) => guid !== undefined);
}

/**
 * The customer is a submission of its own, one for each kennitala; what several invoices say of it is the same one. It was refused: whoever
 * comes, or was mended, since then may say what it lacked.
 */
export async function awaitCustomer(
  work: SubmissionWork,
  customer: CustomerContent | undefined,
): Promise<Advanced> {
  const { kennitala: reference = '' } = customer ?? {};
  const content = customer === undefined ? '' : contentText(customer);
  const key = keyOf(work, 'customer', reference);
  const isMended = work.claimed.reason?.code !== 'CUSTOMER_AWAITED';
  const awaits = { kind: 'customer', reference, key, content, isMended, place: work.claimed.place } as const;
  const awaited = await readAwaited(work, key);
  if (typeof awaited === 'string' || (isMended && awaited.content !== content))
    return hold(work, reason('CUSTOMER_AWAITED', { kennitala: reference }), { awaits });
  return holdAndTell(work, reason('CUSTOMER_AWAITED', { kennitala: reference, what: awaited.why }), {
    awaits,
  });
}

async function awaitCredited(work: SubmissionWork, reference: string): Promise<Advanced> {
  const awaited = await readAwaited(work, keyOf(work, 'invoice', reference));
  if (awaited === 'under-way') return hold(work, reason('CREDITED_AWAITED', { reference }));
  const what = awaited === 'none' ? message('NOT_HANDED_OVER') : awaited.why;
  return holdAndTell(work, reason('CREDITED_AWAITED', { reference, what }));
}

// An invoice below zero would ask the customer to be paid. What is meant is a credit note of the invoice that was made before, so it is
// refused at its origin; whether the service would take it is not stated.

type Totalled = Pick<InvoiceContent, 'lines' | 'amount' | 'credit_of' | 'ref_invoice_guid'>;

/** null: it comes to nothing or more, or is a credit note. */
export function belowZero(content: Totalled): Words | null {
  if (content.credit_of !== undefined || content.ref_invoice_guid !== undefined) return null;
  const total = totalOf(content);
  return new Decimal(total).isNegative() && !new Decimal(total).isZero()
    ? told('TOTAL_BELOW_ZERO', { total })
    : null;
}

// A line names its item by the number of its origin. Where that item is kept in step with the service, the line goes out under the number
// that the service has given it; any other keeps its own. Nothing waits for an item: a line is whole without it.

interface WithLines<Line> {
  readonly lines: readonly Line[];
}

export async function withServiceNumbers<
  Line extends { readonly item_number: string },
  Content extends WithLines<Line>,
>(work: SubmissionWork, content: Content & WithLines<Line>): Promise<Content> {
  const { stage, tenant } = work;
  const keys = new Map(
    content.lines.map(({ item_number: number }) => [number, keyOf(work, 'item', number)] as const),
  );
  const known = await stage.store.createdNumbers(tenant.name, [...keys.values()]);
  if (known.size === 0) return content;
  const lines = content.lines.map((line) => {
    const number = known.get(keys.get(line.item_number) ?? '');
    return number === undefined ? line : { ...line, item_number: number };
  });
  return { ...content, lines };
}
