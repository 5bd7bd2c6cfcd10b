// What one person asked for and another has to agree to.
import * as z from 'zod';
import { FOUR_EYES_ACTS } from '../../tenants/tenant.js';
import { instant, uuid } from './common.js';

/** What can be agreed on: acts of both directions, each for its own setting. */
export const APPROVED_ACTS = [...FOUR_EYES_ACTS, 'outgoing-plan', 'outgoing-absent'] as const;
export type ApprovedAct = (typeof APPROVED_ACTS)[number];

export const approval = z
  .object({
    id: uuid,
    tenantName: z.string(),
    act: z.enum(APPROVED_ACTS),
    subject: z.string().describe('Id of a document or a submission, or name of a tenant.'),
    actor: z.string().describe('Who asked.'),
    reason: z.string(),
    askedAt: instant,
    expiresAt: instant.describe('Nobody can agree after this; ask anew.'),
  })
  .meta({ id: 'Approval' });
export type ApprovalView = z.infer<typeof approval>;
