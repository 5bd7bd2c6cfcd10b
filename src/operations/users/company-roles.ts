// The companies of a person or a token as people write them: "hraun=operator, fjord". A name without a role has the one that
// was chosen beside it.
import { CodedError } from '../../domain/errors/coded-error.js';
import type { Reach } from '../access/reach.js';
import { unknownTenant } from '../known-tenant.js';
import { USER_ROLES, type UserRole } from './user-records.js';

const COMPANIES_MAX = 1_000;

/** null: nothing was written, which means all companies. */
export function companyRoles(text: string, usual: UserRole, known: readonly string[]): Reach | null {
  const written = text.split(',').map((one) => one.trim());
  const named = written.filter((one) => one !== '');
  if (named.length === 0) return null;
  if (named.length > COMPANIES_MAX)
    throw new CodedError('QUERY_INVALID', `Name at most ${COMPANIES_MAX} companies.`);
  return new Map(named.map((one) => oneCompany(one, usual, known)));
}

function oneCompany(text: string, usual: UserRole, known: readonly string[]): [string, UserRole] {
  const [name = '', said = usual] = text.split('=').map((part) => part.trim());
  const role = USER_ROLES.find((one) => one === said);
  if (!role)
    throw new CodedError(
      'QUERY_INVALID',
      `"${said}" is no role: write ${name}=viewer, ${name}=operator or ${name}=admin.`,
    );
  if (!known.includes(name)) throw unknownTenant(name, known);
  return [name, role];
}

/** The other way round; empty for all companies. */
export function companyText(reach: Reach | null): string {
  return [...(reach ?? [])].map(([name, role]) => `${name}=${role}`).join(', ');
}
