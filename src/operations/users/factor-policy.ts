// Whose accounts need a second factor.
import type { FactorPolicy } from '../../domain/factor-policy.js';
import { atLeast, highestRole, type Reach } from '../access/reach.js';
import type { UserRole } from './user-records.js';

/** Of somebody who sees some companies only, the highest role in any of them counts. */
export function needsFactor(
  policy: FactorPolicy,
  { role, reach }: { readonly role: UserRole; readonly reach: Reach | null },
): boolean {
  if (policy === 'none' || policy === 'everybody') return policy === 'everybody';
  return atLeast(reach === null ? role : highestRole(reach), policy);
}
