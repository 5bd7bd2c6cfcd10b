// How far somebody may look and act: all companies, or only some, with a role in each. What lies beyond is not refused but
// not there: whoever may not see a company learns nothing of it, not even that it exists.
import { coded } from '../../language/coded.js';
import { message } from '../../language/messages.js';

/** Company → what may be done in it. */
export type Reach = ReadonlyMap<string, OperatorRole>;

/** Names of companies; null: all of them. */
export type Companies = readonly string[] | null;

export function atLeast(role: OperatorRole, wanted: OperatorRole): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(wanted);
}

/** The companies of `asked` that are within reach, where at least that may be done. */
export function narrowed(reach: Reach, asked: Companies, role: OperatorRole = 'viewer'): readonly string[] {
  const within = [...reach].filter(([, has]) => atLeast(has, role)).map(([name]) => name);
  return asked === null ? within : within.filter((name) => asked.includes(name));
}

/** What is done in a company that can be seen, but not with so small a role. */
export function requireRole(reach: Reach, company: string, role: OperatorRole): void {
  const has = reach.get(company);
  if (has === undefined) throw coded('TENANT_UNKNOWN', message('NO_SUCH_TENANT', { name: company }));
  if (!atLeast(has, role)) throw coded('COMPANY_ROLE', message('ROLE_NEEDED', { role, company, has }));
}

/** The most that may be done anywhere within reach. */
export function highestRole(reach: Reach): OperatorRole {
  return ROLES.findLast((role) => [...reach.values()].includes(role)) ?? 'viewer';
}

/** Of the bridge as a whole: tokens, the whole audit. Nobody who is confined to companies has a say in it. */
export function bridgeOnly(): never {
  throw coded('COMPANY_ROLE', message('ALL_COMPANIES_CONCERNED'));
}

/** What somebody may do: look, act on documents and tenants, decide what money moves by itself. */
export const ROLES = ['viewer', 'operator', 'admin'] as const;
export type OperatorRole = (typeof ROLES)[number];
