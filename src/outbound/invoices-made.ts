// What people at the service made of a draft or order: its origin is told the number, and no invoice of it is taken for somebody else's. It is
// looked at less and less often, and at once when an invoice with its mark comes by (store/our-invoices).
import type { FoundInvoice } from '../service/invoicing-target.js';
import { retryInMs } from '../sync/back-off.js';
import { isPrepared } from './late-change.js';
import { type Advanced, rest, type SubmissionWork } from './submission-work.js';
import { tell } from './tell-origin.js';

/** Some two weeks of them: a minute later first, and twice a day in the end. */
const LOOKS_MAX = 40;
const SOONEST = 2;
const NUMBERS_MAX = 200;

export function numbersOf(made: readonly FoundInvoice[]): string {
  return made
    .map(({ number, guid }) => number || guid)
    .join(', ')
    .slice(0, NUMBERS_MAX);
}

/** When to look for what becomes of it; null: that is known, or nothing does. */
export function nextLookForInvoiceInMs({ stage, claimed }: SubmissionWork, looks: number): number | null {
  const isOpen = isPrepared(claimed.kind) && claimed.guid !== null && claimed.number === null;
  return isOpen && looks <= LOOKS_MAX ? retryInMs(SOONEST + looks, stage.runtime.random) : null;
}

/** An answer that does not come is no reason to call anybody: what was done is done. */
export async function lookForInvoices(work: SubmissionWork): Promise<Advanced> {
  const { tenant, claimed } = work;
  const { kind, guid, number } = claimed;
  const looks = claimed.tries + 1;
  const dueInMs = nextLookForInvoiceInMs(work, looks);
  if (guid === null) return rest(work, { action: 'given-back', tries: 0, dueInMs: null });
  const made = await tenant.target
    .listMade(kind === 'draft' ? 'draft' : 'order', guid)
    .catch(() => undefined);
  if (made === undefined) return rest(work, { action: 'not-read-yet', tries: looks, dueInMs });
  if (made === null) return rest(work, { action: 'gone-there', tries: 0, dueInMs: null });
  if (made.length === 0)
    return rest(work, { action: 'not-invoiced-yet', tries: looks, dueInMs, invoices: [] });
  const numbers = numbersOf(made);
  // Killed after it, the next one tells the same.
  if (numbers !== number) await tell({ ...work, claimed: { ...claimed, number: numbers } }, 'created', null);
  const created = { guid: null, number: numbers, paymentLink: null };
  return rest(work, { action: 'invoiced', tries: 0, dueInMs: null, created, invoices: made });
}
