// Who did what, and whether the record of it is whole.
import * as z from 'zod';
import { instant, pageOf } from './common.js';

export const auditEntry = z
  .object({
    id: z.string(),
    chain: z.string().describe('The tenant, or (bridge).'),
    at: instant,
    actor: z.string(),
    action: z.string(),
    subject: z.string(),
    reason: z.string().nullable(),
    details: z.record(z.string(), z.unknown()),
  })
  .meta({ id: 'AuditEntry' });
export type AuditEntryView = z.infer<typeof auditEntry>;

export const auditPage = pageOf(auditEntry).meta({ id: 'AuditPage' });

export const auditCheck = z
  .object({
    whole: z.boolean(),
    chains: z.int(),
    entries: z.string(),
    breaks: z.array(
      z.object({ chain: z.string(), number: z.string(), entryId: z.string().nullable(), what: z.string() }),
    ),
  })
  .meta({ id: 'AuditCheck' });
export type AuditCheck = z.infer<typeof auditCheck>;
