// What each kind does of its own: how it is begun, and how it is found again when nobody knows what became of it.
import type { SubmissionKind } from '../domain/submission.js';
import type { TargetRequest } from '../service/invoicing-target.js';
import { beginCost, resolveCost } from './cost.js';
import { beginCustomer, resolveCustomer } from './customer.js';
import { beginDocument } from './document.js';
import { beginHours, resolveHours } from './hours.js';
import { beginItem, resolveItem } from './item.js';
import { resolveDocument } from './resolve-document.js';
import { beginSubscription, resolveSubscription } from './subscription.js';
import { beginTask, resolveTask } from './task.js';
import type { Advanced, SubmissionWork } from './submission-work.js';

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
