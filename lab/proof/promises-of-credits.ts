// What credit notes promise: none is in the books before the invoice that it takes back, and one entry stands for one document only.
import type { PostingRow } from './memory-records.js';
import type { Run } from './run.js';
import { mainsOf, restsSinceBackup } from './promises-of-books.js';

export function promisesOfCredits({ service, records, ledger }: Run): string[] {
  return [...service.documents.values()].flatMap(({ guid, number, credits }) => {
    const row = records.byGuid.get(guid);
    const original = credits === undefined ? undefined : service.documents.get(credits);
    if (!row || !original || original.deleted || restsSinceBackup(records, row)) return [];
    const toldAt = service.writes.find(
      (write) => write.guid === original.guid && write.status === 'Posted',
    )?.at;
    const isEarly = mainsOf(ledger, row).some(
      (entry) => entry.byHand === undefined && entry.at < (toldAt ?? Infinity),
    );
    return isEarly ? [`17: ${number} is in the books before ${original.number}, which it takes back`] : [];
  });
}

/** A person has set it aside. */
const BY_A_PERSON = ['HELD_BY_OPERATOR', 'SKIPPED_BY_OPERATOR'];

/** An invoice that was cancelled and the credit note that answers it are booked both, whichever was found first. */
export function promisesOfCancelled({ service, records, ledger }: Run): string[] {
  return service.cancelledPairs.flatMap(({ invoice, note, at }) => {
    const rows = [invoice, note].flatMap((guid) => records.byGuid.get(guid) ?? []);
    const [sold, credited] = rows;
    if (!sold || !credited || rows.some((row) => restsSinceBackup(records, row))) return [];
    if (isForAPerson(credited)) return [];
    const { documentNumber: name, state, reason } = sold.posting;
    // Where the rules skip what nothing answers, a credit note may come too late.
    if (state === 'skipped' && reason?.code === 'CANCELLED')
      return sold.stateSince > at ? [`32: ${name} was skipped, and a credit note answers it`] : [];
    if (isForAPerson(sold)) return [];
    const booked = rows.filter((row) => mainsOf(ledger, row).length > 0).length;
    return booked === 2 ? [] : [`32: of ${name} and its credit note ${booked} are in the books`];
  });
}

function isForAPerson({ posting, attempts }: PostingRow): boolean {
  return (
    BY_A_PERSON.includes(posting.reason?.code ?? '') ||
    attempts.some(({ part }) => part === 'reversal') ||
    ['parked', 'reversed', 'orphaned'].includes(posting.state)
  );
}

/** Of those that are in the books now; one journal of a day stands for all of its documents. */
export function promisesOfMarks({ records }: Run): string[] {
  if (records.summarises) return [];
  const holders = new Map<string, string>();
  const broken: string[] = [];
  for (const { posting } of records.rows.values()) {
    const { reference, state, documentNumber } = posting;
    if (reference === null || state === 'reversed') continue;
    const other = holders.get(reference.id);
    if (other !== undefined) broken.push(`17: ${reference.id} stands for ${other} and for ${documentNumber}`);
    holders.set(reference.id, documentNumber);
  }
  return broken;
}
