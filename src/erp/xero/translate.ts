// Between our journal and Xero's manual journal, without I/O. The key opens the narration, which is what a journal is
// found by; accounts that manual journals refuse are replaced by clearing accounts and named back when read.
import { ZERO } from '../../domain/decimal.js';
import type { Journal, JournalLine } from '../../domain/journal.js';
import { clipText, headText, lineText } from '../line-text.js';
import type { ErpEntry, ErpEntryLine, VatMode } from '../erp-adapter.js';
import { keyUndoneBy, REVERSAL_MARK } from '../reversal.js';
import { DESCRIPTION_LENGTH_MAX, NARRATION_LENGTH_MAX, NO_TAX_TYPE, VAT_ACCOUNT } from './assumptions.js';
import type { XeroConfiguration } from './config.js';
import type { XeroJournal, XeroJournalLine, XeroJournalRead } from './wire.js';

export type TranslateSettings = Pick<XeroConfiguration, 'clearingAccounts' | 'dimensions'>;

export function toXeroJournal(
  key: string,
  journal: Journal,
  settings: TranslateSettings,
  vatMode: VatMode = 'explicit-lines',
): XeroJournal {
  const isReversal = journal.description.startsWith(REVERSAL_MARK);
  const about = isReversal ? journal.description : headText(journal);
  return {
    Narration: clipText(`${key} ${about}`, NARRATION_LENGTH_MAX),
    Date: journal.postingDate,
    Status: 'POSTED',
    LineAmountTypes: vatMode === 'erp-splits' ? 'Inclusive' : 'NoTax',
    JournalLines: journal.lines.map((line) => ({
      ...toXeroLine(journal, line, settings),
      ...(vatMode === 'erp-splits' ? { TaxType: line.vatCode ?? NO_TAX_TYPE } : {}),
    })),
  };
}

function toXeroLine(journal: Journal, line: JournalLine, settings: TranslateSettings): XeroJournalLine {
  return {
    LineAmount: line.debit.minus(line.credit),
    AccountCode: xeroCode(line.account, settings),
    Description: described(lineText(journal, line), line.counterparty),
    ...trackingOf(line, settings),
  };
}

/** A manual journal has no contact, so the kennitala ends the text; another text that ends in one is given a full stop. */
function described(text: string, counterparty: string | undefined): string {
  if (counterparty === undefined)
    return clipText(PARTNER.test(text) ? `${text}.` : text, DESCRIPTION_LENGTH_MAX);
  const partner = ` kt. ${counterparty}`;
  return clipText(text, DESCRIPTION_LENGTH_MAX - partner.length) + partner;
}

const PARTNER = / kt\. (\S+)$/;

export function trackingOf(
  { dimensions = {} }: Pick<JournalLine, 'dimensions'>,
  settings: Pick<TranslateSettings, 'dimensions'>,
): Pick<XeroJournalLine, 'Tracking'> {
  const tracking = Object.entries(dimensions).flatMap(([name, Option]) => {
    const Name = settings.dimensions[name];
    return Name === undefined ? [] : [{ Name, Option }];
  });
  return tracking.length === 0 ? {} : { Tracking: tracking };
}

export function xeroCode(account: string, settings: Pick<TranslateSettings, 'clearingAccounts'>): string {
  return settings.clearingAccounts[account] ?? account;
}

/** The key that a narration opens with. */
export function keyOf(narration: string): string {
  return narration.split(' ', 1)[0] ?? '';
}

/** The key that a reversal undoes: its narration opens with its own key, the mark and that other key. */
export function undoneBy(narration: string): string | undefined {
  return keyUndoneBy(narration.slice(keyOf(narration).length + 1));
}

export function toEntry(read: XeroJournalRead, settings: TranslateSettings, wasReversed = false): ErpEntry {
  const key = keyOf(read.Narration);
  const isReversal = undoneBy(read.Narration) !== undefined;
  return {
    reference: { id: read.ManualJournalID },
    key,
    state: read.Status === 'POSTED' ? 'posted' : 'draft',
    postingDate: read.Date,
    lines: (read.JournalLines ?? []).flatMap((line) => toEntryLines(line, read.LineAmountTypes, settings)),
    ...(isReversal || wasReversed ? { reversed: true } : {}),
  };
}

type ReadLine = NonNullable<XeroJournalRead['JournalLines']>[number];

/** Xero shows the VAT that it took out beside the line, and not the account that it went on. */
function toEntryLines(line: ReadLine, types: string, settings: TranslateSettings): ErpEntryLine[] {
  const vat = line.TaxAmount ?? ZERO;
  if (types !== 'Inclusive' || vat.isZero()) return [toEntryLine(line, settings)];
  const net = { ...line, LineAmount: line.LineAmount.minus(vat) };
  return [
    toEntryLine(net, settings),
    {
      account: VAT_ACCOUNT,
      debit: vat.isPositive() ? vat : ZERO,
      credit: vat.isNegative() ? vat.negated() : ZERO,
    },
  ];
}

function toEntryLine(line: ReadLine, settings: TranslateSettings): ErpEntryLine {
  const amount = line.LineAmount;
  const account = nameBehind(settings.clearingAccounts, line.AccountCode) ?? line.AccountCode;
  const counterparty = PARTNER.exec(line.Description)?.[1];
  return {
    account,
    debit: amount.isPositive() ? amount : ZERO,
    credit: amount.isNegative() ? amount.negated() : ZERO,
    ...(counterparty === undefined ? {} : { counterparty }),
    ...dimensionsOf(line.Tracking, settings),
  };
}

export function dimensionsOf(
  tracking: ReadLine['Tracking'],
  settings: Pick<TranslateSettings, 'dimensions'>,
): Pick<ErpEntryLine, 'dimensions'> {
  const dimensions: Record<string, string> = {};
  for (const { Name, Option } of tracking ?? []) {
    const name = nameBehind(settings.dimensions, Name);
    if (name !== undefined) dimensions[name] = Option;
  }
  return Object.keys(dimensions).length === 0 ? {} : { dimensions };
}

export function nameBehind(names: Readonly<Record<string, string>>, value: string): string | undefined {
  return Object.entries(names).find(([, each]) => each === value)?.[0];
}
