// What credit notes promise: none is in the books before the invoice that it takes back, and one entry stands for one document only.
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
