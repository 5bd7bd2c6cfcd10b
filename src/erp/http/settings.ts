import * as z from 'zod';
import { schemaText } from '../told.js';
import { secretReference } from '../../domain/secret-reference.js';
import { deadlineMs, serviceUrl } from '../config-schemas.js';

export const KEY_PROMISES = ['idempotency-key', 'unique-reference', 'look-up', 'none'] as const;

export const httpConfiguration = z.strictObject({
  baseUrl: serviceUrl.describe('Where the integration layer is served; /v1/... is added to it.'),
  secret: secretReference.describe('The shared secret that requests are signed with.'),
  company: z
    .string()
    .min(1)
    .describe('The company as GET /v1/company names it; books of another company are refused.'),
  ledger: z
    .string()
    .regex(/^\S{1,100}$/, schemaText('LEDGER_UNFIT'))
    .describe('The ledger as GET /v1/company names it, a part of every posting key. Never change it.'),
  keys: z
    .enum(KEY_PROMISES)
    .default('idempotency-key')
    .describe(
      'What the layer does about a key that it has seen. idempotency-key: replays its first answer. unique-reference: refuses with 409. look-up: only finds entries by key. none: not even that, so nothing is ever sent twice.',
    ),
  keyLifeHours: z
    .int()
    .min(1)
    .max(24 * 365)
    .default(24)
    .describe(
      'How long an Idempotency-Key surely replays. Afterwards the bridge looks up instead of sending again.',
    ),
  lookUpLagMs: z.int().min(0).max(600_000).default(0).describe('How long a look-up may miss a new entry.'),
  finality: z
    .enum(['posted', 'async'])
    .default('posted')
    .describe('async: the layer answers `pending` and books later; the entry is read until it is posted.'),
  attachments: z.boolean().default(true),
  dimensions: z.boolean().default(true),
  foreignCurrency: z.boolean().default(true),
  reverse: z.boolean().default(true),
  concurrency: z.int().min(1).max(64).default(8).describe('Requests under way at once.'),
  requestsPerSecond: z.number().min(0.1).max(10_000).default(50),
  deadlineMs,
});

export type HttpConfiguration = z.infer<typeof httpConfiguration>;
