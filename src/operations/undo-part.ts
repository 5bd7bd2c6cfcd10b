// A document that was booked with the others of its day is undone by an entry of its own, the mirror of its part: the others stand.
// To the ERP that is a posting like any other, under the key of the reversal, so it needs no reversal of the ERP's own.
import { errorWords } from '../domain/errors/coded-error.js';
import { journalFromJson, plainJournal } from '../domain/journal-json.js';
import { createJournal, type Journal } from '../domain/journal.js';
import type { IsoDate } from '../domain/source-document.js';
import type { ErpEntry, PostOutcome, PreparedPost } from '../erp/erp-adapter.js';
import { coded } from '../language/coded.js';
import { message, saidBy } from '../language/messages.js';
import type { OperatorClaim } from './operator-claim.js';

export interface PartToUndo {
  /** Of the entry that undoes it. */
  readonly key: string;
  readonly date: IsoDate;
  readonly reason: string;
}

export interface PreparedUndoing {
  /** Goes on record with the intent: what is sent, and what it books. */
  readonly onRecord: { readonly journal: unknown; readonly sent: string };
  send(): Promise<PostOutcome>;
}

/** Before anything is on record: the ERP may refuse it. */
export async function prepareUndoing(claim: OperatorClaim, part: PartToUndo): Promise<PreparedUndoing> {
  const { erp } = claim.tenant;
  const journal = partUndone(journalOf(claim), part);
  const prepared = await erp.prepare({ key: part.key, journal });
  switch (prepared.outcome) {
    case 'prepared':
      return {
        onRecord: { journal: plainJournal(journal), sent: prepared.prepared.request },
        send: () => post(claim, prepared.prepared),
      };
    case 'rejected':
      throw coded('ERP_REFUSED_REVERSAL', message('REVERSAL_REFUSED', { answer: saidBy(prepared) }));
    default:
      throw coded('ERP_NOT_ANSWERING', message('REVERSAL_NOT_TAKEN', { answer: saidBy(prepared) }));
  }
}

async function post({ tenant: { erp } }: OperatorClaim, prepared: PreparedPost): Promise<PostOutcome> {
  try {
    return await erp.post(prepared);
  } catch (error) {
    return { outcome: 'unknown', ...errorWords(error) };
  }
}

export function journalOf({ posting }: OperatorClaim): Journal {
  if (posting.journal === null) throw coded('ACT_NOT_POSSIBLE', message('SENT_NOT_ON_RECORD'));
  return journalFromJson(posting.journal);
}

/** Its own lines, within the entry that it shares. */
export function partOfEntry(claim: OperatorClaim, entry: Pick<ErpEntry, 'reference'>): ErpEntry {
  const { postingDate, lines } = journalOf(claim);
  return { reference: entry.reference, key: claim.posting.key, state: 'posted', postingDate, lines };
}

const TEXT_LENGTH_MAX = 100;

/** Not in the words that reversals of whole entries begin with: by them some ERPs' entries are told to cancel out. */
export function partUndone(booked: Journal, { date, reason }: Pick<PartToUndo, 'date' | 'reason'>): Journal {
  const about = `Úr samantekt: ${booked.documentNo} bakfært. ${reason}`.trim();
  const { documentNo, externalReference, currency, exchangeRate, party } = booked;
  return createJournal({
    ...{ documentNo, externalReference, currency, exchangeRate },
    postingDate: date,
    documentDate: date,
    description: about,
    ...(party === undefined ? {} : { party }),
    lines: booked.lines.map(({ release: _waits, dueDate: _due, ...line }) => ({
      ...line,
      debit: line.credit,
      credit: line.debit,
      ...(line.currencyAmount === undefined ? {} : { currencyAmount: line.currencyAmount.negated() }),
      text: about.slice(0, TEXT_LENGTH_MAX),
    })),
  });
}
