// How every tenant is, with the worst first: the answer to "is every document in the books?".
import type { Condition, Severity } from '../domain/condition.js';
import { conditionText } from '../language/conditions/condition-text.js';
import { POSTING_STATES } from '../domain/posting.js';
import type { Tenant } from '../tenants/tenant.js';
import { nextRunOf } from '../tenants/next-run.js';
import { groupProblems } from './causes.js';
import { conditionsOf } from './conditions.js';
import type { OperationsDeps } from './deps.js';
import type { StoredTenant } from './records.js';
import type { Problem } from './views/problem.js';
import type { Overview, ScheduleView, StateCounts, TenantOverview } from './views/overview.js';

export async function overviewOf(deps: OperationsDeps): Promise<Overview> {
  const [stored, causes, running] = await Promise.all([
    deps.records.tenants(),
    deps.records.causes(null),
    deps.records.isBridgeRunning(),
  ]);
  const now = deps.clock.now();
  const all = groupProblems(causes);
  const problems = all.filter((problem) => problem.needsPerson);
  const tenants = stored.map((tenant) => tenantView(deps, tenant, now, toBeMended(problems, tenant.name)));
  const sum = (of: (tenant: TenantOverview) => number) => tenants.reduce((total, one) => total + of(one), 0);
  const facts = { at: now.toISOString(), running, tenants, problems: all };
  return {
    at: facts.at,
    running,
    conditions: conditionsOf(facts)
      .sort((a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity))
      .map((condition) => ({ ...condition, ...inEnglish(condition, tenants) })),
    tenants: tenants.sort((a, b) => rank(a) - rank(b) || (a.name < b.name ? -1 : 1)),
    totals: {
      waiting: sum((tenant) => tenant.waiting),
      needsYou: sum((tenant) => tenant.needsYou),
      inBooks: sum((tenant) => tenant.inBooks),
      postedToday: sum((tenant) => tenant.postedToday),
      openIncidents: sum((tenant) => tenant.openIncidents),
      causes: problems.length,
      oldestWaitingAt: tenants.flatMap(({ oldestWaitingAt }) => oldestWaitingAt ?? []).sort()[0] ?? null,
    },
  };
}

const SEVERITIES: readonly Severity[] = ['critical', 'warning', 'info'];

function inEnglish(condition: Condition, tenants: readonly TenantOverview[]) {
  const title = tenants.find(({ name }) => name === condition.tenant)?.title;
  return conditionText('en', condition, title);
}

/** Held documents that wait for a person to mend a file or the ERP. */
function toBeMended(problems: readonly Problem[], tenantName: string): number {
  return problems
    .filter(({ states }) => states.every((state) => state === 'held'))
    .flatMap(({ tenants }) => tenants.filter(({ name }) => name === tenantName))
    .reduce((total, { count }) => total + count, 0);
}

const RANKS: readonly TenantOverview['health'][] = [
  'down',
  'needs-you',
  'unconfirmed',
  'paused',
  'waiting',
  'working',
  'ok',
];

function rank({ health }: TenantOverview): number {
  return RANKS.indexOf(health);
}

