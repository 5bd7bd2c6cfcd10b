// Between journals and the contract's JSON: pure. Texts are cut to the contract's lengths; amounts are never touched.
import * as z from 'zod';
import { Decimal } from '../../domain/money.js';
import type { Journal } from '../../domain/journal.js';
import type { ErpEntry, ErpEntryLine, ErpReference, Rejected } from '../erp-adapter.js';
import { type JournalJson, type LineJson, plainJournal } from '../../domain/journal-json.js';
import { rejected, told } from '../told.js';

const TEXT_LENGTH_MAX = 500;
const DESCRIPTION_LENGTH_MAX = 1000;
const NAME_LENGTH_MAX = 200;

export function toRequest(key: string, journal: Journal): string {
  // The contract knows one party; those of a journal of a day are told by the kennitala of their lines. It knows no number of a bill
  // either, and a server may refuse what the contract does not name.
  const plain = plainJournal(journal);
  const { party } = plain;
  return JSON.stringify({
    key,
    documentNo: plain.documentNo,
    externalReference: plain.externalReference,
    postingDate: plain.postingDate,
    documentDate: plain.documentDate,
    dueDate: plain.dueDate,
    settlementDate: plain.settlementDate,
    description: cut(plain.description, DESCRIPTION_LENGTH_MAX),
    currency: plain.currency,
    exchangeRate: plain.exchangeRate,
    appliesTo: plain.appliesTo,
    party: party && { ...party, name: cut(party.name, NAME_LENGTH_MAX) },
    lines: plain.lines.map(withShortText),
  } satisfies Record<'key' | Exclude<keyof JournalJson, NotSent>, unknown>);
}

/** Attachments go separately. */
type NotSent = 'attachments' | 'parties' | 'appliesToNo';

function withShortText(line: LineJson): LineJson {
  return line.text.length <= TEXT_LENGTH_MAX ? line : { ...line, text: cut(line.text, TEXT_LENGTH_MAX) };
}

export function toReference(posted: WirePosted): ErpReference {
  return { id: posted.id, ...(posted.number === undefined ? {} : { number: posted.number }) };
}

export function toEntry(entry: WireEntry): ErpEntry {
  return {
    reference: toReference(entry),
    key: entry.key,
    state: entry.state,
    postingDate: entry.postingDate,
    lines: entry.lines.map(toLine),
    ...(entry.reversed ? { reversed: true } : {}),
  };
}

function toLine(line: WireEntry['lines'][number]): ErpEntryLine {
  return {
    account: line.account,
    debit: new Decimal(line.debit),
    credit: new Decimal(line.credit),
    ...(line.currency === undefined ? {} : { currency: line.currency }),
    ...(line.currencyAmount === undefined ? {} : { currencyAmount: new Decimal(line.currencyAmount) }),
    ...(line.counterparty === undefined ? {} : { counterparty: line.counterparty }),
    ...(line.dimensions === undefined ? {} : { dimensions: line.dimensions }),
    ...(line.vatCode === undefined ? {} : { vatCode: line.vatCode }),
  };
}

const system = 'The ERP';

/** What the chart already says no to, so that nothing needs to be sent to find out. */
export function refusedByChart(journal: Journal, chart: WireChart): Rejected | null {
  for (const line of journal.lines) {
    const problem =
      refusedAccount(line.account, chart) ??
      refusedVatCode(line.vatCode, chart) ??
      refusedDimension(line, chart);
    if (problem) return problem;
  }
  return null;
}

export function refusedAccount(account: string, chart: WireChart): Rejected | null {
  if (!chart.restricted) return null;
  const known = chart.accounts.find((each) => each.account === account);
  if (!known) return rejected('unknown-account', told('ACCOUNT_LACKING', { system, account }), { account });
  return known.state === 'blocked'
    ? rejected('blocked-account', told('ACCOUNT_SHUT', { system, account, how: 'blocked' }), { account })
    : null;
}

export function refusedVatCode(code: string | undefined, chart: WireChart): Rejected | null {
  if (!chart.restricted || code === undefined || chart.vatCodes === null) return null;
  return chart.vatCodes.includes(code)
    ? null
    : rejected('unknown-vat-code', told('VAT_CODE_LACKING', { system, vatCode: code }), { vatCode: code });
}

export function refusedDimension(
  line: { readonly dimensions?: Readonly<Record<string, string>> },
  chart: WireChart,
): Rejected | null {
  if (!chart.restricted || chart.dimensions === null) return null;
  for (const [name, value] of Object.entries(line.dimensions ?? {})) {
    const values = chart.dimensions[name];
    if (values === undefined)
      return rejected('unknown-dimension', told('DIMENSION_LACKING', { system, dimension: name }), {
        dimension: name,
      });
    if (values !== null && !values.includes(value))
      return rejected(
        'unknown-dimension',
        told('DIMENSION_VALUE_LACKING', { system, dimension: name, value }),
        {
          dimension: name,
          value,
        },
      );
  }
  return null;
}

function cut(text: string, lengthMax: number): string {
  return text.length <= lengthMax ? text : `${text.slice(0, lengthMax - 1)}…`;
}

// The answers of the contract (openapi.yaml). Unknown fields are allowed everywhere: the layer may grow.

const amount = z.string().regex(/^-?\d{1,18}(\.\d{1,8})?$/);

const entryLine = z.object({
  account: z.string(),
  debit: amount,
  credit: amount,
  currency: z.string().optional(),
  currencyAmount: amount.optional(),
  counterparty: z.string().optional(),
  dimensions: z.record(z.string(), z.string()).optional(),
  vatCode: z.string().optional(),
});

const state = z.enum(['posted', 'pending']);

export const wirePosted = z.object({ id: z.string().min(1), number: z.string().optional(), state });
export type WirePosted = z.infer<typeof wirePosted>;

export const wireEntry = z.object({
  id: z.string().min(1),
  number: z.string().optional(),
  key: z.string(),
  state,
  postingDate: z.string().regex(/^\d{4}-\d{2}-\d{2}$/),
  reversed: z.boolean().default(false),
  lines: z.array(entryLine).min(1),
});
export type WireEntry = z.infer<typeof wireEntry>;

export const wireEntries = z.object({
  entries: z.array(wireEntry),
  hasMore: z.boolean().optional(),
});

export const wireCompany = z.object({
  company: z.string(),
  ledger: z.string(),
  registrationNo: z.string().optional(),
});
export type WireCompany = z.infer<typeof wireCompany>;

export const wireChart = z.object({
  /** false: the layer takes any name, and the lists are empty. */
  restricted: z.boolean(),
  accounts: z.array(
    z.object({ account: z.string(), name: z.string().optional(), state: z.enum(['open', 'blocked']) }),
  ),
  vatCodes: z.array(z.string()).nullable(),
  dimensions: z.record(z.string(), z.array(z.string()).nullable()).nullable(),
});
export type WireChart = z.infer<typeof wireChart>;

export const wireError = z.object({ error: z.object({ code: z.string(), message: z.string() }) });
