// After a restore from a backup the database lacks what was sent since the backup. Before a posting is sent, or is decided against, the ERP is
// asked for the entry. Only an ERP that shows drafts too can prove that there is none. An ERP that refuses a second entry needs no proof.
// With any other ERP a person checks.
import type { PostingKey } from '../domain/ids.js';
import type { Message } from '../domain/message.js';
import { settlementKey } from '../domain/posting-key.js';
import { isUncertain } from '../domain/posting.js';
import type { ErpCapabilities, FindOutcome, PreparedPost } from '../erp/erp-adapter.js';
import { incident, type NewIncident } from '../language/incidents/incident-text.js';
import { message } from '../language/messages.js';
import { invoiceOfPayment } from './follow-up-records.js';
import { aboutDocument, alarming, endBeforeSend, parkWithAlarm } from './outcomes.js';
import type { ClaimedPosting, ParkChange } from './posting-records.js';
import { inFlightMaxMs, type Part, type PostingWork } from './work.js';

export type FoundBeforeSend = Extract<FindOutcome, { outcome: 'none' | 'one' | 'many' }>;

const NOTHING_FOUND: FoundBeforeSend = { outcome: 'none' };

/** Asks the ERP before the first send, if an earlier request under the same key may have arrived. */
export async function findBeforeSend(
  work: PostingWork,
  part: Part,
  prepared: PreparedPost,
): Promise<FoundBeforeSend | 'released'> {
  const { claim, posting, tenant } = work;
  const { capabilities } = tenant.erp;
  const mayBeLost = attemptMayBeLost(claim, part.key);
  const isInDoubt = claim.attempt?.key === part.key && isUncertain(claim.attempt);
  if (!mayBeLost && !isInDoubt) return NOTHING_FOUND;

  const isPayment = posting.kind === 'payment';
  // An ERP refuses a second entry under the same key. The lost settlement of an invoice has another key than this payment, so for a payment
  // no refusal helps, and the wait applies to every ERP.
  const waitMs = mayBeLost && (isPayment || !refusesSecond(capabilities)) ? inFlightLeftMs(work) : 0;
  if (waitMs > 0) return work.commitAndRelease({ action: 'waits-to-look', dueInMs: waitMs });

  if (mayBeLost && isPayment && (await settlementMayBeLost(work, part, prepared))) return 'released';
  const found = capabilities.lookUp === 'none' ? NOTHING_FOUND : await tenant.erp.findByKey(part.key);
  if (found.outcome === 'transient' || found.outcome === 'auth') {
    await endBeforeSend(work, found);
    return 'released';
  }
  if (mayBeLost && found.outcome === 'one' && (await wasSettledToo(work, part))) return 'released';
  if (found.outcome !== 'none' || !mayBeLost || provesAbsence(capabilities)) return found;
  await parkAsPossiblySent(work, part, prepared);
  return 'released';
}

/** The database was restored, and an attempt under this key may have been sent since the backup. Newer attempts are on record. */
export function attemptMayBeLost({ restoredAgeMs, attempt }: ClaimedPosting, key: PostingKey): boolean {
  if (restoredAgeMs === null) return false;
  return attempt?.key !== key || attempt.ageMs >= restoredAgeMs;
}

function refusesSecond({ idempotency }: ErpCapabilities): boolean {
  return idempotency === 'unique-reference';
}

function provesAbsence(capabilities: ErpCapabilities): boolean {
  return capabilities.lookUp === 'posted-and-draft' || refusesSecond(capabilities);
}

/** How long a request from before the restore can still be in flight. */
function inFlightLeftMs({ claim, deps, tenant }: PostingWork): number {
  return inFlightMaxMs(deps, tenant) - (claim.restoredAgeMs ?? 0);
}

/** Recorded as an uncertain attempt, so that a replay continues from it and a person can confirm that the entry is missing. */
function parkAsPossiblySent(work: PostingWork, { part, key }: Part, { request }: PreparedPost) {
  const { sendByMs } = work.deps.timing;
  const attempt = { act: 'begin', part, key, request, sendByMs } as const;
  return parkWithAlarm(work, 'OUTCOME_UNKNOWN', message('MAY_BE_FORGOTTEN'), attempt);
}

