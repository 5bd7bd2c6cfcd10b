// What a tenant file says of records that come over HTTP.
import * as z from 'zod';
import { secretReference } from '../../domain/secret-reference.js';
import { kindsTaken, named } from '../named-settings.js';

export const httpSettings = z.strictObject({
  type: z.literal('http').describe('Records that are sent here, each as a signed webhook.'),
  ...named,
  kinds: kindsTaken,
  secrets: z
    .array(secretReference)
    .min(1)
    .max(3)
    .describe(
      'Secrets that requests are signed with. Any of them is accepted: a new one first, then the old one goes.',
    ),
  requestsPerSecond: z
    .number()
    .positive()
    .max(1_000)
    .default(10)
    .describe(
      'Requests a second that are taken on average; 10 unless given. What is beyond it is told to wait.',
    ),
  waitingMax: z
    .int()
    .min(1)
    .max(1_000_000)
    .default(10_000)
    .describe(
      'Records that may wait to be taken up; 10000 unless given. What is beyond it is refused for a while.',
    ),
});
