// Before a first send: may the entry be in the books already? An earlier request of ours may have landed, and a database that was
// restored from a backup may have forgotten one. Only an ERP that shows drafts too can prove that nothing is there; one that
// refuses a second entry needs no proof; with any other a person looks.
import type { PostingKey } from '../../domain/ids.js';
import type { Message } from '../../domain/message.js';
import { isUncertain } from '../../domain/posting.js';
import { settlementKey } from '../../domain/posting-key.js';
import type { ErpCapabilities, FindOutcome, PreparedPost } from '../../erp/erp-adapter.js';
import { incident, type NewIncident } from '../../language/incidents/incident-text.js';
import { message } from '../../language/messages.js';
import { invoiceOfPayment } from '../payments/records.js';
import type { ClaimedPosting, ParkChange } from '../../sync/posting-records.js';
import type { Part } from './parts.js';
import { type PostingWork, quietPeriodMs } from './post-stage.js';
import { aboutDocument, alarming, judgeRefusalBeforeSend, parkWithAlarm } from './verdicts.js';

export type Looked = Extract<FindOutcome, { outcome: 'none' | 'one' | 'many' }>;

export async function lookFirst(
  work: PostingWork,
  part: Part,
  prepared: PreparedPost,
): Promise<Looked | 'rested'> {
  const forgotten = mayBeForgotten(work.claim, part.key);
  if (!forgotten && !isInDoubt(work.claim, part.key)) return NOTHING_FOUND;
  const { capabilities } = work.tenant.erp;
  const isPayment = work.posting.kind === 'payment';
  // No ERP refuses a payment because of the settlement that is on its way: for it even those that refuse a second are waited for.
  const waits = forgotten && (isPayment || !refusesSecond(capabilities));
  const waitMs = waits ? untilNothingIsOnItsWay(work) : 0;
  if (waitMs > 0) {
    await work.rest({ action: 'waits-to-look', dueInMs: waitMs });
    return 'rested';
  }
  if (forgotten && isPayment && (await forgottenSettlement(work, part, prepared))) return 'rested';
  const found = capabilities.lookUp === 'none' ? NOTHING_FOUND : await work.tenant.erp.findByKey(part.key);
  if (found.outcome === 'transient' || found.outcome === 'auth') {
    await judgeRefusalBeforeSend(work, found);
    return 'rested';
  }
  if (forgotten && found.outcome === 'one' && (await wasSettled(work, part))) return 'rested';
  if (found.outcome !== 'none' || !forgotten || provesAbsence(capabilities)) return found;
  await parkForgotten(work, part, prepared);
  return 'rested';
}

const NOTHING_FOUND: Looked = { outcome: 'none' };

/** A restored database may have forgotten that it was sent. What was begun since then is on record. */
export function mayBeForgotten({ restoredAgeMs, attempt }: ClaimedPosting, key: PostingKey): boolean {
  if (restoredAgeMs === null) return false;
  return attempt?.key !== key || attempt.ageMs >= restoredAgeMs;
}

function isRestored({ restoredAgeMs }: ClaimedPosting): boolean {
  return restoredAgeMs !== null;
}

function isInDoubt({ attempt }: ClaimedPosting, key: PostingKey): boolean {
  return attempt?.key === key && isUncertain(attempt);
}

function refusesSecond({ idempotency }: ErpCapabilities): boolean {
  return idempotency === 'unique-reference';
}

function provesAbsence(capabilities: ErpCapabilities): boolean {
  return capabilities.lookUp === 'posted-and-draft' || refusesSecond(capabilities);
}

/** What the history that was lost had sent last may arrive after the restore. */
export function untilNothingIsOnItsWay({ claim, stage, tenant }: PostingWork): number {
  return quietPeriodMs(stage, tenant) - (claim.restoredAgeMs ?? 0);
}

