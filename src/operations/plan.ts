// The plan: the exact journals that would be posted now, checked against the ERP's chart and its periods, with totals per account. Nothing is
// written anywhere. The first connection of a tenant goes through it: nothing is posted before a person confirmed one.
import { maskSecrets } from '../domain/secret.js';
import type { TenantName } from '../domain/ids.js';
import { message } from '../language/messages.js';
import { type Language, say } from '../language/say.js';
import { findingInWords, healthSaid } from './finding-words.js';
import { vatModeFindings } from './vat-mode-finding.js';
import { mapDocument } from '../pipeline/mapping/map-document.js';
import { checkJournal } from '../erp/compare-entry.js';
import type { Finding } from '../erp/erp-adapter.js';
import { ruleAccounts } from '../pipeline/mapping/rules.js';
import { lookUpContext } from '../sync/mapping-context.js';
import type { TenantContext } from '../sync/tenant-context.js';
import type { OperationsDeps } from './deps.js';
import { foresee, type Foreseen } from './foresee.js';
import { unknownTenant } from './known-tenant.js';
import { OTHER_COMPANY, otherCompany } from './compare-marked.js';
import { PlanSums, type Planned, type Used } from './plan-sums.js';
import type { WaitingRow } from './records.js';
import type { PlanView } from './views/act.js';

export interface PlanOptions {
  /** Documents to examine, oldest first; each is read at the source. */
  readonly limit?: number | undefined;
  /** Journals in the answer. */
  readonly journals?: number | undefined;
  /** One that was made this lately will do; it comes without its journals. */
  readonly madeWithinMs?: number;
  readonly onProgress?: (done: number, total: number) => void;
}

const EXAMINED = 500;
const EXAMINED_MAX = 10_000;
const JOURNALS = 50;
const AT_ONCE = 4;
/** Plans that were made lately, for whoever confirms one. */
const KEPT_MAX = 50;

export async function planTenant(
  deps: OperationsDeps,
  tenantName: TenantName,
  options: PlanOptions,
): Promise<PlanView> {
  if (!deps.connections.tenant(tenantName)) throw unknownTenant(tenantName, deps.connections.names());
  const name = `${deps.language} ${tenantName}`;
  const known = deps.plans?.get(name);
  const now = deps.clock.now().getTime();
  if (known && now - known.madeAt < (options.madeWithinMs ?? 0)) return known.plan;
  const plan = await makePlan(deps, tenantName, options);
  deps.plans?.delete(name);
  if (plan.examined >= Math.min(EXAMINED, plan.waiting)) {
    const journalsLeftOut = plan.journals.length + plan.journalsLeftOut;
    deps.plans?.set(name, { plan: { ...plan, journals: [], journalsLeftOut }, madeAt: now });
    const [oldest] = deps.plans?.keys() ?? [];
    if (oldest !== undefined && (deps.plans?.size ?? 0) > KEPT_MAX) deps.plans?.delete(oldest);
  }
  return plan;
}

async function makePlan(
  deps: OperationsDeps,
  tenantName: TenantName,
  options: PlanOptions,
): Promise<PlanView> {
  const tenant = await deps.connections.get(tenantName);
  const limit = Math.min(Math.max(options.limit ?? EXAMINED, 1), EXAMINED_MAX);
  const { rows, total } = await deps.records.waiting(tenantName, limit);
  const sums = new PlanSums(options.journals ?? JOURNALS, deps.language);
  for (let start = 0; start < rows.length; start += AT_ONCE) {
    const some = rows.slice(start, start + AT_ONCE);
    const planned = await Promise.all(some.map((row) => planDocument(deps, tenant, row)));
    planned.forEach((outcome, index) => {
      const row = some[index];
      if (row) sums.add(row, outcome);
    });
    options.onProgress?.(Math.min(start + AT_ONCE, rows.length), rows.length);
  }
  const { names, lacking, ...checked } = await checkedAgainstErp(tenant, sums.used(), deps.language);
  const foreseen = checked.erpAsked ? await foresee(tenant.erp, sums.whole(lacking)) : NOTHING_FORESEEN;
  const stored = (await deps.records.tenants()).find(({ name }) => name === tenantName);
  const result = sums.result(lacking, names, foreseen.refusals);
  return {
    tenantName,
    confirmed: Boolean(stored?.planConfirmed),
    examined: rows.length,
    waiting: total,
    sentence: say(deps.language, inFigures(result, rows.length, total)),
    ...checked,
    findings: [...checked.findings, ...notForeseen(deps.language, foreseen)],
    ...result,
  };
}

/** What is gone is not waited for; what cannot be read is parked. */
function inFigures(
  { outcomes, totalIsk }: Pick<PlanView, 'outcomes' | 'totalIsk'>,
  examined: number,
  waiting: number,
) {
  const { post, reject, skip, gone } = outcomes;
  const wait = examined - post - reject - skip - gone;
  return message('PLAN_IN_FIGURES', { post, totalIsk, reject, skip, wait, examined, waiting });
}

