// What a tenant file says of hours that are to be billed.
import * as z from 'zod';
import { schemaText } from '../told.js';
import { isCalendarDay } from '../../domain/local-time.js';
import { named } from '../named-settings.js';

export const hoursSettings = z.strictObject({
  type: z.literal('hours').describe('Hours that stand at the service: billed by customer and period.'),
  ...named,
  bill: z
    .enum(['draft', 'invoice'])
    .default('draft')
    .describe('What the hours of a customer in a period become; a draft unless given.'),
  period: z.enum(['month', 'week']).default('month').describe('month unless given; weeks begin on Monday.'),
  since: z
    .string()
    .refine(isCalendarDay, schemaText('NO_DAY'))
    .describe('Hours before this day are not billed by the bridge.'),
  afterDays: z
    .int()
    .min(0)
    .max(60)
    .default(3)
    .describe('Days after the end of a period before it is billed; 3 unless given.'),
  endTasks: z
    .boolean()
    .default(false)
    .describe('Whether tasks are ended when their hours were billed; false unless given.'),
});
