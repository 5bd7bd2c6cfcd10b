// Something threw while a posting was worked on. An outage of the source or the store says nothing about the document, so
// it uses up no tries; what we cannot explain is tried again a bounded number of times and then shown to a person.
import type { TenantName } from '../../domain/ids.js';
import { CodedError, errorWords, isCoded, retryAfterMs, waitMsOf } from '../../domain/errors/coded-error.js';
import type { BreakerStore, PostingChange } from '../../sync/posting-records.js';
import { retryInMs, TRIES_MAX, WAITS_MS, jittered } from './back-off.js';
import type { PostingWork } from './post-stage.js';
import { keptWords, type Message } from '../../domain/message.js';
import { message, reason, saidBy } from '../../language/messages.js';
import { incident, type NewIncident } from '../../language/incidents/incident-text.js';
import { aboutDocument, parkWithAlarm } from './verdicts.js';
import { isLegalMove } from '../../domain/posting.js';

export async function workFailed(work: PostingWork, error: unknown): Promise<'busy' | 'rested'> {
  try {
    return await restAfter(work, error);
  } catch (second) {
    // What was found out and not yet on record is refused: it goes back to what is.
    return restAfter(work, second);
  }
}

async function restAfter(work: PostingWork, error: unknown): Promise<'busy' | 'rested'> {
  // Whoever took the lease over goes on; our view of the posting is out of date.
  if (isCoded(error, 'LEASE_LOST')) return 'busy';
  const { random } = work.stage.runtime;
  // A document that was to be in it is claimed, or was moved: those that are ready then are put together.
  if (isCoded(error, 'SUMMARY_CHANGED'))
    return work.rest({ action: 'summary-changed', dueInMs: jittered(WAITS_MS.outage, random) });
  if (error instanceof CodedError && (await sourceOutage(work.stage.breakers, work.tenant.name, error))) {
    return work.rest({
      action: 'source-outage',
      dueInMs: waitMsOf(error) ?? jittered(WAITS_MS.outage, random),
      details: { code: error.code },
    });
  }
  const tries = work.posting.tries + 1;
  const words = errorWords(error);
  const details = {
    message: words.message.slice(0, 500),
    ...(error instanceof CodedError ? { code: error.code } : {}),
  };
  if (tries <= TRIES_MAX || !isLegalMove(work.posting.state, 'parked')) {
    return work.rest({ action: 'failed', tries, dueInMs: retryInMs(tries, random), details });
  }
  // It may have been sent: that is another thing to tell a person than that it failed.
  if (work.posting.state === 'posting') {
    await parkWithAlarm(work, 'OUTCOME_UNKNOWN', saidBy(words));
    return 'rested';
  }
  const last = saidBy(words);
  return work.rest({ ...exhausted(last), tries, details, incidents: untold(work, last) });
}

/** It is in the books, and the source has not heard of it. */
function untold({ posting }: PostingWork, what: Message): readonly NewIncident[] {
  if (posting.state !== 'posted' && posting.state !== 'writing_back') return [];
  const about = { severity: 'critical', fingerprint: posting.id } as const;
  return [incident('TRIES_EXHAUSTED', { ...aboutDocument(posting), what }, about)];
}

/** Work on it was begun again and again, and never came to any end: no error, no rest. Nobody would see it otherwise. */
export function neverFinished({ posting }: PostingWork): PostingChange | null {
  const isBefore = posting.state === 'discovered' || posting.state === 'mapped';
  return isBefore && posting.tries > TRIES_MAX ? exhausted(message('WORK_NEVER_ENDS')) : null;
}

function exhausted(last: Message): PostingChange {
  return { action: 'parked', to: 'parked', reason: reason('TRIES_EXHAUSTED', { last }), dueInMs: null };
}

/** true when it was the source's fault and the breaker has been told. */
async function sourceOutage(
  breakers: BreakerStore,
  tenantName: TenantName,
  error: CodedError,
): Promise<boolean> {
  switch (error.definition.disposition) {
    case 'retry':
    case 'rate-limited':
    case 'look-up':
      await breakers.failed(tenantName, 'source', keptWords(error), retryAfterMs(error));
      return true;
    case 'pause-tenant':
      await breakers.refused(tenantName, 'source', keptWords(error));
      return true;
    case 'stop':
      return false;
  }
}
