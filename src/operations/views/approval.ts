// What one person asked for and another has to agree to.
import * as z from 'zod';
import { FOUR_EYES_ACTS } from '../../tenants/tenant.js';
import { instant, uuid } from './common.js';

export const approval = z
  .object({
    id: uuid,
    tenantName: z.string(),
    act: z.enum(FOUR_EYES_ACTS),
    subject: z.string().describe('Id of a document, or name of a tenant.'),
    actor: z.string().describe('Who asked.'),
    reason: z.string(),
    askedAt: instant,
    expiresAt: instant.describe('Nobody can agree after this; ask anew.'),
  })
  .meta({ id: 'Approval' });
export type ApprovalView = z.infer<typeof approval>;
