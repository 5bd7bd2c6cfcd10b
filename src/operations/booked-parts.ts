// What of a document is in the books, as a reversal finds it: its settlement and its entry, or its part of the journal of its day.
import type { Journal } from '../domain/journal.js';
import { journalFromJson } from '../domain/journal-json.js';
import { settlementKey } from '../domain/posting-key.js';
import type { ErpEntry, ErpReference, FindOutcome } from '../erp/erp-adapter.js';
import { coded } from '../language/coded.js';
import { message, saidBy } from '../language/messages.js';
import type { MemberOf } from '../sync/follow-up-records.js';
import type { OperatorClaim } from './operator-claim.js';
import { partOfEntry } from './undo-part.js';

export interface BookedPart {
  readonly part: 'main' | 'settlement';
  readonly key: string;
  readonly reference: ErpReference;
  /** The summary that it is part of; only its own part is undone. */
  readonly within?: MemberOf;
}

/** The settlement rests on the entry, so it goes first. */
export function bookedParts({ posting, claimed: { summary } }: OperatorClaim): BookedPart[] {
  const { key, reference, settlementReference } = posting;
  const within = summary === undefined ? {} : { within: summary };
  return [
    ...(settlementReference
      ? [{ part: 'settlement', key: settlementKey(key), reference: settlementReference } as const]
      : []),
    ...(reference ? [{ part: 'main', key, reference, ...within } as const] : []),
  ];
}

/** As the ERP shows it; as it was sent where the ERP shows nothing. */
export async function readOriginal(claim: OperatorClaim, part: BookedPart): Promise<ErpEntry> {
  const { erp } = claim.tenant;
  if (erp.capabilities.lookUp === 'none') return entryAsSent(claim, part);
  const byKey = await erp.findByKey(part.within?.key ?? part.key);
  // Marked by an operator: it stands under a key that is not ours.
  const found = byKey.outcome === 'none' ? await erp.findByReference(part.reference.id) : byKey;
  const entry = oneOf(found);
  if (entry?.state === 'posted') return part.within ? partOfEntry(claim, entry) : entry;
  throw coded(
    'ACT_NOT_POSSIBLE',
    message('ENTRY_NOT_SHOWN', { entry: nameOf(part.reference), key: part.key }),
  );
}

function oneOf(found: FindOutcome): ErpEntry | null {
  if (found.outcome === 'transient' || found.outcome === 'auth')
    throw coded('ERP_NOT_ANSWERING', message('ERP_NOT_ASKED', { answer: saidBy(found) }));
  return found.outcome === 'one' ? found.entry : null;
}

/** Several are none to go on with, and no reason to send another. */
export function oneReversal(key: string, found: FindOutcome): ErpEntry | null {
  if (found.outcome !== 'many') return oneOf(found);
  const numbers = found.entries.map(({ reference }) => nameOf(reference)).join(', ');
  throw coded('ACT_NOT_POSSIBLE', message('ENTRIES_SHOWN', { key, entries: numbers }));
}

/** The journal as it was sent, where that is on record. */
export function sentAs({ posting }: OperatorClaim, { part }: BookedPart): { readonly journal?: Journal } {
  const text = part === 'main' ? posting.journal : posting.settlement;
  return text === null ? {} : { journal: journalFromJson(text) };
}

function entryAsSent(claim: OperatorClaim, part: BookedPart): ErpEntry {
  const { key, reference } = part;
  const { journal } = sentAs(claim, part);
  if (!journal) throw coded('ACT_NOT_POSSIBLE', message('SENT_NOT_ON_RECORD'));
  return { reference, key, state: 'posted', postingDate: journal.postingDate, lines: [...journal.lines] };
}

export function nameOf(reference: ErpReference): string {
  return reference.number ?? reference.id;
}
