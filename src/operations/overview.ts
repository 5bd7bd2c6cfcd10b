// How every tenant is, with the worst first: the answer to "is every document in the books?".
import cron from 'node-cron';
import type { TenantName } from '../domain/ids.js';
import type { Condition } from '../domain/condition.js';
import type { Message } from '../domain/message.js';
import { IN_BOOKS, POSTING_STATES, type PostingState, statesIn, UNDER_WAY } from '../domain/posting.js';
import { conditionText } from '../language/conditions/condition-text.js';
import { keptText, type Language, say } from '../language/say.js';
import { message } from '../language/messages.js';
import type { TenantCard } from '../tenants/tenant-cards.js';
import { goingOn, withoutStale } from './broken-files.js';
import { groupProblems, worstFirst } from './causes.js';
import { conditionsOf } from './conditions.js';
import type { ReadingDeps } from './deps.js';
import { companiesOf } from './find-documents.js';
import { type OutgoingWaits, restingCount, waitsForConfirmation } from './outgoing/waits.js';
import { LEASE_MS } from './operator-claim.js';
import type { StoredTenant } from './records.js';
import type { Problem } from './views/problem.js';
import type { Overview, ScheduleView, StateCounts, TenantOverview } from './views/overview.js';
import type { Tenant } from '../tenants/tenant.js';

