// An invoice that stands at the service and is paid by now, as its origin says: the service is told so once. What the service shows decides
// whether it has to be told, so that one whose reply was lost is told again only where it is not Paid. Where it cannot be told, a person hears.
import type { FoundInvoice, TargetRequest } from '../service/invoicing-target.js';
import { incident } from '../language/incidents/incident-text.js';
import { message, reason, saidBy } from '../language/messages.js';
import type { Message } from '../domain/message.js';
import { retryInMs } from '../sync/back-off.js';
import { contentFacts } from './content-facts.js';
import type { SubmissionRecord } from './records.js';
import { sendRequest } from './send-request.js';
import { type Advanced, created, finished, rest, type SubmissionWork } from './submission-work.js';

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
