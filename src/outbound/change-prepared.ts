// A draft or order that stands at the service and has changed at its origin. It is updated by its guid, so that a second update of the same
// has no second effect, until an invoice was made of it: what was invoiced is corrected by a credit note, which is for a person. The service
// shows neither drafts nor orders, only what was made of them; that is read before an update and after it.
import type { Guid } from '../domain/ids.js';
import { Decimal } from '../domain/money.js';
import { incident } from '../language/incidents/incident-text.js';
import { message, reason, saidBy } from '../language/messages.js';
import type { FoundInvoice, TargetRequest } from '../service/invoicing-target.js';
import { contentFacts } from './content-facts.js';
import { isPrepared } from './take-in.js';
import { type SubmissionRecord, quietPeriodMs } from './stage.js';
import { repeatsNumbers, withNumbersApart, type ReadBack, sendRequest } from './send-request.js';
import { takenBack } from './still-there.js';
import {
  type Advanced,
  type SubmissionWork,
  created,
  park,
  refuse,
  rest,
  finished,
  tell,
} from './submission-work.js';
import type { Message } from '../domain/message.js';
import { retryInMs } from '../sync/back-off.js';

/** It was made, and neither deleted since nor given up by a person. */
export function stands({ kind, guid, request, outcome, surelyAbsent }: SubmissionRecord): boolean {
  const isDeleted = request?.act === 'delete' && outcome !== 'rejected';
  return isPrepared(kind) && guid !== null && !isDeleted && !surelyAbsent;
}

/** What may change while it stands there says what it was made of. */
export function withContentHash(request: TargetRequest, content: string): TargetRequest {
  const { kind } = request;
  return isPrepared(kind) ? { ...request, contentHash: contentFacts(kind, content).hash } : request;
}

/** Its origin says something else by now than what was sent last. */
export function isChangedSince(claimed: SubmissionRecord): boolean {
  const { kind, request, content } = claimed;
  if (request?.contentHash === undefined || isTooLate(claimed)) return false;
  return isPrepared(kind) && request.contentHash !== contentFacts(kind, content).hash;
}

/** An invoice was made of it before it changed. */
export function isTooLate({ reason: why }: Pick<SubmissionRecord, 'reason'>): boolean {
  return why?.code === 'CHANGED_TOO_LATE';
}

/** `wanted`: as it would be made now. */
export async function changePrepared(work: SubmissionWork, wanted: TargetRequest): Promise<Advanced> {
  const { guid, request, outcome } = work.claimed;
  if (guid === null || (request?.contentHash === wanted.contentHash && outcome === 'accepted'))
    return rest(work, { action: 'same-again', to: 'created', reason: null, tries: 0, dueInMs: 0 });
  return (await takenBack(work)) ?? update(work, { ...wanted, act: 'update', guid }, guid);
}

/** Whether the last update has arrived nobody can see, and another of the same harms nothing. */
export function resolveChange(work: SubmissionWork, request: TargetRequest): Promise<Advanced> {
  const isRefused = work.claimed.outcome === 'rejected';
  if (isRefused && repeatsNumbers(request))
    return update(work, withNumbersApart(request), request.guid ?? '');
  if (isRefused) return refuse(work, reason('SUBMISSION_REFUSED', { message: message('CHANGE_REFUSED') }));
  return update(work, request, request.guid ?? '');
}

async function update(work: SubmissionWork, request: TargetRequest, guid: Guid): Promise<Advanced> {
  const { stage, tenant, claimed } = work;
  const made = await listMade(work, guid);
  await stage.breakers.succeeded(tenant.name, 'source');
  if (made === null) return gone(work, guid);
  if (made.length > 0) return tooLate(work, made);
  return sendRequest(work, request, readBack(claimed.guid ?? guid));
}

function listMade({ tenant, claimed }: SubmissionWork, guid: Guid) {
  return tenant.target.listMade(claimed.kind === 'draft' ? 'draft' : 'order', guid);
}

