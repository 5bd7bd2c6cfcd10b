// One line of the JSON Lines record: the books' truth, from which every other file can be written anew. Each line ends with
// a checksum of itself, so that a torn write is seen for what it is.
import { createHash } from 'node:crypto';
import * as z from 'zod';
import { Decimal } from '../../domain/decimal.js';
import { type JournalJson, journalJsonSchema } from '../../domain/journal-json.js';

const recordSchema = z.object({
  key: z.string(),
  kind: z.enum(['entry', 'reversal']),
  /** Key of the entry that this one reverses. */
  reverses: z.string().optional(),
  /** Month and position in it: what a bookkeeper sees. */
  number: z.string(),
  recordedAt: z.string(),
  journal: journalJsonSchema,
});

export type LedgerRecord = z.infer<typeof recordSchema>;
export type { JournalJson };

/** A long invoice has a few hundred lines; this is some twenty thousand. */
export const RECORD_BYTES_MAX = 4 * 1024 * 1024;

const SUM = /,"sum":"([0-9a-f]{16})"\}$/;

export function encodeRecord(record: LedgerRecord): string {
  const body = JSON.stringify(record);
  return `${body.slice(0, -1)},"sum":"${checksum(body)}"}\n`;
}

/** Null when the line is not what was once written. */
export function decodeRecord(line: string): LedgerRecord | null {
  const match = SUM.exec(line);
  if (!match) return null;
  const body = `${line.slice(0, match.index)}}`;
  if (checksum(body) !== match[1]) return null;
  const parsed = recordSchema.safeParse(JSON.parse(body));
  return parsed.success ? parsed.data : null;
}

function checksum(body: string): string {
  return createHash('sha256').update(body).digest('hex').slice(0, 16);
}

export interface SignedAmounts {
  readonly isk: string;
  readonly foreign?: { readonly amount: string; readonly currency: string };
}

const SUBLEDGER_ROLES: ReadonlySet<string> = new Set(['receivable', 'payable']);

/**
 * Plus is debit. Only what a customer owes or a supplier is owed carries a currency: everything else is a matter of ISK once
 * it is booked, and books whose every amount is in ISK add up without being told at what cost.
 */
export function signedAmounts(line: JournalJson['lines'][number]): SignedAmounts {
  const isk = new Decimal(line.debit).minus(line.credit).toFixed();
  const { currency, currencyAmount, role } = line;
  if (currency === undefined || currency === 'ISK' || currencyAmount === undefined) return { isk };
  return SUBLEDGER_ROLES.has(role) && !new Decimal(currencyAmount).isZero()
    ? { isk, foreign: { amount: currencyAmount, currency } }
    : { isk };
}

export function monthOf(date: string): string {
  return date.slice(0, 7);
}