function tenantView(deps: OperationsDeps, stored: StoredTenant, now: Date, toMend: number): TenantOverview {
  const file = deps.connections.tenant(stored.name);
  const states = Object.fromEntries(
    POSTING_STATES.map((state) => [state, stored.states[state] ?? 0]),
  ) as StateCounts;
  const underWay = states.discovered + states.mapped + states.posting + states.posted + states.writing_back;
  const numbers = {
    states,
    waiting: underWay + states.deferred + states.held - toMend,
    needsYou: states.parked + states.orphaned + states.rejected + toMend,
    inBooks: states.posted + states.writing_back + states.acknowledged,
    postedToday: stored.postedToday,
    openIncidents: stored.openIncidents,
  };
  const health = healthOf(stored, file, { ...numbers, underWay });
  return {
    name: stored.name,
    title: file?.title ?? stored.name,
    environment: stored.environment,
    erp: file?.erp.adapter ?? '',
    loaded: file !== null,
    ...health,
    ...numbers,
    oldestWaitingAt: stored.oldestWaitingAt,
    lagMs: stored.oldestUnderWayAt ? Math.max(0, now.getTime() - Date.parse(stored.oldestUnderWayAt)) : 0,
    lastSweeps: stored.lastSweeps,
    failedSweeps: stored.failedSweeps,
    nextRunAt: file ? (nextRunOf(file, now)?.toISOString() ?? null) : null,
    breakers: stored.breakers,
    paused: stored.paused,
    pausedInFile: file?.paused ?? false,
    planConfirmed: stored.planConfirmed,
    cutOver: file?.cutOver ?? null,
    rulesVersion: stored.rulesVersion,
    file: file?.file ?? '',
  };
}

type Health = Pick<TenantOverview, 'health' | 'sentence'>;

export function healthOf(
  stored: StoredTenant,
  file: Tenant | null,
  numbers: { needsYou: number; waiting: number; underWay: number; states: StateCounts },
): Health {
  if (stored.paused) {
    const { by, reason } = stored.paused;
    return { health: 'paused', sentence: `Paused by ${by}: ${reason}` };
  }
  if (file?.paused) return { health: 'paused', sentence: 'Paused in its tenant file.' };
  if (!file) return { health: 'down', sentence: 'There is no valid tenant file for it any more.' };
  const broken = stored.breakers.find(({ state }) => state !== 'closed');
  if (broken) {
    const where = broken.side === 'source' ? 'invoicing service' : 'ERP';
    const what = broken.state === 'refused' ? 'refuses the credentials' : 'does not answer';
    return { health: 'down', sentence: `The ${where} ${what}: ${broken.reason ?? 'no reason given'}` };
  }
  if (!stored.planConfirmed) {
    return {
      health: 'unconfirmed',
      sentence: 'Nothing is posted before its plan was looked at and confirmed.',
    };
  }
  if (numbers.needsYou > 0)
    return {
      health: 'needs-you',
      sentence: documents(numbers.needsYou, 'needs a person.', 'need a person.'),
    };
  if (numbers.underWay > 0)
    return {
      health: 'working',
      sentence: documents(numbers.underWay, 'is on its way.', 'are on their way.'),
    };
  if (numbers.waiting > 0)
    return {
      health: 'waiting',
      sentence: documents(numbers.waiting, 'waits, with a reason.', 'wait, each with a reason.'),
    };
  return { health: 'ok', sentence: inBooksSentence(numbers.states) };
}

function documents(count: number, one: string, many: string): string {
  return count === 1 ? `1 document ${one}` : `${count} documents ${many}`;
}

/** What a person decided against is not in the books, and nothing is wrong with that; but it is said. */
export function inBooksSentence({ reversed, skipped }: Pick<StateCounts, 'reversed' | 'skipped'>): string {
  const left = [
    ...(reversed > 0 ? [`${reversed} reversed`] : []),
    ...(skipped > 0 ? [`${skipped} skipped`] : []),
  ];
  const except = left.length === 0 ? '' : `, but for ${left.join(' and ')}`;
  return `Every document that was handed over is in the books${except}.`;
}

export async function schedulesOf(deps: OperationsDeps): Promise<ScheduleView[]> {
  const ticks = await deps.records.ticks();
  return deps.connections.names().flatMap((name) => {
    const tenant = deps.connections.tenant(name);
    if (!tenant) return [];
    const last = ticks.get(name);
    return {
      tenantName: name,
      title: tenant.title,
      cron: tenant.schedule.cron,
      timeZone: tenant.schedule.timeZone,
      nextRunAt: nextRunOf(tenant, deps.clock.now())?.toISOString() ?? null,
      lastRunAt: last?.at ?? null,
      lastFiredBy: last?.firedBy ?? null,
    };
  });
}