/** The service has said yes: where an invoice was made of it meanwhile, that shows whether it was before the update or after. */
function readBack(guid: Guid): ReadBack {
  return async (work, { body }) => {
    const made = await listMade(work, guid).catch(() => null);
    const amount = new Decimal(String(body['amount']));
    const isOlder = made?.some((invoice) => !amount.eq(invoice.amount)) === true;
    return isOlder ? tooLate(work, made) : created(work, { guid });
  };
}

/** One that was made a moment ago may not be shown yet; later, somebody has deleted it there. */
function gone(work: SubmissionWork, guid: Guid): Promise<Advanced> {
  const { stage, claimed } = work;
  const waitMs = quietPeriodMs(stage.timing) - (claimed.sentAgoMs ?? Number.POSITIVE_INFINITY);
  if (waitMs > 0) return rest(work, { action: 'waits-to-look', dueInMs: Math.ceil(waitMs) });
  return park(work, reason('PREPARED_GONE', { reference: claimed.reference, guid }));
}

function tooLate(work: SubmissionWork, made: readonly FoundInvoice[]): Promise<Advanced> {
  const { id, tenantName: tenant, kind, reference, content } = work.claimed;
  const fingerprint = `${id}:${contentFacts(kind, content).hash.slice(0, 12)}`;
  return rest(work, {
    ...{ action: 'changed-too-late', to: 'created', tries: 0, dueInMs: 0, invoices: made },
    created: { guid: null, number: numbersOf(made), paymentLink: null },
    reason: reason('CHANGED_TOO_LATE', { invoices: numbersOf(made) }),
    incidents: [
      incident('SUBMISSION_CHANGED', { tenant, kind, reference }, { severity: 'warning', fingerprint }),
    ],
  });
}

// An invoice that stands at the service and is paid by now, as its origin says: the service is told so once. What the service shows decides
// whether it has to be told, so that one whose reply was lost is told again only where it is not Paid. Where it cannot be told, a person hears.

/** What the service says yes to and does not show is looked at so often. */
const LOOKS_MAX = 3;

/** It was made as one that is not paid, and nobody has said since that it is. */
export function owesPaid({ kind, guid, request, content }: SubmissionRecord): boolean {
  if (kind !== 'invoice' || guid === null || request?.act === 'delete') return false;
  const isSaid = request?.act === 'create' && request.body['mark_paid'] === true;
  return !isSaid && (JSON.parse(content) as { readonly mark_paid?: boolean }).mark_paid === true;
}

const LOOKED_AT: ReadonlySet<string> = new Set(['PAID_ALREADY', 'NOT_MARKED_PAID']);

/** Its origin said so while it was being made. */
export function isPaidSince(claimed: SubmissionRecord): boolean {
  const isLookedAt = LOOKED_AT.has(claimed.reason?.code ?? '');
  return claimed.request?.act === 'create' && !isLookedAt && owesPaid(claimed);
}

export async function tellPaid(work: SubmissionWork): Promise<Advanced> {
  const { tenant, claimed } = work;
  const guid = claimed.guid ?? '';
  const shown = await read(work, guid);
  if (shown?.isPaid === true)
    return rest(work, {
      ...{ action: 'paid-already', to: 'created', tries: 0, dueInMs: 0 },
      reason: reason('PAID_ALREADY', {}),
    });
  if (shown === null) return notMarked(work, message('CREATED_NOT_SHOWN'));
  const request: TargetRequest = { act: 'pay', kind: 'invoice', guid, body: {} };
  const problem = tenant.target.breach(request);
  return problem === null ? send(work, request) : notMarked(work, saidBy(problem));
}

/** Nothing of it can be on its way any more. */
export async function resolvePaid(work: SubmissionWork, request: TargetRequest): Promise<Advanced> {
  const { outcome, tries } = work.claimed;
  const guid = request.guid ?? '';
  const shown = await read(work, guid);
  if (shown?.isPaid === true) return created(work, { guid });
  if (outcome === 'rejected') return notMarked(work, message('CHANGE_REFUSED'));
  if (outcome !== 'accepted') return send(work, request);
  return tries < LOOKS_MAX ? lookAgain(work) : notMarked(work, message('CREATED_NOT_SHOWN'));
}

