// A certificate of a period, and a rehearsal, as they are shown.
import * as z from 'zod';
import { count, instant, isoDate, uuid } from './common.js';

const decimal = z.string().describe('A decimal number as text.');
const tally = z.object({ count, sum: decimal }).nullable();
const sides = z.object({ debit: decimal, credit: decimal });

export const certificate = z
  .object({
    id: uuid,
    tenantName: z.string(),
    from: isoDate,
    to: isoDate,
    madeAt: instant,
    madeBy: z.string(),
    verdict: z.enum(['green', 'red']),
    changedSince: count.describe(
      'Documents of the period that came, changed or moved since: the period is reopened.',
    ),
    superseded: z
      .boolean()
      .describe('A later certificate covers the whole period: look at that one for what is so now.'),
    root: z.string().describe('Merkle root over all records.'),
    previousRoot: z.string().nullable(),
    records: count,
    signedBy: z.string().nullable().describe('Fingerprint of the key.'),
    differences: z.array(z.object({ code: z.string(), sentence: z.string() })),
    documents: z.array(z.object({ subject: z.string(), source: tally, bridge: tally, agrees: z.boolean() })),
    accounts: z.array(
      z.object({ account: z.string(), bridge: sides, erp: sides.nullable(), agrees: z.boolean() }),
    ),
    vat: z.array(
      z.object({
        ...{ vatCode: z.string(), lines: count, debit: decimal, credit: decimal },
        rates: z.array(z.string()).describe('In percent, by the rules in force when it was made.'),
        erp: sides.nullable().describe('null: the ERP shows no VAT codes.'),
        agrees: z.boolean(),
      }),
    ),
    entries: z.object({ bridge: count, erp: count.nullable() }),
    numbers: z
      .object({ first: z.string(), last: z.string(), missing: z.array(z.string()) })
      .nullable()
      .describe('Of invoices; null: none has a number that can be counted.'),
    setAside: z.array(
      z.object({
        ...{ kind: z.string(), number: z.string(), guid: z.string(), state: z.string(), amount: decimal },
        ...{ currency: z.string(), code: z.string(), why: z.string(), decidedBy: z.string() },
      }),
    ),
    originals: z.record(z.string(), count),
    audit: z.object({ length: z.string(), whole: z.boolean() }),
    limits: z.array(z.string()).describe('What nobody here can see.'),
  })
  .meta({ id: 'Certificate' });
export type CertificateView = z.infer<typeof certificate>;

const accountChange = z.object({ account: z.string(), before: decimal, after: decimal });

export const rehearsal = z
  .object({
    tenant: z.string(),
    examined: count,
    same: count,
    changed: count,
    withoutLookUps: count.describe(
      'Their journals on record came from look-ups or other rules; both sides were mapped without.',
    ),
    accounts: z.array(accountChange),
    documents: z.array(
      z.object({
        ...{ kind: z.string(), number: z.string(), guid: z.string(), state: z.string() },
        ...{ before: z.string(), after: z.string(), accounts: z.array(accountChange) },
      }),
    ),
  })
  .meta({ id: 'Rehearsal' });