/** As an attempt in doubt, for that is what it is: a replay goes on from there, and a person may say that it is surely absent. */
function parkForgotten(work: PostingWork, { part, key }: Part, { request }: PreparedPost) {
  const { sendByMs } = work.stage.timing;
  const attempt = { act: 'begin', part, key, request, sendByMs } as const;
  return parkWithAlarm(work, 'OUTCOME_UNKNOWN', message('MAY_BE_FORGOTTEN'), attempt);
}

/**
 * An invoice that was paid when it was booked has its payment in the books under another key. A restored database that has forgotten
 * that would take it for one that came in later. No ERP refuses it, since the keys differ: it has to be seen that none is there.
 */
async function forgottenSettlement(work: PostingWork, part: Part, prepared: PreparedPost): Promise<boolean> {
  const { posting, stage, tenant } = work;
  const invoice = await stage.store.bookedInvoice(tenant.name, invoiceOfPayment(posting.guid).guid);
  if (invoice === null || invoice.settlement !== null) return false;
  if (await settlementStands(work, invoice.key, message('SETTLED_BEFORE_RESTORE'))) return true;
  if (tenant.erp.capabilities.lookUp === 'posted-and-draft') return false;
  await parkForgotten(work, part, prepared);
  return true;
}

/** true: a person compares, or the ERP could not be asked; either way the work rests. */
async function settlementStands(work: PostingWork, key: PostingKey, why: Message): Promise<boolean> {
  const { erp } = work.tenant;
  const { lookUp } = erp.capabilities;
  const found = lookUp === 'none' ? NOTHING_FOUND : await erp.findByKey(settlementKey(key));
  switch (found.outcome) {
    case 'none':
      return false;
    case 'one':
    case 'many':
      await parkWithAlarm(work, 'ERP_COLLISION', why, null);
      return true;
    default:
      await judgeRefusalBeforeSend(work, found);
      return true;
  }
}

/**
 * An entry that a restored database has forgotten is taken up as it is. Had it been paid then, and is no longer, this journal knows of no
 * settlement, and nobody else would ever look for the one in the books.
 */
async function wasSettled(work: PostingWork, { part }: Part): Promise<boolean> {
  const { kind, key, settlement } = work.posting;
  if (kind !== 'invoice' || part !== 'main' || settlement !== null) return false;
  return settlementStands(work, key, message('PAID_BEFORE_RESTORE'));
}

/**
 * A restored database may have forgotten that it is in the books, or on its way there: nobody is told then that it is not, and a look
 * too early would miss it.
 */
export async function forgottenEntry(work: PostingWork): Promise<ParkChange | 'rested' | null> {
  const { posting, tenant, claim } = work;
  const { capabilities } = tenant.erp;
  // One that refuses a second entry was sent to before the wait was over: that this request had no effect says nothing of the other.
  const isKnown = !mayBeForgotten(claim, posting.key) && !(isRestored(claim) && refusesSecond(capabilities));
  if (posting.reference || isKnown || capabilities.lookUp === 'none') return null;
  const waitMs = untilNothingIsOnItsWay(work);
  if (waitMs > 0) {
    await work.rest({ action: 'waits-to-look', dueInMs: waitMs });
    return 'rested';
  }
  const found = await tenant.erp.findByKey(posting.key);
  if (found.outcome === 'none') return null;
  if (found.outcome === 'one' || found.outcome === 'many')
    return alarming(posting, 'ERP_COLLISION', message('POSTED_BEFORE_RESTORE'));
  await judgeRefusalBeforeSend(work, found);
  return 'rested';
}

/** What is not booked now may have been before the restore, and this ERP cannot be asked: a person looks there. */
export function mayBeInBooks({ posting, tenant, claim }: PostingWork): readonly NewIncident[] {
  const isKnown = posting.reference !== null || !mayBeForgotten(claim, posting.key);
  if (isKnown || tenant.erp.capabilities.lookUp !== 'none') return [];
  const about = { severity: 'warning', fingerprint: posting.id } as const;
  return [incident('MAY_BE_IN_BOOKS', aboutDocument(posting), about)];
}