const NOTHING_FORESEEN: Foreseen = { refusals: new Map(), left: 0 };

/** What nobody asked about must not look as if it were taken. */
function notForeseen(language: Language, { left: count }: Foreseen) {
  if (count === 0) return [];
  const remedy = say(language, message('SEEN_WHEN_SENT'));
  return [
    { severity: 'warning' as const, message: say(language, message('NOT_FORESEEN', { count })), remedy },
  ];
}

type CheckedPlan = Pick<PlanView, 'erpAsked' | 'findings'> & {
  readonly names: Names;
  readonly lacking: readonly Finding[];
};
type Names = Readonly<Record<string, string>>;

/** An ERP that does not answer lacks nothing that anybody knows of; it was not asked. */
async function checkedAgainstErp(
  tenant: TenantContext,
  used: Used,
  language: Language,
): Promise<CheckedPlan> {
  const health = await tenant.erp.health();
  if (health.outcome === 'healthy') {
    const other = otherCompany(health, tenant.sourceAccount, language);
    const found = await gatherFindings(tenant, used, language);
    const findings = [...(other ? [other] : []), ...found].map(shownOf);
    const names = Object.assign({}, ...found.map(({ accountNames }) => accountNames ?? {})) as Names;
    return { erpAsked: true, findings, names, lacking: found.filter(({ lacks }) => lacks !== undefined) };
  }
  const finding = {
    severity: 'error',
    message: maskSecrets(say(language, message('ERP_NOT_ASKED', { answer: healthSaid(language, health) }))),
    remedy: say(language, message('PLAN_AGAIN')),
  } as const;
  return { erpAsked: false, findings: [finding], names: {}, lacking: [] };
}

/** An ERP that cannot tell which periods are closed must not look as if all were open. */
async function gatherFindings(
  { erp, rules }: TenantContext,
  { postingDates, dimensions, currencies }: Used,
  language: Language,
): Promise<readonly Finding[]> {
  const expected = ruleAccounts(rules);
  const findings = await erp.validate({
    ...expected,
    // What the rules can produce, and what they do produce: where a dimension takes any text, only documents know the values.
    dimensions: together(expected.dimensions, dimensions),
    currencies,
    postingDates,
  });
  const shown = distinct([
    ...vatModeFindings(erp.capabilities, rules.vat.mode, language),
    ...findings.map((finding) => findingInWords(language, finding)),
  ]);
  if (!erp.capabilities.dimensions && Object.keys(dimensions).length > 0)
    shown.push(dimensionsNotTaken(language, dimensions));
  if (postingDates.length === 0 || findings.some(({ about }) => about === 'period')) return shown;
  return [...shown, periodsNotChecked(language)];
}

function shownOf({ severity, message, remedy, said }: Finding) {
  const code = said?.code === OTHER_COMPANY ? { code: OTHER_COMPANY } : {};
  return { severity, ...code, message, ...(remedy === undefined ? {} : { remedy }) };
}

/** Each thing once: a dimension that is unknown altogether is unknown with every value. */
function distinct(findings: readonly Finding[]): Finding[] {
  return [...new Map(findings.map((finding) => [finding.message, finding])).values()];
}

function together(
  ...lists: readonly Readonly<Record<string, readonly string[]>>[]
): Record<string, readonly string[]> {
  const all = new Map<string, Set<string>>();
  for (const [name, values] of lists.flatMap((list) => Object.entries(list)))
    all.set(name, new Set([...(all.get(name) ?? []), ...values]));
  return Object.fromEntries([...all].map(([name, values]) => [name, [...values].sort()]));
}

function dimensionsNotTaken(language: Language, dimensions: Used['dimensions']): Finding {
  return {
    severity: 'error' as const,
    message: say(
      language,
      message('NO_DIMENSIONS_TAKEN', { dimensions: Object.keys(dimensions).sort().join(', ') }),
    ),
    remedy: say(language, message('NAME_DIMENSIONS')),
  };
}

const periodsNotChecked = (language: Language): Finding => ({
  severity: 'warning' as const,
  message: say(language, message('PERIODS_NOT_CHECKED')),
  remedy: say(language, message('LOOK_FOR_CLOSED_PERIODS')),
});

async function planDocument(deps: OperationsDeps, tenant: TenantContext, row: WaitingRow): Promise<Planned> {
  const fetched = await tenant.source.get(row.kind, row.guid);
  if (fetched.outcome !== 'found') return { outcome: fetched.outcome };
  const context = await lookUpContext({ tenant, store: deps.postings('plan') }, fetched.document);
  const mapped = mapDocument(fetched.document, tenant.rules, context);
  if (mapped.outcome !== 'post') return mapped;
  const refusal = checkJournal(mapped.journal, tenant.erp.capabilities);
  return refusal ? { outcome: 'not-taken', refusal } : mapped;
}
