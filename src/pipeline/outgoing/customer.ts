// Customers by kennitala, since creating one never looks for an existing one (write rule 7): none is created, one is updated where the
// origin says something else and may, of several a person says which.
import { reason } from '../../language/messages.js';
import type { FoundCustomer, TargetRequest } from '../../invoicing/invoicing-target.js';
import { type CustomerContent, customerContent } from './content.js';
import { type Advanced, type Desk, finished, park, refuse, rest } from './desk.js';
import { incomplete } from './find-document.js';
import { customerChanges, customerRequest } from './make-request.js';
import { notShown } from './read-back.js';
import { type Accepted, sendRequest } from './send-request.js';
import { settledMs } from './stage.js';

export async function beginCustomer(desk: Desk): Promise<Advanced> {
  const { stage, claimed } = desk;
  const content = customerContent.parse(JSON.parse(claimed.content));
  const waitMs = claimed.restoredAgoMs === null ? 0 : settledMs(stage.timing) - claimed.restoredAgoMs;
  if (waitMs > 0) return rest(desk, { action: 'waits-to-look', dueInMs: Math.ceil(waitMs) });
  const found = await find(desk, content.kennitala);
  if (found === 'rested' || found === 'lost') return found;
  const known = theOne(desk, found);
  if (known === 'several')
    return park(desk, reason('CUSTOMER_AMBIGUOUS', { kennitala: content.kennitala, guids: guidsOf(found) }));
  return known === null ? send(desk, customerRequest(content)) : update(desk, content, known);
}

export async function resolveCustomer(desk: Desk, request: TargetRequest): Promise<Advanced> {
  const { claimed } = desk;
  const content = customerContent.parse(JSON.parse(claimed.content));
  const found = await find(desk, content.kennitala);
  if (found === 'rested' || found === 'lost') return found;
  const known = theOne(desk, found);
  if (known === 'several')
    return park(desk, reason('CUSTOMER_AMBIGUOUS', { kennitala: content.kennitala, guids: guidsOf(found) }));
  if (known !== null) return update(desk, content, known);
  const { guid, number, paymentLink } = claimed;
  if (claimed.outcome === 'accepted') return notShown(desk, { guid, number, paymentLink });
  if (claimed.outcome === 'rejected')
    return refuse(desk, reason('SUBMISSION_REFUSED', { message: 'refused, and not there' }));
  // One that was to be changed and is gone is made anew from what the origin says now.
  return sendRequest(desk, request.act === 'create' ? request : customerRequest(content), readBackCustomer);
}

/** The service has said yes: it is looked up once, so that its guid is the one that invoices use. */
async function readBackCustomer(
  desk: Desk,
  _request: TargetRequest,
  { guid, paymentLink }: Accepted,
): Promise<Advanced> {
  const { kennitala } = customerContent.parse(JSON.parse(desk.claimed.content));
  const found = await desk.tenant.target.findCustomers(kennitala).catch(() => null);
  if (found?.outcome !== 'complete' || found.found.length === 0)
    return notShown(desk, { guid: guid ?? desk.claimed.guid, number: null, paymentLink });
  const known = theOne(desk, found.found);
  if (known === 'several' || known === null)
    return rest(desk, {
      action: 'parked',
      to: 'parked',
      reason: reason('CUSTOMER_AMBIGUOUS', { kennitala, guids: guidsOf(found.found) }),
      dueInMs: null,
      ...finished('accepted'),
    });
  return created(desk, known, finished('accepted'));
}

async function find(desk: Desk, kennitala: string): Promise<readonly FoundCustomer[] | Advanced> {
  const { stage, tenant } = desk;
  const found = await tenant.target.findCustomers(kennitala);
  await stage.breakers.succeeded(tenant.name, 'source');
  return found.outcome === 'complete' ? found.found : incomplete(desk, found.message);
}

/** The one that a person, or an earlier look, settled on; otherwise the only one. */
function theOne({ claimed }: Desk, found: readonly FoundCustomer[]): FoundCustomer | 'several' | null {
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
function update(desk: Desk, content: CustomerContent, known: FoundCustomer): Promise<Advanced> {
  const mayChange = desk.claimed.origin !== '' && desk.tenant.wish.customers === 'update';
  const changes = mayChange ? customerChanges(content, known) : null;
  if (changes === null)
    return created(desk, known, desk.claimed.state === 'received' ? {} : finished('accepted'));
  return send(desk, changes);
}

function send(desk: Desk, request: TargetRequest): Promise<Advanced> {
  const problem = desk.tenant.target.breach(request);
  if (problem !== null && desk.claimed.state === 'received')
    return refuse(desk, reason('SUBMISSION_BREACH', { problem: problem.slice(0, 500) }));
  return sendRequest(desk, request, readBackCustomer);
}

function created(
  desk: Desk,
  { guid }: FoundCustomer,
  more: Partial<ReturnType<typeof finished>>,
): Promise<Advanced> {
  return rest(
    desk,
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
