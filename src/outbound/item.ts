// Items by the number of their origin, which stands at the head of their description since the service numbers them itself: none is
// created, one is updated where the origin has changed something, of several a person says which. An item that has the number as its own
// and the same name, as a line of an invoice leaves one behind, is taken for it; under another name it may be a chance, and a person
// decides.
import { behindHead, headNumber, headOf } from '../domain/source-document.js';
import type { FoundItem, TargetRequest } from '../service/invoicing-target.js';
import { message, reason } from '../language/messages.js';
import { agreedAsShown } from './agree-fields.js';
import { type ItemContent, itemContent } from '../origins/content.js';
import { incomplete } from './find-document.js';
import { agreeByRule, freshly, guidsOf, settled, waitUntilShown, type Written } from './watch-service.js';
import { itemFields, itemRequest, itemUpdate } from './make-request.js';
import { notShown, type Accepted, type ReadBack, sendRequest } from './send-request.js';
import { quietPeriodMs } from './stage.js';
import {
  type Advanced,
  type SubmissionWork,
  finished,
  park,
  refuse,
  refuseBreach,
  rest,
} from './submission-work.js';

export async function beginItem(work: SubmissionWork): Promise<Advanced> {
  const { stage, claimed } = work;
  const content = itemContent.parse(JSON.parse(claimed.content));
  const waitMs = claimed.restoredAgoMs === null ? 0 : quietPeriodMs(stage.timing) - claimed.restoredAgoMs;
  if (waitMs > 0) return rest(work, { action: 'waits-to-look', dueInMs: Math.ceil(waitMs) });
  // Another bridge, or a database that was lost, may have made it before; nobody who knows of it makes it now.
  const isNew = claimed.restoredAgoMs === null && claimed.request === null;
  const found = await find(work, isNew ? 'lately' : 'now');
  if (found === 'rested' || found === 'lost') return found;
  const { meant, perhaps } = candidates(work, content, found);
  const [first] = meant;
  if (meant.length > 1 || (first === undefined && perhaps.length > 0 && !claimed.surelyAbsent))
    return ambiguous(work, [...meant, ...perhaps]);
  return first === undefined ? create(work, content) : update(work, content, first);
}

/** By its head alone: whether one that a chance has given its number is meant was decided before it was sent. */
export async function resolveItem(work: SubmissionWork, request: TargetRequest): Promise<Advanced> {
  const { claimed } = work;
  const content = itemContent.parse(JSON.parse(claimed.content));
  const found = await find(work, 'now', request.guid ?? claimed.guid);
  if (found === 'rested' || found === 'lost') return found;
  const [first, another] = found.filter((item) => isMeant(work, item, request.guid));
  if (another !== undefined) return ambiguous(work, found);
  if (first !== undefined) return update(work, content, first);
  const { guid, number, paymentLink } = claimed;
  if (claimed.outcome === 'accepted') return notShown(work, { guid, number, paymentLink });
  if (claimed.outcome === 'rejected')
    return refuse(work, reason('SUBMISSION_REFUSED', { message: message('REFUSED_AND_ABSENT') }));
  return create(work, content);
}

/** What is known by its guid is asked for by it; otherwise the whole catalogue is read. */
async function find(
  work: SubmissionWork,
  how: 'now' | 'lately',
  guid = work.claimed.guid,
): Promise<readonly FoundItem[] | Advanced> {
  const { stage, tenant } = work;
  const known = guid === null ? null : await tenant.target.readItem(guid);
  if (known !== null) return [known];
  const found = await tenant.target.listItems(how);
  await stage.breakers.succeeded(tenant.name, 'source');
  return found.outcome === 'complete' ? found.found : incomplete(work, found);
}

function numberOf({ tenant, claimed }: SubmissionWork): string {
  return headNumber(tenant.series[claimed.origin] ?? '', claimed.reference);
}

/** It is the one that is on record, or carries its number at its head. */
function isMeant(work: SubmissionWork, item: FoundItem, guid: string | undefined): boolean {
  const known = guid ?? work.claimed.guid;
  return item.guid === known || headOf(item.fields['description'] ?? '') === numberOf(work);
}

