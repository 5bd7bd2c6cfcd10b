// What each kind does of its own: how it is begun, and how it is found again when nobody knows what became of it.
import type { SubmissionKind } from '../domain/submission.js';
import type { TargetRequest } from '../service/invoicing-target.js';
import { beginCost, resolveCost } from './cost.js';
import { beginCustomer, resolveCustomer } from './customer.js';
import {
  beginDocument,
  belowZero,
  awaitCustomer,
  customerGuid,
  lacksAmount,
  withServiceNumbers,
} from './document.js';
import { beginHours, resolveHours, beginTask, resolveTask } from './hours.js';
import { beginItem, resolveItem } from './item.js';
import { resolveDocument } from './resolve-document.js';
import {
  type Advanced,
  type SubmissionWork,
  mayStand,
  parkWithAlarm,
  refuseBreach,
  rest,
} from './submission-work.js';
import { message, told } from '../language/messages.js';
import { subscriptionContent } from '../origins/content.js';
import { search } from './find-document.js';
import { subscriptionRequest } from './make-request.js';
import { readBackDocument, asTaken, sendRequest } from './send-request.js';
import { quietPeriodMs } from './stage.js';

// A subscription is one recurring template at the service, made once; the service makes the invoices. Templates are listed nowhere, so
// one whose reply was lost is never made again on a guess: a person looks. The invoices that it makes carry its mark.

async function beginSubscription(work: SubmissionWork): Promise<Advanced> {
  const { stage, tenant, claimed } = work;
  const content = await withServiceNumbers(work, subscriptionContent.parse(JSON.parse(claimed.content)));
  const waitMs = claimed.restoredAgoMs === null ? 0 : quietPeriodMs(stage.timing) - claimed.restoredAgoMs;
  if (waitMs > 0) return rest(work, { action: 'waits-to-look', dueInMs: Math.ceil(waitMs) });
  const isBelowZero = belowZero(content);
  if (isBelowZero !== null) return refuseBreach(work, isBelowZero);
  const customer = await customerGuid(work, content);
  if (customer === 'awaited') return awaitCustomer(work, content.customer);
  if (lacksAmount(content)) return refuseBreach(work, told('AMOUNT_MISSING'));
  const made = subscriptionRequest(content, tenant.wish, claimed.key, customer.guid ?? '');
  const request = asTaken(claimed, made);
  const problem = tenant.target.breach(request);
  if (problem !== null) return refuseBreach(work, problem);
  if (mayStand(claimed))
    return parkWithAlarm(work, 'SUBMISSION_UNKNOWN', message('SUBMISSION_MAY_BE_FORGOTTEN'));
  // Its first invoice would show that it was made before.
  const found = await search(work, request);
  if (found === 'rested' || found === 'lost') return found;
  return found.length > 0 ? isThere(work) : sendRequest(work, request, readBackDocument);
}

async function resolveSubscription(work: SubmissionWork, request: TargetRequest): Promise<Advanced> {
  const found = await search(work, request);
  if (found === 'rested' || found === 'lost') return found;
  if (found.length > 0) return isThere(work);
  return parkWithAlarm(work, 'SUBMISSION_UNKNOWN', message('CANNOT_BE_SEARCHED'));
}

/** It is, and nobody can say under which guid. */
function isThere(work: SubmissionWork): Promise<Advanced> {
  return parkWithAlarm(work, 'SUBMISSION_UNKNOWN', message('TEMPLATE_MAKES_INVOICES'));
}

export interface KindWork {
  begin(work: SubmissionWork): Promise<Advanced>;
  /** Nothing of the request can be on its way any more. */
  resolve(work: SubmissionWork, request: TargetRequest): Promise<Advanced>;
}

const DOCUMENT: KindWork = { begin: beginDocument, resolve: resolveDocument };
const KINDS: Readonly<Record<SubmissionKind, KindWork>> = {
  invoice: DOCUMENT,
  draft: DOCUMENT,
  order: DOCUMENT,
  quote: DOCUMENT,
  customer: { begin: beginCustomer, resolve: resolveCustomer },
  item: { begin: beginItem, resolve: resolveItem },
  cost: { begin: beginCost, resolve: resolveCost },
  task: { begin: beginTask, resolve: resolveTask },
  hours: { begin: beginHours, resolve: resolveHours },
  subscription: { begin: beginSubscription, resolve: resolveSubscription },
};

export function workOn(kind: SubmissionKind): KindWork {
  return KINDS[kind];
}
