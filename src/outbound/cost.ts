// Receipts and costs into the cost register. A file is sent once by its hash. What AI has to read first is in no list until it has, so a
// receipt whose reply was lost is looked for by its mark, and where that proves nothing a person decides.
import { Decimal } from '../domain/money.js';
import { message, reason } from '../language/messages.js';
import type { CostDays, FoundCost, TargetFile, TargetRequest } from '../service/invoicing-target.js';
import { absent, notShown, type Accepted, sendRequest, readSubmittedFile } from './send-request.js';
import { type CostContent, costContent } from '../origins/content.js';
import { incomplete } from './find-document.js';
import { costRequest } from './make-request.js';
import {
  mayStand,
  type Advanced,
  type SubmissionWork,
  finished,
  park,
  parkWithAlarm,
  refuseBreach,
  rest,
} from './submission-work.js';
import { quietPeriodMs, type SubmissionChange } from './stage.js';
import { retryInMs } from '../sync/back-off.js';

export async function beginCost(work: SubmissionWork): Promise<Advanced> {
  const { stage, tenant, claimed } = work;
  const content = costContent.parse(JSON.parse(claimed.content));
  const waitMs = claimed.restoredAgoMs === null ? 0 : quietPeriodMs(stage.timing) - claimed.restoredAgoMs;
  if (waitMs > 0) return rest(work, { action: 'waits-to-look', dueInMs: Math.ceil(waitMs) });
  const file = await readSubmittedFile(work, content.file);
  if (file === 'gone') return park(work, reason('FILE_GONE', { file: content.file?.name ?? '' }));
  const request = costRequest(content, claimed.key);
  const problem = tenant.target.breach(request, file);
  if (problem !== null) return refuseBreach(work, problem);
  // Another bridge, or a database that was lost, may have sent it before; nobody who knows of it sends it now.
  const found = await find(
    work,
    content,
    claimed.restoredAgoMs === null && claimed.request === null ? 'lately' : 'now',
  );
  if (found === 'rested' || found === 'lost') return found;
  if (found.length > 0) return judge(work, content, found);
  if (mayBeForgotten(work, content) && mayBeQueued(work, content))
    return parkWithAlarm(work, 'SUBMISSION_UNKNOWN', message('RECEIPT_MAY_BE_QUEUED'));
  return send(work, request, file);
}

export async function resolveCost(work: SubmissionWork, request: TargetRequest): Promise<Advanced> {
  const { claimed, tenant } = work;
  const content = costContent.parse(JSON.parse(claimed.content));
  if (claimed.outcome === 'accepted' && claimed.guid !== null) {
    const shown = await tenant.target.readCost(claimed.guid);
    return shown === null ? stillQueued(work) : created(work, shown);
  }
  const found = await find(work, content, 'now');
  if (found === 'rested' || found === 'lost') return found;
  if (found.length > 0) return judge(work, content, found);
  if (claimed.outcome !== 'accepted' && claimed.outcome !== 'rejected' && mayBeQueued(work, content))
    return parkWithAlarm(work, 'SUBMISSION_UNKNOWN', message('RECEIPT_MAY_BE_QUEUED'));
  return absent(work, async () => {
    const file = await readSubmittedFile(work, content.file);
    if (file === 'gone') return parkWithAlarm(work, 'SUBMISSION_UNKNOWN', message('FILE_TO_SEND_IS_GONE'));
    return send(work, request, file);
  });
}

/** A file that was changed after a restore was sent by nobody before it. */
function mayBeForgotten({ stage, claimed }: SubmissionWork, { seen = '' }: CostContent): boolean {
  const restoredAt = stage.runtime.clock.now().getTime() - (claimed.restoredAgoMs ?? 0);
  const isNewer = seen > new Date(restoredAt).toISOString().slice(0, 10);
  return mayStand(isNewer ? { ...claimed, restoredAgoMs: null } : claimed);
}

/** AI reads a receipt that comes alone; how long it takes is not said anywhere. */
function mayBeQueued({ tenant }: SubmissionWork, content: CostContent): boolean {
  return tenant.wish.costAi && content.amount === undefined;
}

function stillQueued(work: SubmissionWork): Promise<Advanced> {
  const { guid, number, paymentLink } = work.claimed;
  return notShown(work, { guid, number, paymentLink });
}

async function find(
  work: SubmissionWork,
  content: CostContent,
  how: 'now' | 'lately',
): Promise<readonly FoundCost[] | Advanced> {
  const { stage, tenant, claimed } = work;
  const found = await tenant.target.findCosts(claimed.key, daysOf(work, content), how);
  await stage.breakers.succeeded(tenant.name, 'source');
  return found.outcome === 'complete' ? found.found : incomplete(work, found);
}

