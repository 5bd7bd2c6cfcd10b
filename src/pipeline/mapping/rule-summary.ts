// The rules for tenants who want one journal a day instead of one a document.
import * as z from 'zod';
import { schemaText } from '../../language/schema-texts.js';

const wish = z.enum(['each', 'daily']).optional();

export const DOCUMENTS_MAX = 200;
/** One in the morning of the day after. */
export const CLOSES_AFTER_HOURS = 25;

export const summaryRules = z
  .strictObject({
    _comment: z.string().optional(),
    invoices: wish.describe(
      'daily: the invoices and credit notes of a posting date are one journal. Default: each, a journal a document.',
    ),
    costs: wish.describe('The same for costs.'),
    closesAfterHours: z
      .number()
      .int()
      .min(1)
      .max(96)
      .optional()
      .describe(
        'When a day is complete, in hours from its beginning: 25, one in the morning of the day after, unless given. What comes later goes into a second journal of that day.',
      ),
    documentsMax: z
      .number()
      .int()
      .min(2)
      .max(500)
      .optional()
      .describe('Documents of one journal (200); a day with more has several.'),
  })
  .optional();

interface Rules {
  readonly summary?: z.infer<typeof summaryRules>;
  readonly vat: { readonly mode?: string | undefined };
}

/** An ERP that takes VAT out of gross lines would round it once a day instead of once a document. */
export function refuseSplitVat({ summary, vat }: Rules, context: z.RefinementCtx): void {
  if (vat.mode !== 'erp-splits') return;
  for (const kind of ['invoices', 'costs'] as const) {
    if (summary?.[kind] !== 'daily') continue;
    const message = schemaText('SUMMARY_NEEDS_VAT_LINES');
    context.addIssue({ code: 'custom', path: ['summary', kind], message });
  }
}
