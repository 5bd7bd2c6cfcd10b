// Between our journal and Business Central's, without I/O. One journal batch per document, because posting takes every
// line of a batch; the key is the document number, which is the one thing that ledger entries can be found by.
import * as assumed from './settings.js';
import { type Decimal, ZERO } from '../../domain/money.js';
import type { Journal, JournalLine, JournalParty } from '../../domain/journal.js';
import { clipText, lineText } from '../line-text.js';
import type { ErpEntry, ErpEntryLine, VatMode } from '../erp-adapter.js';
import { REVERSAL_MARK } from '../reversal.js';
import {
  partnerName,
  partnerOfLine,
  type PartnerWanted,
  partyNumber,
  type Subledger,
} from '../partner-directory.js';
import type { BusinessCentralConfiguration } from './settings.js';
import type { BcEntry, BcJournal, BcJournalHeader, BcJournalLine, BcLine, BcLineDimension } from './wire.js';

export type TranslateSettings = Pick<BusinessCentralConfiguration, 'dimensions' | 'subledger'>;

/** Customer and vendor numbers, by `kind/kennitala`. */
export type PartnerNumbers = ReadonlyMap<string, string>;

const LINE_STEP = 10_000;

/** What the digits of a key become in a batch code, which has none. */
const DIGITS_AS_LETTERS: Readonly<Record<string, string>> = {
  2: 'P',
  3: 'Q',
  4: 'R',
  5: 'S',
  6: 'T',
  7: 'V',
};

/** Ten letters from the key, in a form that no setting counts up. Two documents may share one; the lines tell. */
export function batchCode(key: string): string {
  const room = assumed.BATCH_CODE_LENGTH - assumed.BATCH_CODE_START.length - assumed.BATCH_CODE_END.length;
  const letters = key.slice(1, 1 + room).replace(/\d/g, (digit) => DIGITS_AS_LETTERS[digit] ?? 'X');
  return `${assumed.BATCH_CODE_START}${letters}${assumed.BATCH_CODE_END}`;
}

/** Posting leaves a line without an amount, which may have kept number and date. Lines of ours always have one. */
export function isBlank(line: Pick<BcLine, 'amount'>): boolean {
  return line.amount.isZero();
}

export function toBcJournal(
  key: string,
  journal: Journal,
  settings: TranslateSettings,
  partners: PartnerNumbers,
  vatMode: VatMode = 'explicit-lines',
): BcJournal {
  return {
    code: batchCode(key),
    displayName:
      toLineDimensions(journal, settings).length > 0 ? assumed.UNFINISHED_NAME : assumed.FINISHED_NAME,
    journalLines: journal.lines.map((line, index) => {
      const partner = partnerOfLine(settings.subledger, line);
      return {
        lineNumber: (index + 1) * LINE_STEP,
        ...accountOf(line, partner, partners),
        postingDate: journal.postingDate,
        documentNumber: key,
        externalDocumentNumber: clipText(journal.documentNo, assumed.EXTERNAL_DOCUMENT_NUMBER_LENGTH_MAX),
        amount: line.debit.minus(line.credit),
        description: descriptionOf(journal, line, partner),
        // Said also where there is none: an account's own group would take VAT out of what has none in it.
        ...(vatMode === 'erp-splits' ? { taxCode: line.vatCode ?? '' } : {}),
      };
    }),
  };
}

function accountOf(line: JournalLine, partner: PartnerWanted | undefined, partners: PartnerNumbers) {
  if (!partner) return { accountNumber: line.account };
  const accountNumber = partners.get(partnerName(partner));
  if (accountNumber === undefined)
    throw new RangeError('A partner was not looked up before it was translated.');
  return { accountType: assumed.SUBLEDGER_ACCOUNT_TYPES[partner.kind], accountNumber };
}

