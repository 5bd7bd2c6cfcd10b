// A receipt that came alone has no amount before somebody has read it at the service: AI a moment later, or people next week. Nothing waits for
// that; it stands there and its origin knows. It is looked at again, less and less often, until lists can show what it comes to.
import { Decimal } from '../domain/decimal.js';
import type { FoundCost } from '../service/invoicing-target.js';
import { retryInMs } from '../sync/back-off.js';
import type { SubmissionChange } from './records.js';
import { type Advanced, type SubmissionWork, rest } from './submission-work.js';

/** Some two weeks of them: a minute later first, and twice a day in the end. A look carries the whole receipt. */
const LOOKS_MAX = 40;
const SOONEST = 2;

/** How an amount that nobody has read is written is not said: nothing, or naught. */
export function shownOf({ amount, currency, supplierId }: FoundCost): NonNullable<SubmissionChange['shown']> {
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
