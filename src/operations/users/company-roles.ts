// The companies of a person or a token as people write them: "hraun=operator, fjord". A name without a role has the one that
// was chosen beside it.
import { coded } from '../../language/coded.js';
import { message } from '../../language/messages.js';
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
    throw coded('QUERY_INVALID', message('TOO_MANY_COMPANIES', { most: COMPANIES_MAX }));
  return new Map(named.map((one) => oneCompany(one, usual, known)));
}

function oneCompany(text: string, usual: UserRole, known: readonly string[]): [string, UserRole] {
  const [name = '', said = usual] = text.split('=').map((part) => part.trim());
  const role = USER_ROLES.find((one) => one === said);
  if (!role) throw coded('QUERY_INVALID', message('NO_SUCH_ROLE', { role: said, company: name }));
  if (!known.includes(name)) throw unknownTenant(name, known);
  return [name, role];
}

/** The other way round; empty for all companies. */
export function companyText(reach: Reach | null): string {
  return [...(reach ?? [])].map(([name, role]) => `${name}=${role}`).join(', ');
}
