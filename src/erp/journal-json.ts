// A journal as JSON text and back, for prepared requests and for adapters whose wire form is ours. Amounts are strings,
// so that no reader, ours or another's, makes a binary fraction of them.
import { z } from 'zod';
import { Decimal } from '../domain/decimal.js';
import { type Journal, type JournalLine, LINE_ROLES } from '../domain/journal.js';

const amount = z.string().regex(/^-?\d{1,18}(\.\d{1,8})?$/, 'must be a decimal number in a string');
const day = z.string().regex(/^\d{4}-\d{2}-\d{2}$/, 'must be a day, YYYY-MM-DD');

const lineSchema = z.object({
  account: z.string(),
  role: z.enum(LINE_ROLES),
  debit: amount,
  credit: amount,
  currency: z.string().optional(),
  currencyAmount: amount.optional(),
  vatCode: z.string().optional(),
  vatBase: amount.optional(),
  counterparty: z.string().optional(),
  dueDate: day.optional(),
  dimensions: z.record(z.string(), z.string()).optional(),
  text: z.string(),
});

const partySchema = z.object({
  kind: z.enum(['customer', 'supplier']),
  kennitala: z.string(),
  name: z.string(),
  address: z.string().optional(),
  zip: z.string().optional(),
  city: z.string().optional(),
  email: z.string().optional(),
});

export const journalJsonSchema = z.object({
  documentNo: z.string(),
  externalReference: z.string(),
  postingDate: day,
  documentDate: day,
  dueDate: day.optional(),
  settlementDate: day.optional(),
  description: z.string(),
  currency: z.string(),
  exchangeRate: amount,
  appliesTo: z.string().optional(),
  party: partySchema.optional(),
  attachments: z.array(z.string()).optional(),
  lines: z.array(lineSchema).min(1).max(10_000),
});

export type JournalJson = z.infer<typeof journalJsonSchema>;
type LineJson = z.infer<typeof lineSchema>;

/** The same journal always gives the same text: fields in one order, absent ones left out, amounts in one form. */
export function journalToJson(journal: Journal): JournalJson {
  const header = present({
    documentNo: journal.documentNo,
    externalReference: journal.externalReference,
    postingDate: journal.postingDate,
    documentDate: journal.documentDate,
    dueDate: journal.dueDate,
    settlementDate: journal.settlementDate,
    description: journal.description,
    currency: journal.currency,
    exchangeRate: journal.exchangeRate.toFixed(),
    appliesTo: journal.appliesTo,
    party: journal.party ? partySchema.parse(journal.party) : undefined,
    attachments: journal.attachments ? [...journal.attachments] : undefined,
  });
  return { ...header, lines: journal.lines.map(lineToJson) };
}

export function journalFromJson(json: JournalJson): Journal {
  const { lines, exchangeRate, ...header } = json;
  return {
    ...present(header),
    exchangeRate: new Decimal(exchangeRate),
    lines: lines.map(lineFromJson),
  } as Journal;
}

function lineToJson(line: JournalLine): LineJson {
  return present({
    account: line.account,
    role: line.role,
    debit: line.debit.toFixed(),
    credit: line.credit.toFixed(),
    currency: line.currency,
    currencyAmount: line.currencyAmount?.toFixed(),
    vatCode: line.vatCode,
    vatBase: line.vatBase?.toFixed(),
    counterparty: line.counterparty,
    dueDate: line.dueDate,
    dimensions: line.dimensions ? sorted(line.dimensions) : undefined,
    text: line.text,
  });
}

function lineFromJson(json: LineJson): JournalLine {
  const { debit, credit, currencyAmount, vatBase, ...rest } = json;
  return {
    ...present(rest),
    debit: new Decimal(debit),
    credit: new Decimal(credit),
    ...(currencyAmount === undefined ? {} : { currencyAmount: new Decimal(currencyAmount) }),
    ...(vatBase === undefined ? {} : { vatBase: new Decimal(vatBase) }),
  } as JournalLine;
}

function sorted(dimensions: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(dimensions).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function present<Fields extends Record<string, unknown>>(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Fields;
}
