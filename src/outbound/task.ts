// A task with its hourly price, made once; it is found again by the mark in its name.
import type { FoundTask, TargetRequest } from '../service/invoicing-target.js';
import { absent } from './absent.js';
import { taskContent } from './content.js';
import { awaitCustomer, customerGuid } from './document.js';
import { incomplete } from './find-document.js';
import { taskRequest } from './make-request.js';
import { several } from './several.js';
import { notShown } from './read-back.js';
import { type Accepted, sendRequest } from './send-request.js';
import { quietPeriodMs } from './stage.js';
import { type Advanced, type SubmissionWork, created, refuseBreach, rest } from './submission-work.js';

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