async function read({ stage, tenant, claimed }: SubmissionWork, guid: string): Promise<FoundInvoice | null> {
  const shown = await tenant.target.readInvoice(guid, claimed.key, tenant.wish.mark);
  await stage.breakers.succeeded(tenant.name, 'source');
  return shown;
}

function send(work: SubmissionWork, request: TargetRequest): Promise<Advanced> {
  const guid = request.guid ?? '';
  const readBack = async (sent: SubmissionWork): Promise<Advanced> => {
    const shown = await read(sent, guid).catch(() => null);
    return shown?.isPaid === true ? created(sent, { guid }) : lookAgain(sent);
  };
  const refused: typeof notMarked = (sent, what) => notMarked(sent, what, finished('rejected'));
  return sendRequest(work, request, readBack, { refused });
}

function lookAgain(work: SubmissionWork): Promise<Advanced> {
  const tries = work.claimed.tries + 1;
  const dueInMs = retryInMs(tries, work.stage.runtime.random);
  return rest(work, { action: 'not-shown', to: 'unknown', tries, dueInMs, ...finished('accepted') });
}

/** The invoice stands there as it was. */
function notMarked(
  work: SubmissionWork,
  what: Message,
  more: Partial<ReturnType<typeof finished>> = {},
): Promise<Advanced> {
  const { id, tenantName: tenant, kind, reference, content } = work.claimed;
  const fingerprint = `${id}:${contentFacts(kind, content).hash.slice(0, 12)}`;
  return rest(work, {
    ...{ action: 'not-marked-paid', to: 'created', tries: 0, dueInMs: 0 },
    reason: reason('NOT_MARKED_PAID', { what }),
    incidents: [
      incident('SUBMISSION_CHANGED', { tenant, kind, reference }, { severity: 'warning', fingerprint }),
    ],
    ...more,
  });
}

// What people at the service made of a draft or order: its origin is told the number, and no invoice of it is taken for somebody else's. It is
// looked at less and less often, and at once when an invoice with its mark comes by (store/our-invoices).

/** Some two weeks of them: a minute later first, and twice a day in the end. */
const INVOICE_LOOKS_MAX = 40;
const SOONEST = 2;
const NUMBERS_MAX = 200;

function numbersOf(made: readonly FoundInvoice[]): string {
  return made
    .map(({ number, guid }) => number || guid)
    .join(', ')
    .slice(0, NUMBERS_MAX);
}

/** When to look for what becomes of it; null: that is known, or nothing does. */
export function nextLookForInvoiceInMs({ stage, claimed }: SubmissionWork, looks: number): number | null {
  const isOpen = isPrepared(claimed.kind) && claimed.guid !== null && claimed.number === null;
  return isOpen && looks <= INVOICE_LOOKS_MAX ? retryInMs(SOONEST + looks, stage.runtime.random) : null;
}

/** An answer that does not come is no reason to call anybody: what was done is done. */
export async function lookForInvoices(work: SubmissionWork): Promise<Advanced> {
  const { tenant, claimed } = work;
  const { kind, guid, number } = claimed;
  const looks = claimed.tries + 1;
  const dueInMs = nextLookForInvoiceInMs(work, looks);
  if (guid === null) return rest(work, { action: 'given-back', tries: 0, dueInMs: null });
  const made = await tenant.target
    .listMade(kind === 'draft' ? 'draft' : 'order', guid)
    .catch(() => undefined);
  if (made === undefined) return rest(work, { action: 'not-read-yet', tries: looks, dueInMs });
  if (made === null) return rest(work, { action: 'gone-there', tries: 0, dueInMs: null });
  if (made.length === 0)
    return rest(work, { action: 'not-invoiced-yet', tries: looks, dueInMs, invoices: [] });
  const numbers = numbersOf(made);
  // Killed after it, the next one tells the same.
  if (numbers !== number) await tell({ ...work, claimed: { ...claimed, number: numbers } }, 'created', null);
  const created = { guid: null, number: numbers, paymentLink: null };
  return rest(work, { action: 'invoiced', tries: 0, dueInMs: null, created, invoices: made });
}
