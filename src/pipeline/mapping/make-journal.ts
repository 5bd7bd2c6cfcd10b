// Header and priced lines → a journal that keeps every invariant, or the reason why it is not let through.
import type { Journal } from '../../domain/journal.js';
import {
  journalBreaches,
  JOURNAL_INVARIANTS,
  type JournalExpectations,
} from '../../domain/journal-invariants.js';
import { toJournalLine, type PricedLine } from './draft-line.js';
import { stop, type Stop } from './outcome.js';
import { VAT_RATES } from './vat-rates.js';

export interface JournalMaking {
  readonly header: Omit<Journal, 'lines'>;
  readonly lines: readonly PricedLine[];
  readonly isMirrored: boolean;
  readonly iskDecimals: number;
  /** In the sense of the lines before mirroring. */
  readonly control?: NonNullable<JournalExpectations['control']>;
}

export function makeJournal(making: JournalMaking): Journal | Stop {
  const { header, lines, isMirrored, control } = making;
  if (lines.length < 2) return stop('TOO_FEW_LINES');
  const journal: Journal = {
    lines: lines.map((line) => toJournalLine(line, header.currency, isMirrored)),
    ...header,
  };
  const breaches = journalBreaches(journal, {
    iskDecimals: making.iskDecimals,
    vatRateOf: (line, index) => {
      const treatment = lines[index]?.draft.treatment;
      const isVat = line.role === 'vat-out' || line.role === 'vat-in';
      return isVat && treatment !== undefined ? VAT_RATES[treatment] : undefined;
    },
    ...(control === undefined ? {} : { control: isMirrored ? mirrored(control) : control }),
  });
  const first = breaches[0];
  if (!first) return journal;
  return stop('JOURNAL_REFUSED', {
    invariant: first.invariant,
    problem: breaches
      .map(({ invariant, detail }) => `${JOURNAL_INVARIANTS[invariant]} (${detail})`)
      .join(' '),
  });
}

function mirrored(control: NonNullable<JournalExpectations['control']>): typeof control {
  const { roles, isk, currency } = control;
  return { roles, isk: isk.neg(), ...(currency === undefined ? {} : { currency: currency.neg() }) };
}