/** Of one tenant as whoever sees only that one would have it, so that the sums are its own. */
export async function readOverview(deps: ReadingDeps, only?: string): Promise<Overview> {
  const companies = companiesOf(only);
  const [all, causes, open, running, originalsAway, queuesAway, left, waits, endingTokens] =
    await Promise.all([
      deps.records.tenants(),
      deps.records.causes(companies),
      deps.records.alarms(companies),
      deps.records.isBridgeRunning(),
      deps.records.originalsAway(),
      deps.queuesAway?.() ?? null,
      // A claim lasts so long after the intent: whoever has not said by then what became of it will not say it any more.
      deps.records.unfinishedReversals(LEASE_MS),
      deps.records.outgoingWaits(),
      only === undefined ? deps.records.endingTokens() : [],
    ]);
  const now = deps.clock.now();
  const alarms = withoutStale(open, running);
  const broken = goingOn(alarms);
  const stored = only === undefined ? all : all.filter(({ name }) => name === only);
  const resting = groupProblems(causes, deps.language);
  const problems = resting.filter((problem) => problem.needsPerson);
  const outgoing = waits
    .filter(({ tenantName }) => only === undefined || tenantName === only)
    .map((one) => ({ ...one, isOn: Boolean(deps.connections.tenant(one.tenantName)?.outgoing) }));
  const tenants = stored.map((tenant) =>
    tenantView(deps, tenant, now, {
      toMend: toBeMended(problems, tenant.name),
      outgoing: outgoingFigures(outgoing.find(({ tenantName }) => tenantName === tenant.name)),
      broken: broken.get(tenant.name) ?? null,
    }),
  );
  const sum = (of: (tenant: TenantOverview) => number) => tenants.reduce((total, one) => total + of(one), 0);
  const reversals = left.filter(({ tenantName }) => only === undefined || tenantName === only);
  const facts = {
    at: now.toISOString(),
    running,
    tenants,
    problems: resting,
    originalsAway,
    queuesAway,
    reversals,
    endingTokens,
    alarms,
    outgoing,
  };
  return {
    at: facts.at,
    running,
    conditions: conditionsOf(facts)
      .sort(worstFirst)
      .map((condition) => ({ ...condition, ...inWords(deps.language, condition, tenants) })),
    tenants: tenants
      .map((tenant) => answersInWords(deps.language, tenant))
      .sort((a, b) => rank(a) - rank(b) || (a.name < b.name ? -1 : 1)),
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

/** Conditions are made of what is on record; people read what the other sides answered in their language. */
function answersInWords(language: Language, tenant: TenantOverview): TenantOverview {
  const text = (kept: string | null) => (kept === null ? null : keptText(language, kept));
  const told = <Sweep extends { message: string | null }>(sweep: Sweep): Sweep => ({
    ...sweep,
    message: text(sweep.message),
  });
  return {
    ...tenant,
    breakers: tenant.breakers.map((breaker) => ({ ...breaker, reason: text(breaker.reason) })),
    lastSweeps: tenant.lastSweeps.map(told),
    failedSweeps: tenant.failedSweeps.map(told),
  };
}

function inWords(language: Language, condition: Condition, tenants: readonly TenantOverview[]) {
  const title = tenants.find(({ name }) => name === condition.tenant)?.title;
  return conditionText(language, condition, title);
}

/** Held documents that wait for a person to mend a file or the ERP. */
function toBeMended(problems: readonly Problem[], tenantName: TenantName): number {
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

interface OutgoingFigures extends Pick<OutgoingWaits, 'underWay' | 'lastSentAt'> {
  readonly waiting: number;
  readonly resting: number;
  readonly unconfirmed: number;
}

function outgoingFigures(waits: (OutgoingWaits & { readonly isOn: boolean }) | undefined): OutgoingFigures {
  if (waits === undefined) return { waiting: 0, resting: 0, unconfirmed: 0, underWay: 0, lastSentAt: null };
  const { waiting, underWay, lastSentAt } = waits;
  const unconfirmed = waitsForConfirmation(waits, waits.isOn) ? waiting : 0;
  return { waiting, underWay, lastSentAt, resting: restingCount(waits), unconfirmed };
}

interface Beside {
  readonly toMend: number;
  readonly outgoing: OutgoingFigures;
  /** Its file is, while the bridge works on: said in a sentence. */
  readonly broken: Message | null;
}

function tenantView(
  deps: ReadingDeps,
  stored: StoredTenant,
  now: Date,
  { toMend, outgoing, broken }: Beside,
): TenantOverview {
  const file = deps.connections.tenant(stored.name);
  const states = Object.fromEntries(
    POSTING_STATES.map((state) => [state, stored.states[state] ?? 0]),
  ) as StateCounts;
  const count = (among: readonly PostingState[]) => among.reduce((sum, state) => sum + states[state], 0);
  const underWay = count(UNDER_WAY);
  const numbers = {
    states,
    waiting: underWay + count(statesIn('waiting')) - toMend,
    needsYou: count(statesIn('needs-person')) + toMend,
    inBooks: count(IN_BOOKS),
    postedToday: stored.postedToday,
    openIncidents: stored.openIncidents,
  };
  const { health, said } = healthOf(stored, file, { ...numbers, underWay, outgoing, broken });
  return {
    name: stored.name,
    title: file?.title ?? stored.name,
    environment: stored.environment,
    erp: file?.erp.adapter ?? '',
    loaded: file !== null,
    health,
    sentence: say(deps.language, said),
    ...numbers,
    outgoing: {
      waiting: outgoing.waiting - outgoing.unconfirmed,
      needsYou: outgoing.resting + outgoing.unconfirmed,
      underWay: outgoing.underWay,
      lastSentAt: outgoing.lastSentAt,
    },
    // What waits for a person is counted as needing one, and so is its age.
    oldestWaitingAt: numbers.waiting > 0 ? stored.oldestWaitingAt : null,
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

interface Health {
  readonly health: TenantOverview['health'];
  readonly said: Message;
}

interface HealthFigures {
  readonly needsYou: number;
  readonly waiting: number;
  readonly underWay: number;
  readonly states: StateCounts;
  readonly outgoing: OutgoingFigures;
  readonly broken: Message | null;
}

export function healthOf(stored: StoredTenant, file: TenantCard | null, numbers: HealthFigures): Health {
  const { paused, planConfirmed, breakers } = stored;
  if (paused) return { health: 'paused', said: message('PAUSED_BY', { by: paused.by, why: paused.reason }) };
  if (file?.paused) return { health: 'paused', said: message('PAUSED_IN_FILE') };
  const { broken: saidOfFile } = numbers;
  if (!file && saidOfFile === null) return { health: 'down', said: message('NO_TENANT_FILE') };
  const down = breakers.find(({ state }) => state !== 'closed');
  if (down) {
    const { side, reason, state } = down;
    const answer = reason === null ? {} : { answer: reason };
    const said = message(state === 'refused' ? 'SIDE_REFUSES' : 'SIDE_SILENT', { side, ...answer });
    return { health: 'down', said };
  }
  if (!planConfirmed) return { health: 'unconfirmed', said: message('PLAN_UNCONFIRMED') };
  if (saidOfFile !== null) return { health: 'needs-you', said: saidOfFile };
  const { needsYou, underWay, waiting, states } = numbers;
  if (needsYou > 0) return { health: 'needs-you', said: message('NEED_A_PERSON', { count: needsYou }) };
  // Whatever else is going on: somebody has to look at these.
  if (stored.criticalIncidents > 0)
    return { health: 'needs-you', said: message('INCIDENTS_CRITICAL', { count: stored.criticalIncidents }) };
  const { resting, unconfirmed } = numbers.outgoing;
  if (resting > 0)
    return { health: 'needs-you', said: message('SUBMISSIONS_NEED_A_PERSON', { count: resting }) };
  if (unconfirmed > 0)
    return { health: 'needs-you', said: message('OUTGOING_UNCONFIRMED', { count: unconfirmed }) };
  if (underWay > 0) return { health: 'working', said: message('ON_THEIR_WAY', { count: underWay }) };
  if (waiting > 0) return { health: 'waiting', said: message('WAIT_WITH_A_REASON', { count: waiting }) };
  // What a person decided against is not in the books, and nothing is wrong with that; but it is said.
  const { reversed, skipped } = states;
  return { health: 'ok', said: message('ALL_IN_BOOKS', { reversed, skipped }) };
}

export async function readSchedules(deps: ReadingDeps): Promise<ScheduleView[]> {
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

// When a tenant is swept next, by its own file: every process can say so, whether it runs the schedules or not.

const REMEMBERED_MAX = 5_000;
const remembered = new Map<string, Date>();

/** null: paused in its file. Worked out once per run: reading a cron expression takes milliseconds. */
function nextRunOf(tenant: Pick<Tenant, 'paused' | 'schedule'>, now: Date): Date | null {
  if (tenant.paused) return null;
  const { cron: expression, timeZone } = tenant.schedule;
  const name = `${timeZone} ${expression}`;
  const known = remembered.get(name);
  if (known && known > now) return known;
  const task = cron.createTask(expression, () => undefined, { timezone: timeZone });
  const next = task.getNextRuns(1)[0] ?? null;
  void task.destroy();
  if (remembered.size >= REMEMBERED_MAX) remembered.clear();
  if (next) remembered.set(name, next);
  return next;
}