function descriptionOf(journal: Journal, line: JournalLine, partner: PartnerWanted | undefined): string {
  const text = lineText(journal, line);
  if (!partner) return clipText(text, assumed.DESCRIPTION_LENGTH_MAX);
  const mark = ` ${assumed.KENNITALA_MARK} ${partner.kennitala}`;
  return clipText(text, assumed.DESCRIPTION_LENGTH_MAX - mark.length) + mark;
}

export function toLineDimensions(
  journal: Journal,
  settings: Pick<TranslateSettings, 'dimensions'>,
): BcLineDimension[] {
  return journal.lines.flatMap((line, index) =>
    Object.entries(line.dimensions ?? {}).flatMap(([name, valueCode]) => {
      const code = settings.dimensions[name];
      return code === undefined ? [] : [{ lineNumber: (index + 1) * LINE_STEP, code, valueCode }];
    }),
  );
}

/** Amounts are rounded without a word when they are entered, and a customer's currency slips in; so they are compared. */
export function differsFromSent(
  sent: readonly Pick<BcJournalLine, 'lineNumber' | 'amount' | 'taxCode'>[],
  lines: readonly BcLine[],
): boolean {
  if (sent.length !== lines.length) return true;
  return sent.some((wanted) => {
    const line = lines.find((each) => each.lineNumber === wanted.lineNumber);
    return !line?.amount.equals(wanted.amount);
  });
}

/** The VAT code of the first line on which Business Central did not keep it: it would not take VAT out there, or by another rate. */
export function taxCodeLost(
  sent: readonly Pick<BcJournalLine, 'lineNumber' | 'taxCode'>[],
  lines: readonly BcLine[],
): string | undefined {
  return sent.find(({ lineNumber, taxCode }) => {
    const kept = lines.find((line) => line.lineNumber === lineNumber)?.taxCode ?? '';
    return taxCode !== undefined && kept.toUpperCase() !== taxCode.toUpperCase();
  })?.taxCode;
}

export function toEntry(
  entries: readonly BcEntry[],
  settings: TranslateSettings,
  wasReversed: boolean,
): ErpEntry {
  const sorted = [...entries].sort((a, b) => a.entryNumber - b.entryNumber);
  const [first] = sorted;
  if (!first) throw new RangeError('An entry has at least one line.');
  const isReversal = sorted.every((entry) => entry.description.startsWith(REVERSAL_MARK));
  return {
    reference: { id: first.id, number: String(first.entryNumber) },
    key: first.documentNumber,
    state: 'posted',
    postingDate: first.postingDate,
    lines: sorted.map((entry) =>
      toEntryLine(entry.accountNumber, entry.debitAmount, entry.creditAmount, entry, settings),
    ),
    ...(isReversal || wasReversed ? { reversed: true } : {}),
  };
}

/** A journal that is not posted yet. Lines of the subledger show a customer's number instead of an account. */
export function toDraft(
  journal: BcJournalHeader,
  lines: readonly BcLine[],
  settings: TranslateSettings,
  state: 'draft' | 'pending',
): ErpEntry {
  const [first] = lines;
  if (!first) throw new RangeError('A draft has at least one line.');
  return {
    reference: { id: journal.id, number: journal.code },
    key: first.documentNumber,
    state,
    postingDate: first.postingDate,
    lines: lines.map((line) => {
      const debit = line.amount.isPositive() ? line.amount : ZERO;
      const credit = line.amount.isNegative() ? line.amount.negated() : ZERO;
      return toEntryLine(accountNamed(line, settings.subledger), debit, credit, line, settings);
    }),
  };
}

function accountNamed(line: BcLine, subledger: Subledger): string {
  if (line.accountType === 'Customer') return subledger.customers[0] ?? line.accountNumber;
  if (line.accountType === 'Vendor') return subledger.suppliers[0] ?? line.accountNumber;
  return line.accountNumber;
}

