// An invoice, draft, order or quote that somebody sent, when nothing of it can be on its way any more: what the service shows decides.
import type { Guid } from '../domain/ids.js';
import type { FoundInvoice, TargetRequest } from '../service/invoicing-target.js';
import { message } from '../language/messages.js';
import {
  absent,
  attachFiles,
  lacksFile,
  mayRenew,
  RENEWED,
  readBackDocument,
  repeatsNumbers,
  withNumbersApart,
  sendRequest,
} from './send-request.js';
import { resolveChange, resolvePaid } from './change-prepared.js';
import { invoiceContent } from '../origins/content.js';
import { judgeFound, search } from './find-document.js';
import { type Advanced, type SubmissionWork, parkWithAlarm } from './submission-work.js';

export async function resolveDocument(work: SubmissionWork, request: TargetRequest): Promise<Advanced> {
  const { claimed } = work;
  if (request.act === 'pay') return resolvePaid(work, request);
  if (request.act === 'update') return resolveChange(work, request);
  if (claimed.kind !== 'invoice')
    return parkWithAlarm(work, 'SUBMISSION_UNKNOWN', message('CANNOT_BE_SEARCHED'));
  const { guid, paymentLink, outcome } = claimed;
  const shown = outcome === 'accepted' && guid !== null ? await readNamed(work, guid) : null;
  const found = shown === null ? await search(work, request) : [shown];
  if (found === 'rested' || found === 'lost') return found;
  if (found.length > 0)
    return judgeFound(work, request, found, outcome === 'accepted' ? { guid, paymentLink } : null);
  if (outcome === 'rejected' && (mayRenew(work, request) || lacksFile(work, request)))
    return sendWithFilesAnew(work, request);
  if (outcome === 'rejected' && repeatsNumbers(request))
    return sendRequest(work, withNumbersApart(request), readBackDocument);
  return absent(work, () => sendRequest(work, request, readBackDocument));
}

function readNamed({ tenant, claimed }: SubmissionWork, guid: Guid): Promise<FoundInvoice | null> {
  return tenant.target.readInvoice(guid, claimed.key, tenant.wish.mark);
}

/** It was refused, a complete list does not have it, and nothing of it can be on its way: the service may have forgotten its files. */
async function sendWithFilesAnew(given: SubmissionWork, request: TargetRequest): Promise<Advanced> {
  const content = invoiceContent.parse(JSON.parse(given.claimed.content));
  const renewed = await renew(given);
  if (renewed === 'lost') return renewed;
  const attached = await attachFiles(renewed, request, content);
  if (attached === 'rested' || attached === 'lost') return attached;
  return sendRequest(attached.work, attached.request, readBackDocument);
}

/** What was begun before a crash is gone on with. */
async function renew(work: SubmissionWork): Promise<SubmissionWork | 'lost'> {
  const { stage, claimed } = work;
  if (claimed.uploads?.areRenewed === true) return work;
  const change = { action: 'files-anew', uploads: RENEWED, dueInMs: 0, keep: true } as const;
  if (!(await stage.store.commit(claimed, change))) return 'lost';
  return { ...work, claimed: { ...claimed, uploads: RENEWED } };
}
