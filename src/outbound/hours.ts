// Dated hours on a task. The service names no guid when it takes them, so they are found again by the mark in their description, among the
// hours of their task. What changes at the origin is corrected there; what was a mistake is deleted again.
import { Decimal } from '../domain/money.js';
import { marksIn } from '../domain/submission.js';
import { message, reason } from '../language/messages.js';
import type { FoundLog, TargetRequest, FoundTask } from '../service/invoicing-target.js';
import { absent, notShown, sendRequest, several, type Accepted } from './send-request.js';
import { type HoursContent, hoursContent, hoursOf, taskContent } from '../origins/content.js';
import {
  keyOf,
  holdAndTell,
  readAwaited,
  type Advanced,
  type SubmissionWork,
  created,
  hold,
  refuseBreach,
  rest,
} from './submission-work.js';
import { hoursRequest, taskRequest } from './make-request.js';
import { quietPeriodMs } from './stage.js';
import { awaitCustomer, customerGuid } from './document.js';
import { incomplete } from './find-document.js';

export async function beginHours(work: SubmissionWork): Promise<Advanced> {
  const { stage, tenant, claimed } = work;
  const waitMs = claimed.restoredAgoMs === null ? 0 : quietPeriodMs(stage.timing) - claimed.restoredAgoMs;
  if (waitMs > 0) return rest(work, { action: 'waits-to-look', dueInMs: Math.ceil(waitMs) });
  const content = contentOf(work);
  const task = await readLogs(work, content);
  if (task === null) return awaitTask(work, content.task);
  const [first, ...others] = task.logs;
  if (others.length > 0) return several(work, task.logs);
  if (content.deleted === true) return first ? takeBack(work, first) : neverThere(work);
  // The service shows how long they were and not from when to when: without a request that it took, they are corrected to be sure.
  const isSettled = claimed.request !== null && claimed.outcome === 'accepted';
  if (first && isSettled && isAsSent(work, content) && isSame(first, content, claimed.key))
    return created(work, { guid: first.guid });
  // One that was made a moment ago may be missing from a list that is behind.
  const behindMs = quietPeriodMs(stage.timing) - (claimed.sentAgoMs ?? Number.POSITIVE_INFINITY);
  if (!first && claimed.guid !== null && behindMs > 0)
    return rest(work, { action: 'waits-to-look', dueInMs: Math.ceil(behindMs) });
  const request = hoursRequest(content, claimed.key, first ? { log: first.guid } : { task: task.guid });
  const problem = tenant.target.breach(request);
  if (problem !== null) return refuseBreach(work, problem);
  return sendRequest(work, request, readBackHours);
}

/** What is there is ours, whatever the origin says by now: it is corrected from there. */
export async function resolveHours(work: SubmissionWork, request: TargetRequest): Promise<Advanced> {
  const content = contentOf(work);
  const task = await readLogs(work, content);
  const [first, ...others] = task?.logs ?? [];
  if (task && others.length > 0) return several(work, task.logs);
  if (first && request.act === 'create') return created(work, { guid: first.guid });
  // A correction may be made again: what stands there is ours.
  if (first)
    return sendRequest(work, hoursRequest(content, work.claimed.key, { log: first.guid }), readBackHours);
  return absent(work, () => sendRequest(work, request, readBackHours));
}

async function readBackHours(work: SubmissionWork): Promise<Advanced> {
  const task = await readLogs(work, contentOf(work)).catch(() => null);
  const [first, ...others] = task?.logs ?? [];
  if (task && others.length > 0) return several(work, task.logs);
  if (!first) return notShown(work, { guid: null, number: null, paymentLink: null });
  return created(work, { guid: first.guid });
}

/** The origin has changed it while it was under way, or since it was sent. */
export async function isOutdated(work: SubmissionWork): Promise<boolean> {
  const content = contentOf(work);
  if (content.deleted === true || !isAsSent(work, content)) return true;
  if (work.claimed.request !== null) return false;
  const task = await readLogs(work, content);
  const [first] = task?.logs ?? [];
  return first !== undefined && !isSame(first, content, work.claimed.key);
}

/** Whether what was sent last says what the origin says by now: the service shows how long it was, and not from when to when. */
function isAsSent({ claimed }: SubmissionWork, content: HoursContent): boolean {
  const { request, key } = claimed;
  if (request === null) return true;
  const wanted = Object.entries(hoursRequest(content, key, { log: '' }).body);
  return request.act !== 'delete' && wanted.every(([field, value]) => request.body[field] === value);
}

/** Whether what was made still stands there. */
export async function hoursStand(work: SubmissionWork): Promise<boolean> {
  const task = await readLogs(work, contentOf(work));
  return (task?.logs.length ?? 0) > 0;
}

