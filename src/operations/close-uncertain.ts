// What may stand in the books without a reference would be left there by a reversal, and a repost would book it a second
// time. So an entry is reversed only once that is known: the bridge finds out by a replay, or a person has looked, and then
// the ERP is asked once more before the attempt is closed.
import type { CodedError } from '../domain/errors/coded-error.js';
import { isUncertain } from '../domain/posting.js';
import { coded } from '../language/coded.js';
import { message, saidBy } from '../language/messages.js';
import type { AttemptRecord } from '../sync/posting-records.js';
import type { OperatorClaim } from './operator-claim.js';

export async function closeUncertain(
  claim: OperatorClaim,
  choice: { readonly surelyAbsent?: boolean | undefined; readonly dryRun?: boolean | undefined },
): Promise<void> {
  const { attempt } = claim.claimed;
  if (!attempt || !isUncertain(attempt)) return;
  if (!choice.surelyAbsent) throw notKnown(attempt);
  if (attempt.lastSendAgeMs < claim.inFlightMaxMs)
    throw coded(
      'ACT_NOT_POSSIBLE',
      message('SENT_TOO_RECENTLY', { minutes: Math.ceil(claim.inFlightMaxMs / 60_000) }),
    );
  await refuseShown(claim, attempt);
  if (choice.dryRun) return;
  await claim.commit({
    action: 'surely-absent',
    attempt: { act: 'finish', outcome: 'never-sent', message: 'an operator looked: it is not in the ERP' },
  });
}

function notKnown(attempt: AttemptRecord): CodedError {
  const part = attempt.part === 'settlement' ? 'settlement' : 'entry';
  return coded('ACT_NOT_POSSIBLE', message('ENTRY_NOT_KNOWN', { part }));
}

async function refuseShown({ tenant: { erp } }: OperatorClaim, { key }: AttemptRecord): Promise<void> {
  if (erp.capabilities.lookUp === 'none') return;
  const found = await erp.findByKey(key);
  if (found.outcome === 'none') return;
  if (found.outcome === 'transient' || found.outcome === 'auth')
    throw coded('ERP_NOT_ANSWERING', message('ERP_NOT_ASKED', { answer: saidBy(found) }));
  throw coded('ACT_NOT_POSSIBLE', message('ENTRY_SHOWN', { key }));
}
