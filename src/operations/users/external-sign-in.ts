// Somebody whom an identity provider vouches for. Promises: their groups decide what they may, at every sign-in; whoever has
// no group of ours does not get in; and a name that somebody here has already is never taken over.
import type { Clock } from '../../domain/runtime.js';
import { atLeast, type Reach } from '../access/reach.js';
import type { FactorPolicy } from '../../domain/factor-policy.js';
import { needsFactor } from './second-factor.js';
import { asLogin } from './passwords.js';
import { type Browser, openSession, type SignIn } from './sign-in.js';
import type { UserRecords, UserRole } from './user-records.js';

const LOGIN_CHARACTERS_MAX = 60;

export interface Vouched {
  readonly issuer: string;
  readonly subject: string;
  readonly login: string;
  readonly role: UserRole;
  readonly reach: Reach | null;
  /** The provider says that it asked for one, or whoever runs the bridge says so. */
  readonly secondFactor: boolean;
}

export interface NotAdmitted {
  readonly outcome: 'login-taken' | 'factor-missing';
}

/** Whoever has the group has the role: in these companies, or in all. */
export interface GroupRule {
  readonly group: string;
  readonly role: UserRole;
  readonly companies: readonly string[] | null;
}

/** null: none of the groups is ours. A rule for all companies counts before those for some. */
export function rightsOf(
  rules: readonly GroupRule[],
  groups: readonly string[],
): Pick<Vouched, 'role' | 'reach'> | null {
  const mine = rules.filter(({ group }) => groups.includes(group));
  const everywhere = mine.filter(({ companies }) => companies === null).map(({ role }) => role);
  if (everywhere.length > 0) return { role: everywhere.reduce(higher), reach: null };
  if (mine.length === 0) return null;
  const reach = new Map<string, UserRole>();
  for (const { role, companies } of mine)
    for (const name of companies ?? []) reach.set(name, higher(reach.get(name) ?? role, role));
  const sorted = new Map([...reach].sort(([a], [b]) => (a < b ? -1 : 1)));
  return { role: [...reach.values()].reduce(higher, 'viewer'), reach: sorted };
}

const higher = (one: UserRole, other: UserRole): UserRole => (atLeast(one, other) ? one : other);

/** As logins are written here; whatever else the provider puts into a name becomes a hyphen. */
export function loginOf(name: string): string {
  return asLogin(name)
    .replaceAll(/[^\p{L}\p{N}._@-]+/gu, '-')
    .slice(0, LOGIN_CHARACTERS_MAX);
}

export async function admit(
  records: UserRecords,
  clock: Clock,
  policy: FactorPolicy,
  person: Vouched,
  browser: Browser,
): Promise<SignIn | NotAdmitted> {
  const now = clock.now();
  const { secondFactor, ...vouched } = person;
  if (!secondFactor && needsFactor(policy, person)) return { outcome: 'factor-missing' };
  const user = await records.admit({ ...vouched, login: loginOf(person.login), at: now });
  if (user === 'login-taken') return { outcome: 'login-taken' };
  if (user.disabled) return { outcome: 'refused' };
  return openSession(records, user, browser, now);
}
