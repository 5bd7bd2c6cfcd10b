// Confirming the first plan of a tenant: from then on it posts by itself. The command line, the API and the dashboard are all
// held to one rule here: where the ERP could not be asked, somebody has to say that they begin without.
import type { Told } from '../domain/message.js';
import type { TenantName } from '../domain/ids.js';
import { CodedError, errorWords } from '../domain/errors/coded-error.js';
import { coded } from '../language/coded.js';
import { message, saidBy } from '../language/messages.js';
import { maskSecrets } from '../domain/secret.js';
import type { Finding } from '../erp/erp-adapter.js';
import { type Act, checkedAct } from './act.js';
import type { OperationsDeps } from './deps.js';
import { withSecondPerson } from './four-eyes/second-person.js';
import { otherCompany } from './other-company.js';
import type { PlanView } from './views/act.js';

export interface ConfirmOptions {
  /** Begin although the ERP could not be asked. */
  readonly unchecked?: boolean | undefined;
  /** Begin although the books are another company's. */
  readonly otherCompany?: boolean | undefined;
}

/** The tenant is known. false: its plan was confirmed before. */
export async function confirmPlan(
  deps: OperationsDeps,
  tenant: TenantName,
  said: Act,
  options: ConfirmOptions,
): Promise<boolean> {
  const act = checkedAct(said);
  const stored = (await deps.records.tenants()).find(({ name }) => name === tenant);
  const confirmed = Boolean(stored?.planConfirmed);
  // What is confirmed already posts; whether the ERP answers at this moment changes nothing about it.
  if (!confirmed && !options.unchecked) {
    const asked = await askErp(deps, tenant);
    const erpAsked = asked.trouble === null;
    refuseUnchecked({ tenantName: tenant, confirmed, erpAsked }, options, asked.trouble);
    if (asked.other && !options.otherCompany)
      throw new CodedError('PLAN_OTHER_COMPANY', asked.other.message, { said: asked.other.said });
  }
  const how = { unchecked: options.unchecked === true };
  const confirm = () => deps.records.confirmPlan(act, tenant, how);
  const wanted = { tenantName: tenant, act: 'plan', because: ['plan'], subject: tenant, how } as const;
  const done = await (confirmed ? confirm() : withSecondPerson(deps, [wanted], act, confirm));
  deps.poke();
  return done;
}

/** Throws unless the ERP was asked, the plan was confirmed before, or somebody begins without on purpose. */
export function refuseUnchecked(
  plan: Pick<PlanView, 'tenantName' | 'confirmed' | 'erpAsked'>,
  { unchecked }: ConfirmOptions,
  why: Told | null = null,
): void {
  if (plan.confirmed || plan.erpAsked || unchecked === true) return;
  const answer = why === null ? {} : { answer: saidBy({ ...why, message: maskSecrets(why.message) }) };
  throw coded('PLAN_UNCHECKED', message('PLAN_NOT_CONFIRMED', { tenant: plan.tenantName, ...answer }));
}

/** A tenant that cannot be connected at all has an ERP that nobody asked. */
async function askErp(
  { connections }: OperationsDeps,
  tenant: TenantName,
): Promise<{ readonly trouble: Told | null; readonly other: Finding | null }> {
  try {
    const { erp, sourceAccount } = await connections.get(tenant);
    const health = await erp.health();
    if (health.outcome !== 'healthy') return { trouble: health, other: null };
    return { trouble: null, other: otherCompany(health, sourceAccount) };
  } catch (error) {
    return { trouble: errorWords(error), other: null };
  }
}
