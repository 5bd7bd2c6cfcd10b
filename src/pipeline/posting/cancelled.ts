// An invoice that was cancelled before it was booked: how long it waits for its credit note, and who hears of one that has none.
import { incident } from '../../language/incidents/incident-text.js';
import type { NotPosted } from '../mapping/outcome.js';
import type { PostingChange } from '../../sync/posting-records.js';
import type { PostingWork } from './post-stage.js';
import { aboutDocument } from './verdicts.js';

/** For how long it has been on record that it was cancelled and no credit note was found; null: that is news. */
export function unansweredMs({ posting: { state, reason: why, stateAgeMs } }: PostingWork): number | null {
  const isKnown =
    (state === 'deferred' && why?.code === 'WAIT_FOR_CREDIT_NOTE') ||
    (state === 'held' && why?.code === 'CANCELLED');
  return isKnown ? stateAgeMs : null;
}

/** A cancelled invoice and its credit note are handed over side by side: a list that was begun since then shows both. */
export async function mayBeCredited(work: PostingWork): Promise<boolean> {
  return unansweredMs(work) === null || !(await work.stage.store.hasSeenAllInvoices(work.posting.id));
}

/** A sale that is in nobody's books is not passed over in silence. */
export function leftOut({ posting }: PostingWork, { why }: NotPosted): Pick<PostingChange, 'incidents'> {
  if (why.code !== 'CANCELLED') return {};
  const { amount = '', currency = '' } = why.params as { amount?: string; currency?: string };
  if (Number(amount) === 0) return {};
  const about = { ...aboutDocument(posting), amount, currency };
  return {
    incidents: [incident('CANCELLED_SKIPPED', about, { severity: 'warning', fingerprint: posting.id })],
  };
}