/** It was created after its file was last changed, and never on a day that is still to come. */
function daysOf({ stage }: SubmissionWork, { seen, date = seen }: CostContent): CostDays {
  const today = stage.runtime.clock.now().toISOString().slice(0, 10);
  const known = seen ?? date ?? today;
  return { date, since: known < today ? known : today };
}

function send(work: SubmissionWork, request: TargetRequest, file: TargetFile | undefined): Promise<Advanced> {
  return sendRequest(work, request, readBackCost, file ? { file } : {});
}

/** Its guid reads it; where AI reads it first it is not shown yet, and is looked at again. */
async function readBackCost(
  work: SubmissionWork,
  _request: TargetRequest,
  { guid }: Accepted,
): Promise<Advanced> {
  const { target } = work.tenant;
  const content = costContent.parse(JSON.parse(work.claimed.content));
  const accepted = { guid, number: null, paymentLink: null };
  if (guid !== null) {
    const shown = await target.readCost(guid).catch(() => null);
    return shown === null ? notShown(work, accepted) : created(work, shown);
  }
  const found = await target.findCosts(work.claimed.key, daysOf(work, content), 'now').catch(() => null);
  if (found?.outcome !== 'complete' || found.found.length === 0) return notShown(work, accepted);
  return judge(work, content, found.found);
}

function judge(
  work: SubmissionWork,
  { amount }: CostContent,
  found: readonly FoundCost[],
): Promise<Advanced> {
  const [first] = found;
  if (first === undefined || found.length > 1) {
    const invoices = found.map(({ guid }) => guid).join(', ');
    return parkWithAlarm(
      work,
      'SUBMISSION_TWICE',
      message('SEVERAL_CARRY_THE_MARK', { invoices: invoices.slice(0, 200) }),
    );
  }
  if (amount !== undefined && !new Decimal(amount).abs().eq(new Decimal(first.amount ?? 0).abs()))
    return parkWithAlarm(
      work,
      'SUBMISSION_COLLISION',
      message('FIELD_IS_NOT', { field: 'amount', theirs: first.amount ?? '', ours: amount }),
    );
  return created(work, first);
}

/** What was read of it is what lists show; what nobody has read yet is looked at again (unread-cost.ts). */
function created(work: SubmissionWork, shown: FoundCost): Promise<Advanced> {
  const { guid } = shown;
  return rest(
    work,
    {
      ...{ action: 'created', to: 'created', reason: null, tries: 0, dueInMs: 0 },
      created: { guid, number: null, paymentLink: null },
      shown: shownOf(shown),
      ...(work.claimed.state === 'received' ? {} : finished('accepted')),
    },
    'after-submission-created',
  );
}

// A receipt that came alone has no amount before somebody has read it at the service: AI a moment later, or people next week. Nothing waits for
// that; it stands there and its origin knows. It is looked at again, less and less often, until lists can show what it comes to.

/** Some two weeks of them: a minute later first, and twice a day in the end. A look carries the whole receipt. */
const LOOKS_MAX = 40;
const SOONEST = 2;

/** How an amount that nobody has read is written is not said: nothing, or naught. */
function shownOf({ amount, currency, supplierId }: FoundCost): NonNullable<SubmissionChange['shown']> {
  const isRead = amount !== null && !new Decimal(amount).isZero();
  return { ...(isRead ? { amount, currency } : { amount: null, currency: null }), counterparty: supplierId };
}

/** When to look for what it comes to; null: that is known, or it is nothing that anybody reads. */
export function nextLookInMs({ stage, claimed }: SubmissionWork, looks: number): number | null {
  const isUnread = claimed.kind === 'cost' && claimed.guid !== null && claimed.amount === null;
  return isUnread && looks <= LOOKS_MAX ? retryInMs(SOONEST + looks, stage.runtime.random) : null;
}

/** Whatever it finds, what was done is done: an answer that does not come is no reason to call anybody. */
export async function lookAtUnread(work: SubmissionWork): Promise<Advanced> {
  const { tenant, claimed } = work;
  const looks = claimed.tries + 1;
  const againInMs = nextLookInMs(work, looks);
  if (againInMs === null || claimed.guid === null)
    return rest(work, { action: 'given-back', tries: 0, dueInMs: null });
  const found = await tenant.target.readCost(claimed.guid).catch(() => null);
  const shown = found === null ? null : shownOf(found);
  return shown === null || shown.amount === null
    ? rest(work, { action: 'not-read-yet', tries: looks, dueInMs: againInMs })
    : rest(work, { action: 'read', shown, tries: 0, dueInMs: null });
}
