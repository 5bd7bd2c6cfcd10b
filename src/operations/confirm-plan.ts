// Confirming the first plan of a tenant: from then on it posts by itself. The command line, the API and the dashboard are all
// held to one rule here. Three things are refused, and each is forgiven only by its own option: an ERP that could not be asked,
// books of another company, and errors in the plan.
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
import { OTHER_COMPANY, otherCompany } from './compare-marked.js';
import { planTenant } from './plan.js';
import type { PlanView } from './views/act.js';

export interface ConfirmOptions {
  /** Begin although the ERP could not be asked. */
  readonly unchecked?: boolean | undefined;
  /** Begin although the books are another company's. */
  readonly otherCompany?: boolean | undefined;
  /** Begin although the plan has errors of other kinds. */
  readonly despiteErrors?: boolean | undefined;
}

/** Longer than a person looks at a plan before confirming it. */
export const LOOKED_AT_MS = 10 * 60_000;

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
  if (!confirmed) await refuseUnready(deps, tenant, options);
  const how = {
    unchecked: options.unchecked === true,
    otherCompany: options.otherCompany === true,
    despiteErrors: options.despiteErrors === true,
  };
  const confirm = () => deps.records.confirmPlan(act, tenant, how);
  const wanted = { tenantName: tenant, act: 'plan', because: ['plan'], subject: tenant, how } as const;
  const done = await (confirmed ? confirm() : withSecondPerson(deps, [wanted], act, confirm));
  deps.poke();
  return done;
}

async function refuseUnready(deps: OperationsDeps, tenant: TenantName, options: ConfirmOptions) {
  const asked = await askErp(deps, tenant);
  if (asked.trouble) {
    refuseSilentErp(tenant, options, asked.trouble);
    return;
  }
  if (asked.other && !options.otherCompany)
    throw new CodedError('PLAN_OTHER_COMPANY', asked.other.message, { said: asked.other.said });
  if (options.despiteErrors) return;
  // One that was looked at a moment ago will do, unless it has errors: they may have been mended since.
  const lately = await planTenant(deps, tenant, { madeWithinMs: LOOKED_AT_MS });
  const plan = errorsIn(lately, options) > 0 ? await planTenant(deps, tenant, {}) : lately;
  refusePlan(plan, options);
}

/** Throws unless everything that speaks against the plan was forgiven by the option that names it, or it was confirmed before. */
export function refusePlan(plan: PlanView, options: ConfirmOptions): void {
  const { tenantName: tenant, confirmed, erpAsked } = plan;
  if (confirmed) return;
  if (!erpAsked) {
    refuseSilentErp(tenant, options, null);
    return;
  }
  const other = plan.findings.find(isOtherCompany);
  if (other && !options.otherCompany) throw new CodedError('PLAN_OTHER_COMPANY', other.message);
  const count = errorsIn(plan, options);
  if (count > 0) throw coded('PLAN_HAS_ERRORS', message('PLAN_WITH_ERRORS', { tenant, count }));
}

function refuseSilentErp(tenant: TenantName, { unchecked }: ConfirmOptions, why: Told | null): void {
  if (unchecked === true) return;
  const answer = why === null ? {} : { answer: saidBy({ ...why, message: maskSecrets(why.message) }) };
  throw coded('PLAN_UNCHECKED', message('PLAN_NOT_CONFIRMED', { tenant, ...answer }));
}

type Found = Pick<PlanView['findings'][number], 'code' | 'severity'>;

function isOtherCompany({ code }: Found): boolean {
  return code === OTHER_COMPANY;
}

/** What has to be said on purpose to confirm this plan. */
export function neededFor({
  erpAsked,
  findings,
}: Pick<PlanView, 'erpAsked' | 'findings'>): (keyof ConfirmOptions)[] {
  if (!erpAsked) return ['unchecked'];
  const errors = findings.filter(({ severity }) => severity === 'error');
  return [
    ...(errors.some(isOtherCompany) ? (['otherCompany'] as const) : []),
    ...(errors.some((error) => !isOtherCompany(error)) ? (['despiteErrors'] as const) : []),
  ];
}

/** Those that `despiteErrors` is about. */
function errorsIn({ findings }: PlanView, { despiteErrors }: ConfirmOptions): number {
  if (despiteErrors === true) return 0;
  return findings.filter((finding) => finding.severity === 'error' && !isOtherCompany(finding)).length;
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