interface Candidates {
  readonly meant: readonly FoundItem[];
  /** The service calls these by its number, which may be a chance. */
  readonly perhaps: readonly FoundItem[];
}

function candidates(work: SubmissionWork, content: ItemContent, found: readonly FoundItem[]): Candidates {
  const meant = found.filter((item) => isMeant(work, item, undefined));
  if (meant.length > 0) return { meant, perhaps: [] };
  const numbered = found.filter(({ number }) => number === work.claimed.reference);
  const [first, another] = numbered;
  const isSame =
    first !== undefined && behindHead(first.fields['description'] ?? '') === content.description.trim();
  return isSame && another === undefined
    ? { meant: numbered, perhaps: [] }
    : { meant: [], perhaps: numbered };
}

function ambiguous(work: SubmissionWork, found: readonly FoundItem[]): Promise<Advanced> {
  return park(work, reason('ITEM_AMBIGUOUS', { number: numberOf(work), guids: guidsOf(found) }));
}

/** One that was there and is shown no more is not made anew on a guess. */
function create(work: SubmissionWork, content: ItemContent): Promise<Advanced> {
  const { stage, claimed } = work;
  const number = numberOf(work);
  if (claimed.guid !== null && !claimed.surelyAbsent) {
    const waitMs = quietPeriodMs(stage.timing) - (claimed.sentAgoMs ?? Number.POSITIVE_INFINITY);
    if (waitMs > 0) return rest(work, { action: 'waits-to-look', dueInMs: Math.ceil(waitMs) });
    return park(work, reason('ITEM_GONE', { number, guid: claimed.guid }));
  }
  return send(work, itemRequest(content, number), freshly(itemFields(content, number)), {});
}

async function update(work: SubmissionWork, content: ItemContent, known: FoundItem): Promise<Advanced> {
  const { claimed, tenant } = work;
  const number = numberOf(work);
  const more = claimed.state === 'received' ? {} : finished('accepted');
  if (tenant.wish.items === 'create-only') return created(work, known, null, more);
  const waits = await waitUntilShown(work, known.fields);
  if (waits !== null) return waits;
  const agreement = agreeByRule(work, itemFields(content, number), known.fields);
  if (agreement.write.length === 0) return created(work, known, agreement, more);
  return send(work, itemUpdate(content, number, known.guid, agreement.write), agreement, known.fields);
}

function send(
  work: SubmissionWork,
  request: TargetRequest,
  agreement: Written,
  before: FoundItem['fields'],
): Promise<Advanced> {
  const problem = work.tenant.target.breach(request);
  if (problem !== null && work.claimed.state === 'received') return refuseBreach(work, problem);
  const then: ReadBack = (sent, _request, accepted) =>
    readBack(sent, accepted, request.guid ?? null, agreement, before);
  return sendRequest(work, request, then, agreement.before ? { found: agreement.before } : {});
}

/** The service has said yes: it is read once, for the number that the service has given it. */
async function readBack(
  work: SubmissionWork,
  accepted: Accepted,
  updated: string | null,
  agreement: Written,
  before: FoundItem['fields'],
): Promise<Advanced> {
  const guid = accepted.guid ?? updated;
  const shown = guid === null ? null : await work.tenant.target.readItem(guid).catch(() => null);
  if (shown === null) return notShown(work, { guid, number: null, paymentLink: null });
  const agreed = agreedAsShown(agreement, before, shown.fields);
  return created(work, shown, { ...agreement, agreed }, finished('accepted'));
}

function created(
  work: SubmissionWork,
  { guid, number }: FoundItem,
  agreement: Written | null,
  more: Partial<ReturnType<typeof finished>>,
): Promise<Advanced> {
  return rest(
    work,
    {
      ...{ action: 'created', to: 'created', reason: null, tries: 0, dueInMs: 0 },
      created: { guid, number, paymentLink: null },
      ...more,
      ...(agreement === null ? {} : settled(work, agreement)),
    },
    'after-submission-created',
  );
}
