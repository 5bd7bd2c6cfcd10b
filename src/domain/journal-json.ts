// A journal as JSON and back, without losing a digit: every amount is a decimal string. Reading text checks the invariants
// again, so that nothing stored or edited on the way is posted unbalanced. Fields come in one order and absent ones are
// left out, so the same journal is always the same text.
import * as z from 'zod';
import { Decimal, amountText } from './money.js';
import { CodedError } from './errors/coded-error.js';
import { LINE_ROLES, type Journal, type JournalLine, createJournal } from './journal.js';
import { Shelf } from './shelf.js';

const amount = z.string().regex(/^-?\d{1,20}(\.\d{1,20})?$/);
const release = z.object({ account: z.string(), amount, days: z.array(z.string()) });
const line = z.object({
  account: z.string(),
  role: z.enum(LINE_ROLES),
  debit: amount,
  credit: amount,
  currency: z.string().exactOptional(),
  currencyAmount: amount.exactOptional(),
  vatCode: z.string().exactOptional(),
  vatBase: amount.exactOptional(),
  vatKept: amount.exactOptional(),
  reverseVat: amount.exactOptional(),
  counterparty: z.string().exactOptional(),
  dueDate: z.string().exactOptional(),
  dimensions: z.record(z.string(), z.string()).exactOptional(),
  release: release.exactOptional(),
  text: z.string(),
});
const party = z.object({
  kind: z.enum(['customer', 'supplier']),
  kennitala: z.string(),
  name: z.string(),
  address: z.string().exactOptional(),
  zip: z.string().exactOptional(),
  city: z.string().exactOptional(),
  email: z.string().exactOptional(),
});
export const journalJsonSchema = z.object({
  documentNo: z.string(),
  externalReference: z.string(),
  postingDate: z.string(),
  documentDate: z.string(),
  dueDate: z.string().exactOptional(),
  settlementDate: z.string().exactOptional(),
  description: z.string(),
  currency: z.string(),
  exchangeRate: amount,
  appliesTo: z.string().exactOptional(),
  appliesToNo: z.string().exactOptional(),
  party: party.exactOptional(),
  parties: z.array(party).exactOptional(),
  attachments: z.array(z.string()).exactOptional(),
  lines: z.array(line),
});

export type JournalJson = z.infer<typeof journalJsonSchema>;
export type LineJson = z.infer<typeof line>;

export function journalToJson(entry: Journal): string {
  return JSON.stringify(plainJournal(entry));
}

/**
 * The latest journals that were made here, by their text: a document in flight is kept as text, and sent a moment later. Whatever
 * stands in the records otherwise, another text, is read and checked.
 */
const justMade = new Shelf<Journal>(256);

/** For one that has passed the invariants and is about to be kept. */
export function keptAsJson(entry: Journal): string {
  const text = journalToJson(entry);
  justMade.put(text, entry);
  return text;
}

/** When its document rests: nobody asks for it soon. */
export function noLongerKept(text: string | null): void {
  if (text !== null) justMade.drop(text);
}

// Assigned one by one, in the order of the schema: this runs for every journal and line that is kept, sent or shown.

/** What JSON.stringify takes: for output that holds a journal among other things. Keys always in the same order. */
export function plainJournal(entry: Journal): JournalJson {
  const plain: Partial<JournalJson> = {
    documentNo: entry.documentNo,
    externalReference: entry.externalReference,
    postingDate: entry.postingDate,
    documentDate: entry.documentDate,
  };
  if (entry.dueDate !== undefined) plain.dueDate = entry.dueDate;
  if (entry.settlementDate !== undefined) plain.settlementDate = entry.settlementDate;
  plain.description = entry.description;
  plain.currency = entry.currency;
  plain.exchangeRate = amountText(entry.exchangeRate);
  if (entry.appliesTo !== undefined) plain.appliesTo = entry.appliesTo;
  if (entry.appliesToNo !== undefined) plain.appliesToNo = entry.appliesToNo;
  if (entry.party !== undefined) plain.party = entry.party;
  if (entry.parties !== undefined) plain.parties = [...entry.parties];
  if (entry.attachments !== undefined) plain.attachments = [...entry.attachments];
  plain.lines = entry.lines.map(plainLine);
  return plain as JournalJson;
}

function plainLine(entry: JournalLine): LineJson {
  const plain: Partial<LineJson> = {
    account: entry.account,
    role: entry.role,
    debit: amountText(entry.debit),
    credit: amountText(entry.credit),
  };
  if (entry.currency !== undefined) plain.currency = entry.currency;
  if (entry.currencyAmount !== undefined) plain.currencyAmount = amountText(entry.currencyAmount);
  if (entry.vatCode !== undefined) plain.vatCode = entry.vatCode;
  if (entry.vatBase !== undefined) plain.vatBase = amountText(entry.vatBase);
  if (entry.vatKept !== undefined) plain.vatKept = amountText(entry.vatKept);
  if (entry.reverseVat !== undefined) plain.reverseVat = amountText(entry.reverseVat);
  if (entry.counterparty !== undefined) plain.counterparty = entry.counterparty;
  if (entry.dueDate !== undefined) plain.dueDate = entry.dueDate;
  if (entry.dimensions !== undefined) plain.dimensions = sorted(entry.dimensions);
  if (entry.release !== undefined) {
    const { account, amount: released, days } = entry.release;
    plain.release = { account, amount: amountText(released), days: [...days] };
  }
  plain.text = entry.text;
  return plain as LineJson;
}

/** Throws JOURNAL_UNREADABLE or JOURNAL_INVALID. */
export function journalFromJson(text: string): Journal {
  const made = justMade.find(text);
  if (made) return made;
  const parsed = journalJsonSchema.safeParse(parseJson(text));
  if (!parsed.success) {
    const where = parsed.error.issues[0]?.path.map(String).join('.') ?? '';
    throw new CodedError('JOURNAL_UNREADABLE', `The stored journal cannot be read at "${where}".`);
  }
  return createJournal(journalFromPlain(parsed.data));
}

/** The invariants are not checked: for adapters that read what they prepared themselves. */
export function journalFromPlain({ exchangeRate, lines, ...header }: JournalJson): Journal {
  return { ...header, exchangeRate: new Decimal(exchangeRate), lines: lines.map(lineFromPlain) };
}

function lineFromPlain({
  debit,
  credit,
  currencyAmount,
  vatBase,
  vatKept,
  reverseVat,
  release: spread,
  ...rest
}: LineJson): JournalLine {
  return {
    ...rest,
    debit: new Decimal(debit),
    credit: new Decimal(credit),
    ...(currencyAmount === undefined ? {} : { currencyAmount: new Decimal(currencyAmount) }),
    ...(vatBase === undefined ? {} : { vatBase: new Decimal(vatBase) }),
    ...(vatKept === undefined ? {} : { vatKept: new Decimal(vatKept) }),
    ...(reverseVat === undefined ? {} : { reverseVat: new Decimal(reverseVat) }),
    ...(spread === undefined ? {} : { release: { ...spread, amount: new Decimal(spread.amount) } }),
  };
}

function sorted(dimensions: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(dimensions).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new CodedError('JOURNAL_UNREADABLE', 'The stored journal is not JSON.', { cause });
  }
}
