// Four eyes: where a tenant asks for it, an act is done only when a second person asks for exactly the same. The first time
// it is put on record and refused with who has to do what; the second person does the same act, or agrees in the list.
// Promise: two people are two logins that were authenticated, never two names that were typed. A user of the operating system counts as
// the login that an admin declared for it, and as no person without one: it may be a person who has a login, too.
import type { TenantName } from '../../domain/ids.js';
import { coded } from '../../language/coded.js';
import { message } from '../../language/messages.js';
import type { FourEyesAct } from '../../tenants/tenant.js';
import type { Act } from '../act.js';
import type { OperationsDeps } from '../deps.js';
import type { ApprovedAct } from '../views/approval.js';
import type { AskedAct } from './approval-records.js';

export interface Wanted {
  readonly tenantName: TenantName;
  /** What is done. */
  readonly act: ApprovedAct;
  /** The settings any of which asks for a second person. */
  readonly because: readonly FourEyesAct[];
  readonly subject: string;
  readonly how: Readonly<Record<string, unknown>>;
}

/** So many documents can be agreed on at once. */
const TOGETHER_MAX = 200;

/** Does the work when nobody else is needed, or when somebody else has agreed; otherwise puts it on record and refuses. */
export async function withSecondPerson<Result>(
  deps: OperationsDeps,
  wanted: readonly Wanted[],
  act: Act,
  work: () => Promise<Result>,
): Promise<Result> {
  const asked = wanted
    .filter(({ tenantName, because }) => {
      const settings = deps.connections.tenant(tenantName)?.fourEyes ?? [];
      return because.some((name) => settings.includes(name));
    })
    .map(toAsked);
  if (asked.length === 0) return work();
  if (asked.length > TOGETHER_MAX)
    throw coded('NOTHING_CHOSEN', message('CHOOSE_BETWEEN', { most: TOGETHER_MAX }));
  const person = await findPerson(deps, act);
  let waiting: { id: string; since: string } | null = null;
  for (const one of asked) {
    const answer = await deps.records.askOrAgree(act, person, one);
    if (answer.outcome === 'waits') waiting ??= answer;
  }
  if (waiting)
    throw coded('SECOND_PERSON_NEEDED', message(person === null ? 'PERSON_UNKNOWN' : 'TWO_PEOPLE_WANTED'), {
      details: { approval: waiting.id, since: waiting.since },
    });
  const result = await work();
  await deps.records.useApprovals(asked);
  return result;
}

/** The login of the person; null when it is not known which person this is. */
export async function findPerson({ records }: OperationsDeps, { identity }: Act): Promise<string | null> {
  if (identity === undefined) return null;
  const [kind, name] = [identity.slice(0, identity.indexOf(':')), identity.slice(identity.indexOf(':') + 1)];
  return kind === 'login' ? name.toLowerCase() : records.loginOfSystemUser(name);
}

function toAsked({ tenantName, act, subject, how }: Wanted): AskedAct {
  const given = Object.entries(how).filter(([, value]) => value !== undefined && value !== false);
  const sorted = given.sort(([a], [b]) => (a < b ? -1 : 1));
  return { tenantName, act, subject, asked: JSON.stringify(Object.fromEntries(sorted)) };
}