function toEntryLine(
  account: string,
  debit: Decimal,
  credit: Decimal,
  read: Pick<BcLine, 'description' | 'dimensionSetLines'>,
  settings: TranslateSettings,
): ErpEntryLine {
  const { customers, suppliers } = settings.subledger;
  const inSubledger = customers.includes(account) || suppliers.includes(account);
  const counterparty = inSubledger ? kennitalaIn(read.description) : undefined;
  const dimensions = dimensionsOf(read, settings);
  return {
    account,
    debit,
    credit,
    ...(counterparty === undefined ? {} : { counterparty }),
    ...(Object.keys(dimensions).length === 0 ? {} : { dimensions }),
  };
}

function kennitalaIn(description: string): string | undefined {
  const at = description.lastIndexOf(`${assumed.KENNITALA_MARK} `);
  return at < 0 ? undefined : description.slice(at + assumed.KENNITALA_MARK.length + 1);
}

export function dimensionsOf(
  read: Pick<BcLine, 'dimensionSetLines'>,
  settings: Pick<TranslateSettings, 'dimensions'>,
): Record<string, string> {
  const found: Record<string, string> = {};
  for (const { code, valueCode } of read.dimensionSetLines ?? []) {
    const name = Object.entries(settings.dimensions).find(([, ours]) => ours === code)?.[0];
    if (name !== undefined) found[name] = valueCode;
  }
  return found;
}

/** Numbered by kennitala, so that Business Central itself refuses a second one. */
export function toBcPartner(party: JournalParty): Record<string, string> {
  const number = partyNumber(party.kennitala);
  const fields: Record<string, string | undefined> = {
    number,
    displayName: clipText(party.name, assumed.DESCRIPTION_LENGTH_MAX),
    addressLine1: clipText(party.address ?? '', assumed.ADDRESS_LENGTH_MAX),
    postalCode: whole(party.zip, assumed.CODE_LENGTH_MAX),
    city: clipText(party.city ?? '', assumed.CITY_LENGTH_MAX),
    email: whole(party.email, assumed.EMAIL_LENGTH_MAX),
    country: 'IS',
    taxRegistrationNumber: number,
  };
  return Object.fromEntries(
    Object.entries(fields).filter((field): field is [string, string] => Boolean(field[1])),
  );
}

/** Half an address leads nowhere, so what does not fit is left out. */
function whole(text: string | undefined, lengthMax: number): string | undefined {
  return text !== undefined && text.length <= lengthMax ? text : undefined;
}

// How many times was a document booked? Ledger entries carry no number of their transaction in the API, so it is told
// from what they are: a booking has consecutive entry numbers, and a second booking of the same key repeats the first.

export function splitBookings(entries: readonly BcEntry[]): BcEntry[][] {
  const sorted = [...entries].sort((a, b) => a.entryNumber - b.entryNumber);
  return consecutiveRuns(sorted).flatMap((run) => splitRepeats(run));
}

function consecutiveRuns(sorted: readonly BcEntry[]): BcEntry[][] {
  const runs: BcEntry[][] = [];
  for (const entry of sorted) {
    const run = runs.at(-1);
    if (run?.at(-1)?.entryNumber === entry.entryNumber - 1) run.push(entry);
    else runs.push([entry]);
  }
  return runs;
}

function splitRepeats(run: readonly BcEntry[]): BcEntry[][] {
  const marks = run.map((entry) => contentOf(entry));
  for (let size = 2; size <= run.length / 2; size++) {
    if (run.length % size !== 0) continue;
    if (!marks.every((mark, index) => mark === marks[index % size])) continue;
    return Array.from({ length: run.length / size }, (_, block) =>
      run.slice(block * size, (block + 1) * size),
    );
  }
  return [[...run]];
}

function contentOf(entry: BcEntry): string {
  const { accountNumber, debitAmount, creditAmount, description } = entry;
  return JSON.stringify([accountNumber, debitAmount.toFixed(), creditAmount.toFixed(), description]);
}
