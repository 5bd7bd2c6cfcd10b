// Who has to prove more than a password.
import * as z from 'zod';
import { FACTOR_POLICIES } from '../domain/factor-policy.js';
import { wholeNumber } from './setting-values.js';

export const ACCESS_VARIABLES = {
  LEDGERBRIDGE_SECOND_FACTOR: z
    .enum(FACTOR_POLICIES)
    .default('none')
    .describe(
      'Whose accounts of the dashboard need a second factor: `admin`; `operator`: admins too; `everybody`; or `none`. Whoever has none yet can only turn it on. Needs `LEDGERBRIDGE_KEY`. Default `none`.',
    ),
  LEDGERBRIDGE_AUDIT_READS: z
    .enum(['on', 'off'])
    .default('off')
    .describe(
      'Whether the audit tells who looked at which document, in the dashboard and over the API: one entry a person, document and hour. Default `off`.',
    ),
  LEDGERBRIDGE_ADDRESS_DAYS: wholeNumber(1, 3_650)
    .optional()
    .describe(
      'Days after which the scheduler removes network addresses of sign-ins, sessions that are over and counts of tries. Without it only `ledgerbridge privacy prune` does, after 90.',
    ),
} as const;

/** Nobody could turn one on. */
export function accessProblems(given: Readonly<Record<string, unknown>>): readonly string[] {
  const { LEDGERBRIDGE_SECOND_FACTOR: policy = 'none', LEDGERBRIDGE_KEY: key } = given;
  if (policy === 'none' || (key !== undefined && key !== '')) return [];
  return ['LEDGERBRIDGE_SECOND_FACTOR: second factors are sealed with LEDGERBRIDGE_KEY; set it too'];
}
