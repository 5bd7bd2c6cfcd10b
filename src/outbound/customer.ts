// Customers by kennitala, since creating one never looks for an existing one (write rule 7): none is created, one is updated where the
// origin has changed something, of several a person says which. One that was there and is listed no more is not made a second time.
import type { Guid } from '../domain/ids.js';
import { message, reason } from '../language/messages.js';
import type { FoundCustomer, TargetRequest } from '../service/invoicing-target.js';
import { agreedAsShown } from './agree-fields.js';
import { type CustomerContent, customerContent } from '../origins/content.js';
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
import { agreeByRule, freshly, guidsOf, settled, waitUntilShown, type Written } from './watch-service.js';
import { customerFields, customerRequest, customerUpdate } from './make-request.js';
import { notShown, type Accepted, type ReadBack, sendRequest } from './send-request.js';
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
  return known === null || known.isDeactivated
    ? create(work, content, known?.guid ?? claimed.guid)
    : update(work, content, known);
}

export async function resolveCustomer(work: SubmissionWork): Promise<Advanced> {
  const { claimed } = work;
  const content = customerContent.parse(JSON.parse(claimed.content));
  const found = await find(work, content.kennitala);
  if (found === 'rested' || found === 'lost') return found;
  const known = theOne(work, found);
  if (known === 'several')
    return park(work, reason('CUSTOMER_AMBIGUOUS', { kennitala: content.kennitala, guids: guidsOf(found) }));
  if (known?.isDeactivated) return create(work, content, known.guid);
  if (known !== null) return update(work, content, known);
  const { guid, number, paymentLink } = claimed;
  if (claimed.outcome === 'accepted') return notShown(work, { guid, number, paymentLink });
  if (claimed.outcome === 'rejected')
    return refuse(work, reason('SUBMISSION_REFUSED', { message: message('REFUSED_AND_ABSENT') }));
  // One that was to be changed and is gone is not made anew on a guess. What is made is what its origin says by now.
  return create(work, content, guid);
}

/** No list shows it. Where one did (`guid`), its profile was deactivated: a second one beside it is for a person, or a rule, to want. */
function create(work: SubmissionWork, content: CustomerContent, guid: Guid | null): Promise<Advanced> {
  const { stage, tenant, claimed } = work;
  const { kennitala } = content;
  const isAllowed = claimed.surelyAbsent || tenant.wish.deactivated === 'create';
  if (guid !== null && !isAllowed) {
    const waitMs = quietPeriodMs(stage.timing) - (claimed.sentAgoMs ?? Number.POSITIVE_INFINITY);
    // What was changed a moment ago may be missing from a list that is behind.
    if (waitMs > 0) return rest(work, { action: 'waits-to-look', dueInMs: Math.ceil(waitMs) });
    return park(work, reason('CUSTOMER_DEACTIVATED', { kennitala, guid }));
  }
  return send(work, customerRequest(content), freshly(customerFields(content)), {});
}

/** The service has said yes: it is looked up once, so that its guid is the one that invoices use. */
async function readBackCustomer(
  work: SubmissionWork,
  { guid, paymentLink }: Accepted,
  agreement: Written,
  before: FoundCustomer['fields'],
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
  const agreed = agreedAsShown(agreement, before, known.fields);
  return created(work, known, { ...agreement, agreed }, finished('accepted'));
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

/** A customer that only an invoice named is taken as it is; whoever lists customers says what they are. */
async function update(
  work: SubmissionWork,
  content: CustomerContent,
  known: FoundCustomer,
): Promise<Advanced> {
  const { claimed, tenant } = work;
  const more = claimed.state === 'received' ? {} : finished('accepted');
  if (claimed.origin === '' || tenant.wish.customers !== 'update') return created(work, known, null, more);
  const waits = await waitUntilShown(work, known.fields);
  if (waits !== null) return waits;
  const agreement = agreeByRule(work, customerFields(content), known.fields);
  if (agreement.write.length === 0) return created(work, known, agreement, more);
  return send(work, customerUpdate(content, known.guid, agreement.write), agreement, known.fields);
}

function send(
  work: SubmissionWork,
  request: TargetRequest,
  agreement: Written,
  before: FoundCustomer['fields'],
): Promise<Advanced> {
  const problem = work.tenant.target.breach(request);
  if (problem !== null && work.claimed.state === 'received') return refuseBreach(work, problem);
  const then: ReadBack = (sent, _request, accepted) => readBackCustomer(sent, accepted, agreement, before);
  return sendRequest(work, request, then, agreement.before ? { found: agreement.before } : {});
}

function created(
  work: SubmissionWork,
  { guid }: FoundCustomer,
  agreement: Written | null,
  more: Partial<ReturnType<typeof finished>>,
): Promise<Advanced> {
  const isNamed = work.claimed.origin !== '';
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
      ...(agreement !== null && isNamed ? settled(work, agreement) : {}),
    },
    'after-submission-created',
  );
}
