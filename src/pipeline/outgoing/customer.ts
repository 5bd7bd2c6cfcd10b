// Customers by kennitala, since creating one never looks for an existing one (write rule 7): none is created, one is updated where the
// origin says something else and may, of several a person says which.
import { message, reason } from '../../language/messages.js';
import type { FoundCustomer, TargetRequest } from '../../invoicing/invoicing-target.js';
import { type CustomerContent, customerContent } from './content.js';
import {
  type Advanced,
  type SubmissionWork,
  finished,
  park,
  refuse,
  refuseBreach,
  rest,
} from './submission-work.js';
import { incomplete } from './find-document.js';
import { customerChanges, customerRequest } from './make-request.js';
import { notShown } from './read-back.js';
import { type Accepted, sendRequest } from './send-request.js';
import { quietPeriodMs } from './stage.js';

export async function beginCustomer(work: SubmissionWork): Promise<Advanced> {
  const { stage, claimed } = work;
  const content = customerContent.parse(JSON.parse(claimed.content));
  const waitMs = claimed.restoredAgoMs === null ? 0 : quietPeriodMs(stage.timing) - claimed.restoredAgoMs;
  if (waitMs > 0) return rest(work, { action: 'waits-to-look', dueInMs: Math.ceil(waitMs) });
  const found = await find(work, content.kennitala);
  if (found === 'rested' || found === 'lost') return found;
  const known = theOne(work, found);
  if (known === 'several')
    return park(work, reason('CUSTOMER_AMBIGUOUS', { kennitala: content.kennitala, guids: guidsOf(found) }));
  return known === null ? send(work, customerRequest(content)) : update(work, content, known);
}

export async function resolveCustomer(work: SubmissionWork, request: TargetRequest): Promise<Advanced> {
  const { claimed } = work;
  const content = customerContent.parse(JSON.parse(claimed.content));
  const found = await find(work, content.kennitala);
  if (found === 'rested' || found === 'lost') return found;
  const known = theOne(work, found);
  if (known === 'several')
    return park(work, reason('CUSTOMER_AMBIGUOUS', { kennitala: content.kennitala, guids: guidsOf(found) }));
  if (known !== null) return update(work, content, known);
  const { guid, number, paymentLink } = claimed;
  if (claimed.outcome === 'accepted') return notShown(work, { guid, number, paymentLink });
  if (claimed.outcome === 'rejected')
    return refuse(work, reason('SUBMISSION_REFUSED', { message: message('REFUSED_AND_ABSENT') }));
  // One that was to be changed and is gone is made anew from what the origin says now.
  return sendRequest(work, request.act === 'create' ? request : customerRequest(content), readBackCustomer);
}

/** The service has said yes: it is looked up once, so that its guid is the one that invoices use. */
async function readBackCustomer(
  work: SubmissionWork,
  _request: TargetRequest,
  { guid, paymentLink }: Accepted,
): Promise<Advanced> {
  const { kennitala } = customerContent.parse(JSON.parse(work.claimed.content));
  const found = await work.tenant.target.findCustomers(kennitala).catch(() => null);
  if (found?.outcome !== 'complete' || found.found.length === 0)
    return notShown(work, { guid: guid ?? work.claimed.guid, number: null, paymentLink });
  const known = theOne(work, found.found);
  if (known === 'several' || known === null)
    return rest(work, {
      action: 'parked',
      to: 'parked',
      reason: reason('CUSTOMER_AMBIGUOUS', { kennitala, guids: guidsOf(found.found) }),
      dueInMs: null,
      ...finished('accepted'),
    });
  return created(work, known, finished('accepted'));
}

async function find(work: SubmissionWork, kennitala: string): Promise<readonly FoundCustomer[] | Advanced> {
  const { stage, tenant } = work;
  const found = await tenant.target.findCustomers(kennitala);
  await stage.breakers.succeeded(tenant.name, 'source');
  return found.outcome === 'complete' ? found.found : incomplete(work, found);
}

/** The one that a person, or an earlier look, settled on; otherwise the only one. */
function theOne(
  { claimed }: SubmissionWork,
  found: readonly FoundCustomer[],
): FoundCustomer | 'several' | null {
  const settled = found.find(({ guid }) => guid === claimed.guid);
  if (settled) return settled;
  const [first] = found;
  return found.length > 1 ? 'several' : (first ?? null);
}

function guidsOf(found: readonly FoundCustomer[]): string {
  return found
    .map(({ guid }) => guid)
    .join(', ')
    .slice(0, 400);
}

/** A customer that only an invoice named is taken as it is; whoever lists customers says what they are. */
function update(work: SubmissionWork, content: CustomerContent, known: FoundCustomer): Promise<Advanced> {
  const mayChange = work.claimed.origin !== '' && work.tenant.wish.customers === 'update';
  const changes = mayChange ? customerChanges(content, known, work.tenant.wish.serviceWins) : null;
  if (changes === null)
    return created(work, known, work.claimed.state === 'received' ? {} : finished('accepted'));
  return send(work, changes);
}

function send(work: SubmissionWork, request: TargetRequest): Promise<Advanced> {
  const problem = work.tenant.target.breach(request);
  if (problem !== null && work.claimed.state === 'received') return refuseBreach(work, problem);
  return sendRequest(work, request, readBackCustomer);
}

function created(
  work: SubmissionWork,
  { guid }: FoundCustomer,
  more: Partial<ReturnType<typeof finished>>,
): Promise<Advanced> {
  return rest(
    work,
    {
      action: 'created',
      to: 'created',
      reason: null,
      tries: 0,
      dueInMs: 0,
      created: { guid, number: null, paymentLink: null },
      ...more,
    },
    'after-submission-created',
  );
}
