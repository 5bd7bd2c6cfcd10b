// What a client may post, and the rules of bookkeeping that hold without knowing the books: sides and sums.
import * as z from 'zod';

const LINES_MAX = 1000;
const isoDate = z.iso.date();
const amount = z.string().regex(/^\d{1,15}(\.\d{1,4})?$/, 'is no decimal string of at most 4 decimals');
const signedAmount = z
  .string()
  .regex(/^-?\d{1,15}(\.\d{1,4})?$/, 'is no decimal string of at most 4 decimals');
const currency = z.string().regex(/^[A-Z]{3}$/, 'is no currency code');
export const keySchema = z.string().min(1).max(100);

const lineSchema = z.strictObject({
  account: z.string().min(1).max(40),
  role: z.string().max(40).optional(),
  debit: amount,
  credit: amount,
  currency: currency.optional(),
  currencyAmount: signedAmount.optional(),
  vatCode: z.string().max(40).optional(),
  vatBase: signedAmount.optional(),
  counterparty: z.string().max(40).optional(),
  dueDate: isoDate.optional(),
  dimensions: z.record(z.string().max(100), z.string().max(200)).optional(),
  text: z.string().max(500),
});

export const journalSchema = z.strictObject({
  key: keySchema,
  documentNo: z.string().max(100),
  externalReference: z.string().max(100),
  postingDate: isoDate,
  documentDate: isoDate,
  dueDate: isoDate.optional(),
  settlementDate: isoDate.optional(),
  appliesTo: z.string().max(100).optional(),
  description: z.string().max(1000),
  currency,
  exchangeRate: z.string().regex(/^\d{1,9}(\.\d{1,10})?$/, 'is no decimal string'),
  party: z
    .strictObject({
      kind: z.enum(['customer', 'supplier']).optional(),
      kennitala: z.string().max(20),
      name: z.string().max(200),
      address: z.string().max(200).optional(),
      zip: z.string().max(20).optional(),
      city: z.string().max(100).optional(),
      email: z.string().max(200).optional(),
    })
    .optional(),
  lines: z.array(lineSchema).min(2).max(LINES_MAX),
});

export const reversalSchema = z.strictObject({
  key: keySchema,
  date: isoDate,
  reason: z.string().min(1).max(500),
});

export type JournalRequest = z.infer<typeof journalSchema>;
export type JournalRequestLine = z.infer<typeof lineSchema>;
export type ReversalRequest = z.infer<typeof reversalSchema>;

/** Null when debit equals credit and every foreign currency adds up to zero; else a sentence. */
export function imbalance(lines: readonly JournalRequestLine[]): string | null {
  let debit = 0n;
  let credit = 0n;
  const foreign = new Map<string, bigint>();
  for (const [index, line] of lines.entries()) {
    const lineDebit = tenThousandths(line.debit);
    const lineCredit = tenThousandths(line.credit);
    if (lineDebit > 0n === lineCredit > 0n)
      return `Line ${index + 1} must have exactly one of debit and credit above zero.`;
    debit += lineDebit;
    credit += lineCredit;
    if (line.currency !== undefined && line.currencyAmount !== undefined) {
      foreign.set(line.currency, (foreign.get(line.currency) ?? 0n) + tenThousandths(line.currencyAmount));
    }
  }
  if (debit !== credit) return `Debit ${decimalText(debit)} is not credit ${decimalText(credit)}.`;
  for (const [code, sum] of foreign) {
    if (sum !== 0n) return `The amounts in ${code} add up to ${decimalText(sum)}, not to zero.`;
  }
  return null;
}

/** Swaps the sides: the lines of a reversing entry. */
export function mirrored(lines: readonly JournalRequestLine[]): JournalRequestLine[] {
  return lines.map((line) => ({
    ...line,
    debit: line.credit,
    credit: line.debit,
    ...(line.currencyAmount === undefined ? {} : { currencyAmount: negated(line.currencyAmount) }),
    ...(line.vatBase === undefined ? {} : { vatBase: negated(line.vatBase) }),
  }));
}

function negated(text: string): string {
  if (/^-?0+(\.0+)?$/.test(text)) return text.replace('-', '');
  return text.startsWith('-') ? text.slice(1) : `-${text}`;
}

/** Whole ten-thousandths: exact for every amount that the schema lets through. */
function tenThousandths(text: string): bigint {
  const negative = text.startsWith('-');
  const [whole = '0', fraction = ''] = (negative ? text.slice(1) : text).split('.');
  const value = BigInt(whole) * 10_000n + BigInt(fraction.padEnd(4, '0'));
  return negative ? -value : value;
}

function decimalText(value: bigint): string {
  const sign = value < 0n ? '-' : '';
  const magnitude = value < 0n ? -value : value;
  const fraction = String(magnitude % 10_000n)
    .padStart(4, '0')
    .replace(/0{1,4}$/, '');
  return `${sign}${String(magnitude / 10_000n)}${fraction === '' ? '' : `.${fraction}`}`;
}

/** Undefined when it is no JSON: the schemas refuse that with a sentence of their own. Amounts are strings, so nothing is lost. */
export function parsedJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}
