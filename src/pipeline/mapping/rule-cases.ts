// Rules for one customer, supplier, item, country or text: a list, of which the first that fits decides. What it leaves out
// is decided as always.
import * as z from 'zod';
import { plainKennitala } from '../../domain/kennitala.js';
import { schemaText } from '../../language/schema-texts.js';
import { spreadMonths } from './rule-spread.js';

const words = z
  .union([z.string().min(1), z.array(z.string().min(1)).min(1)])
  .describe('One, or a list of which one has to fit.');
const assigned = z.string({ error: schemaText('ACCOUNT_UNQUOTED') }).min(1);
const dimensions = z.record(z.string().min(1), z.string()).describe('Dimension → value, on the line.');
const comment = { _comment: z.string().optional() };

const fits = (when: object) => Object.keys(when).some((name) => name !== '_comment');
const says = schemaText('CASE_FITS_ALL');

export const invoiceCase = z.strictObject({
  ...comment,
  when: z
    .strictObject({
      customer: words.optional().describe('Kennitala or guid.'),
      item: words.optional().describe('Item number.'),
      category: words.optional().describe('Category of the item.'),
      currency: words.optional(),
      tax: words.optional().describe('S, AA or Z.'),
      country: words
        .optional()
        .describe(
          'IS or abroad: the service shows no country, so a customer with a kennitala is in Iceland.',
        ),
      text: words.optional().describe('Stands in the text of the line or of the invoice, in any case.'),
    })
    .refine(fits, says),
  account: assigned.optional().describe('Revenue account of the line.'),
  vatCode: assigned
    .optional()
    .describe('For lines without VAT: tells export from exempt. Taxed lines keep the code of their rate.'),
  dimensions: dimensions.optional(),
  spreadMonths,
});
export type InvoiceCase = z.infer<typeof invoiceCase>;

export const importVat = z
  .boolean()
  .optional()
  .describe('VAT on such a bill is VAT on imported goods, whose price the bill does not hold (customs).');

export const costCase = z.strictObject({
  ...comment,
  when: z
    .strictObject({
      supplier: words.optional().describe('Kennitala.'),
      code: words.optional().describe('Cost code.'),
      country: words.optional().describe('Of the supplier, as the e-invoice says: IE.'),
      currency: words.optional(),
      howPaid: words.optional().describe('1 on account, 2 bank, 3 credit card, 4 owner or employee.'),
      text: words
        .optional()
        .describe('Stands in the description, the project or the supplier’s name, in any case.'),
      line: words
        .optional()
        .describe('Stands in the text of a line of the e-invoice: that line is booked by this case.'),
    })
    .refine(fits, says),
  account: assigned.optional(),
  vatDeductiblePercent: z.number().min(0).max(100).optional(),
  creditAccount: assigned.optional().describe('What is credited: an employee, a card.'),
  vatCode: assigned.optional().describe('For the part without VAT.'),
  importVat,
  dimensions: dimensions.optional(),
  spreadMonths,
});
export type CostCase = z.infer<typeof costCase>;

type Words = string | readonly string[] | undefined;

/** What is compared: whole words for numbers and codes, a piece of the text for texts. */
export interface CaseFacts {
  readonly exact: Readonly<Record<string, readonly string[]>>;
  readonly texts: Readonly<Record<string, string>>;
}

export interface FoundCase<Case> {
  readonly case: Case;
  /** Path in the rules: cost.cases.2 */
  readonly path: string;
}

export function firstCase<Case extends { readonly when: Readonly<Record<string, Words>> }>(
  cases: readonly Case[],
  facts: CaseFacts,
  section: 'invoice' | 'cost',
): FoundCase<Case> | null {
  const at = cases.findIndex(({ when }) => isFitting(when, facts));
  const found = cases[at];
  return found ? { case: found, path: `${section}.cases.${String(at)}` } : null;
}

function isFitting(when: Readonly<Record<string, Words>>, { exact, texts }: CaseFacts): boolean {
  return Object.entries(when).every(([name, wanted]) => {
    if (wanted === undefined) return true;
    const list = typeof wanted === 'string' ? [wanted] : wanted;
    const text = Object.hasOwn(texts, name) ? texts[name] : undefined;
    if (text !== undefined) return list.some((word) => text.includes(word.toLowerCase()));
    const values = Object.hasOwn(exact, name) ? (exact[name] ?? []) : [];
    return list.some((word) => values.includes(plainKennitala(word)));
  });
}

export function textOf(...parts: readonly string[]): string {
  return parts.join('\n').toLowerCase();
}
