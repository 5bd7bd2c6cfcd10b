// A draft or order that stands at the service and has changed at its origin. It is updated by its guid, so that a second update of the same
// has no second effect, until an invoice was made of it: what was invoiced is corrected by a credit note, which is for a person. The service
// shows neither drafts nor orders, only what was made of them; that is read before an update and after it.
import type { Guid } from '../domain/ids.js';
import { Decimal } from '../domain/decimal.js';
import { incident } from '../language/incidents/incident-text.js';
import { message, reason } from '../language/messages.js';
import type { FoundInvoice, TargetRequest } from '../service/invoicing-target.js';
import { contentFacts } from './content-facts.js';
import { numbersOf } from './invoices-made.js';
import { isPrepared } from './late-change.js';
import type { SubmissionRecord } from './records.js';
import { repeatsNumbers, withNumbersApart } from './repeated-numbers.js';
import { type ReadBack, sendRequest } from './send-request.js';
import { quietPeriodMs } from './stage.js';
import { takenBack } from './still-there.js';
import { type Advanced, type SubmissionWork, created, park, refuse, rest } from './submission-work.js';

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
