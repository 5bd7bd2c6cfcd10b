// A VAT return as it is shown.
import * as z from 'zod';
import { amount, count, isoDate, uuid } from './common.js';
import { documentRow } from './document.js';

const side = z
  .enum(['sale', 'purchase', 'reverse-charge'])
  .describe('reverse-charge: bought abroad, where the buyer owes the VAT and deducts it.');

export const vatReportCode = z
  .object({
    code: z.string(),
    side,
    box: z.enum(['A', 'B', 'C', 'outside', 'none']).describe('Where its turnover is reported.'),
    base: amount,
    vat: amount.describe('Owed on sales, deducted on purchases.'),
    owed: amount.describe('Of a reverse charge: what the buyer owes.'),
    entries: count,
  })
  .meta({ id: 'VatReportCode' });
export type VatReportCode = z.infer<typeof vatReportCode>;

export const vatReportDocument = z
  .object({
    postingId: uuid,
    kind: z.string(),
    number: z.string(),
    guid: z.string(),
    counterpartyName: z.string(),
    entry: z.string(),
    part: z.enum(['main', 'settlement', 'reversal']),
    postingDate: isoDate,
    side,
    base: amount,
    vat: amount,
    owed: amount,
  })
  .meta({ id: 'VatReportDocument' });
export type VatReportDocument = z.infer<typeof vatReportDocument>;

export const vatReport = z
  .object({
    tenant: z.string(),
    from: isoDate,
    to: isoDate,
    boxes: z
      .object({ A: amount, B: amount, C: amount, D: amount, E: amount, F: amount })
      .describe(
        'A turnover at 24 %, B turnover at 11 %, C turnover exempt by article 12 (export), D output tax, E input tax, F to pay: D less E.',
      ),
    outside: amount.describe('Turnover that is not reported: exempt by article 2 (vat.outsideReturn).'),
    codes: z.array(vatReportCode),
    documents: z.array(vatReportDocument).describe('Behind the code that was asked for.'),
    documentsLeftOut: count,
    entries: count,
    withoutLines: count.describe(
      'Entries of an older version whose lines are not on record: look in the ERP.',
    ),
    unposted: z
      .object({ items: z.array(documentRow), more: z.boolean() })
      .describe('Issued in the period and not in the books yet: they would change it.'),
  })
  .meta({ id: 'VatReport' });
export type VatReport = z.infer<typeof vatReport>;
