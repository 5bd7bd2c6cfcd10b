// Fields that many routes share.
import * as z from 'zod';
import { PAGE_DEFAULT, PAGE_MAX } from '../../operations/views/common.js';

/** Query values arrive as text. */
export const number = (min: number, max: number) => z.coerce.number().int().min(min).max(max);
export const flag = z.enum(['true', 'false']).transform((text) => text === 'true');
export const limit = number(1, PAGE_MAX).default(PAGE_DEFAULT);
export const tenantName = z.string().max(40);
export const listed = <Item extends z.ZodType>(item: Item) => z.array(item);
export const byId = z.object({
  id: z.string().max(100).describe('Id, guid, number or key of the document.'),
});
export const byTenant = z.object({ tenant: tenantName });
export const ofTenant = z.object({ tenant: tenantName.optional() });
export const why = {
  reason: z.string().describe('Why; it is kept in the audit.'),
  by: z.string().max(60).optional().describe('The person, when the token is a program’s.'),
};
export const act = z.strictObject(why);
export const done = z.object({ changed: z.boolean() });