/** Its origin has it no more. */
export function isDeleted(work: SubmissionWork): boolean {
  return contentOf(work).deleted === true;
}

function contentOf({ claimed }: SubmissionWork): HoursContent {
  return hoursContent.parse(JSON.parse(claimed.content));
}

async function awaitTask(work: SubmissionWork, reference: string): Promise<Advanced> {
  const awaited = await readAwaited(work, keyOf(work, 'task', reference));
  if (awaited === 'under-way') return hold(work, reason('TASK_AWAITED', { reference }));
  const what = awaited === 'none' ? message('NOT_HANDED_OVER') : awaited.why;
  return holdAndTell(work, reason('TASK_AWAITED', { reference, what }));
}

/** The task, and what of it carries the mark; null: the task is not there. */
async function readLogs(
  work: SubmissionWork,
  content: HoursContent,
): Promise<{ readonly guid: string; readonly logs: readonly FoundLog[] } | null> {
  const { stage, tenant, claimed } = work;
  const guid = await stage.store.createdGuid(tenant.name, keyOf(work, 'task', content.task));
  const task = guid === null ? null : await tenant.target.readTask(guid);
  if (task === null) return null;
  await stage.breakers.succeeded(tenant.name, 'source');
  const logs = task.logs.filter(({ description }) => marksIn(description).includes(claimed.key));
  return { guid: task.guid, logs };
}

const ROUNDING = new Decimal('0.011');

function isSame(log: FoundLog, content: HoursContent, key: string): boolean {
  const { description = '' } = content;
  return (
    log.date === content.date &&
    new Decimal(log.hours).minus(hoursOf(content)).abs().lt(ROUNDING) &&
    log.description.replace(key, '').trim() === description.trim()
  );
}

function takeBack(work: SubmissionWork, { guid }: FoundLog): Promise<Advanced> {
  const made = { guid, number: null, paymentLink: null };
  return rest(work, { action: 'deleted-at-origin', to: 'withdrawing', dueInMs: 0, created: made });
}

function neverThere(work: SubmissionWork): Promise<Advanced> {
  const why = reason('DELETED_AT_ORIGIN', { reference: work.claimed.reference });
  return rest(work, { action: 'deleted-at-origin', to: 'skipped', reason: why, dueInMs: 0 });
}

// A task with its hourly price, made once; it is found again by the mark in its name.

export async function beginTask(work: SubmissionWork): Promise<Advanced> {
  const { stage, tenant, claimed } = work;
  const content = taskContent.parse(JSON.parse(claimed.content));
  const waitMs = claimed.restoredAgoMs === null ? 0 : quietPeriodMs(stage.timing) - claimed.restoredAgoMs;
  if (waitMs > 0) return rest(work, { action: 'waits-to-look', dueInMs: Math.ceil(waitMs) });
  const customer = await customerGuid(work, content);
  if (customer === 'awaited') return awaitCustomer(work, content.customer);
  const request = taskRequest(content, claimed.key, customer.guid ?? '');
  const problem = tenant.target.breach(request);
  if (problem !== null) return refuseBreach(work, problem);
  const found = await find(work);
  if (found === 'rested' || found === 'lost') return found;
  return found.length > 0 ? theOne(work, found) : sendRequest(work, request, readBackTask);
}

export async function resolveTask(work: SubmissionWork, request: TargetRequest): Promise<Advanced> {
  const found = await find(work);
  if (found === 'rested' || found === 'lost') return found;
  return found.length > 0
    ? theOne(work, found)
    : absent(work, () => sendRequest(work, request, readBackTask));
}

async function find(work: SubmissionWork): Promise<readonly FoundTask[] | Advanced> {
  const { stage, tenant, claimed } = work;
  const found = await tenant.target.findTasks(claimed.key);
  await stage.breakers.succeeded(tenant.name, 'source');
  return found.outcome === 'complete' ? found.found : incomplete(work, found);
}

function theOne(work: SubmissionWork, found: readonly FoundTask[]): Promise<Advanced> {
  const [first] = found;
  if (first === undefined || found.length > 1) return several(work, found);
  return created(work, { guid: first.guid, number: first.number });
}

async function readBackTask(
  work: SubmissionWork,
  _request: TargetRequest,
  { guid }: Accepted,
): Promise<Advanced> {
  const { target } = work.tenant;
  const shown = guid === null ? null : await target.readTask(guid).catch(() => null);
  if (shown === null) return notShown(work, { guid, number: null, paymentLink: null });
  return created(work, { guid: shown.guid, number: shown.number });
}