/**
 * An invoice that was paid before it was booked has its payment in the books as a settlement, under another key. A restored database that
 * lacks the settlement would take the payment for a later one, and no ERP would refuse it. So there must be no settlement in the ERP.
 */
async function settlementMayBeLost(work: PostingWork, part: Part, prepared: PreparedPost): Promise<boolean> {
  const { posting, deps, tenant } = work;
  const invoice = await deps.store.bookedInvoice(tenant.name, invoiceOfPayment(posting.guid).guid);
  if (invoice === null || invoice.settlement !== null) return false;
  if (await hasSettlement(work, invoice.key, message('SETTLED_BEFORE_RESTORE'))) return true;
  if (tenant.erp.capabilities.lookUp === 'posted-and-draft') return false;
  await parkAsPossiblySent(work, part, prepared);
  return true;
}

/**
 * The entry was posted before the restore and is adopted. If the invoice was paid then and is not paid now, this journal has no settlement,
 * and no later step would look for the one in the books.
 */
async function wasSettledToo(work: PostingWork, { part }: Part): Promise<boolean> {
  const { kind, key, settlement } = work.posting;
  if (kind !== 'invoice' || part !== 'main' || settlement !== null) return false;
  return hasSettlement(work, key, message('PAID_BEFORE_RESTORE'));
}

/** true: the claim is released. The ERP has a settlement and a person compares, or the ERP could not be asked. */
async function hasSettlement(work: PostingWork, key: PostingKey, why: Message): Promise<boolean> {
  const { erp } = work.tenant;
  const found = erp.capabilities.lookUp === 'none' ? NOTHING_FOUND : await erp.findByKey(settlementKey(key));
  switch (found.outcome) {
    case 'none':
      return false;
    case 'one':
    case 'many':
      await parkWithAlarm(work, 'ERP_COLLISION', why, null);
      return true;
    case 'transient':
    case 'auth':
      await endBeforeSend(work, found);
      return true;
  }
}

/**
 * Before Skipped or Error is written to the source: the entry may be in the books, or in flight, without our knowledge. Then the decision
 * changes to the returned one; null: there is no entry.
 */
export async function findBeforeDecision(work: PostingWork): Promise<ParkChange | 'released' | null> {
  const { posting, tenant, claim } = work;
  const { capabilities } = tenant.erp;
  // The request was sent without a wait to an ERP that refuses a second entry. It had no effect, but the lost one may have had.
  const isKnown =
    !attemptMayBeLost(claim, posting.key) && !(claim.restoredAgeMs !== null && refusesSecond(capabilities));
  if (posting.reference || isKnown || capabilities.lookUp === 'none') return null;
  const waitMs = inFlightLeftMs(work);
  if (waitMs > 0) return work.commitAndRelease({ action: 'waits-to-look', dueInMs: waitMs });
  const found = await tenant.erp.findByKey(posting.key);
  switch (found.outcome) {
    case 'none':
      return null;
    case 'one':
    case 'many':
      return alarming(posting, 'ERP_COLLISION', message('POSTED_BEFORE_RESTORE'));
    case 'transient':
    case 'auth':
      await endBeforeSend(work, found);
      return 'released';
  }
}

/** The posting is decided against, and may have been booked before the restore, in an ERP that cannot be asked. A person checks. */
export function mayBeInBooksIncidents({ posting, tenant, claim }: PostingWork): readonly NewIncident[] {
  const isKnown = posting.reference !== null || !attemptMayBeLost(claim, posting.key);
  if (isKnown || tenant.erp.capabilities.lookUp !== 'none') return [];
  const about = { severity: 'warning', fingerprint: posting.id } as const;
  return [incident('MAY_BE_IN_BOOKS', aboutDocument(posting), about)];
}
