// Figures of the whole bridge, read from the records when somebody asks. Every process shows the same ones, so that any of
// them can be scraped; over several, take the maximum, not the sum.
import { Gauge, type Registry } from 'prom-client';
import type { MetricsSnapshot } from '../../store/metrics-reader.js';

/** Beyond these a label would cost more than it tells; the rest is added up under one name. */
const TENANTS_MAX = 1_000;
const REASONS_MAX = 200;
export const OTHERS = '(others)';

const BREAKER_STATES: Readonly<Record<string, number>> = { closed: 0, open: 1, refused: 2 };

export interface Gauges {
  show(snapshot: MetricsSnapshot, queueDepths: ReadonlyMap<string, number>): void;
  readable(works: boolean): void;
}

function declare(registry: Registry) {
  const gauge = <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
    new Gauge({ name: `ledgerbridge_${name}`, help, labelNames, registers: [registry] });
  return {
    postings: gauge('postings', 'Postings by tenant and state.', 'tenant', 'state'),
    reasons: gauge('postings_by_reason', 'Postings that wait, by state and reason.', 'state', 'reason'),
    submissions: gauge(
      'submissions',
      'Outbound records that are not done, by tenant and state.',
      'tenant',
      'state',
    ),
    unconfirmed: gauge(
      'submissions_unconfirmed',
      'Outbound records that wait until a person confirms the plan.',
      'tenant',
    ),
    lag: gauge('lag_seconds', 'How long the oldest due posting has waited to be worked on.', 'tenant'),
    oldest: gauge('oldest_unfinished_seconds', 'Age of the oldest document that is not done.', 'tenant'),
    unknown: gauge('unknown_outcomes', 'Postings in doubt: the ERP may or may not have an entry.', 'tenant'),
    breakers: gauge('breaker_state', '0 closed, 1 open, 2 refused (credentials).', 'tenant', 'side'),
    swept: gauge('last_sweep_age_seconds', 'Since the last sweep that ended.', 'tenant', 'kind'),
    sweptFully: gauge('last_full_sweep_age_seconds', 'Since the last complete full sweep.', 'tenant', 'kind'),
    outbox: gauge('outbox', 'Sweeps, reconciliations and notifications asked for and not done.', 'topic'),
    incidents: gauge('open_incidents', 'Incidents that are not resolved.', 'severity'),
    depth: gauge('queue_depth', 'Jobs waiting in a queue.', 'queue'),
  };
}

export function createGauges(registry: Registry): Gauges {
  const gauges = declare(registry);
  const readable = new Gauge({
    name: 'ledgerbridge_database_readable',
    help: '1 when the last attempt to read the figures of the whole bridge worked.',
    registers: [registry],
  });
  return {
    readable: (works) => readable.set(works ? 1 : 0),
    show: (snapshot, queueDepths) => {
      for (const gauge of Object.values(gauges)) gauge.reset();
      const names = snapshot.delays.map((delay) => delay.tenant);
      const tenant = bounded(names, TENANTS_MAX);
      showPostings(gauges, snapshot, tenant);
      showSweeps(gauges, snapshot, tenant);
      raise(gauges.breakers, snapshot.breakers, (row) => [
        { tenant: tenant(row.tenant), side: row.side },
        BREAKER_STATES[row.state] ?? 1,
      ]);
      for (const { topic, count } of snapshot.outbox) gauges.outbox.set({ topic }, count);
      for (const { severity, count } of snapshot.incidents) gauges.incidents.set({ severity }, count);
      for (const [queue, count] of queueDepths) gauges.depth.set({ queue }, count);
    },
  };
}

type Declared = ReturnType<typeof declare>;
type Shorten = (name: string) => string;

function showPostings(
  gauges: Declared,
  { states, submissions, unconfirmed, reasons, delays }: MetricsSnapshot,
  tenant: Shorten,
): void {
  for (const row of states) gauges.postings.inc({ tenant: tenant(row.tenant), state: row.state }, row.count);
  for (const row of submissions)
    gauges.submissions.inc({ tenant: tenant(row.tenant), state: row.state }, row.count);
  for (const row of unconfirmed) gauges.unconfirmed.inc({ tenant: tenant(row.tenant) }, row.count);
  const reason = bounded([...new Set(reasons.map((row) => row.reason))], REASONS_MAX);
  for (const row of reasons) gauges.reasons.inc({ state: row.state, reason: reason(row.reason) }, row.count);
  for (const row of delays) gauges.unknown.inc({ tenant: tenant(row.tenant) }, row.unknownOutcomes);
  raise(gauges.lag, delays, (row) => [{ tenant: tenant(row.tenant) }, row.lagSeconds]);
  raise(gauges.oldest, delays, (row) => [{ tenant: tenant(row.tenant) }, row.oldestSeconds]);
}

function showSweeps(gauges: Declared, { sweeps }: MetricsSnapshot, tenant: Shorten): void {
  for (const [gauge, age] of [
    [gauges.swept, 'ageSeconds'],
    [gauges.sweptFully, 'fullAgeSeconds'],
  ] as const) {
    const done = sweeps.filter((row) => row[age] !== null);
    raise(gauge, done, (row) => [{ tenant: tenant(row.tenant), kind: row.kind }, row[age] ?? 0]);
  }
}

/** Of several tenants under one label the worst is shown. */
function raise<Row, Label extends string>(
  gauge: Gauge<Label>,
  rows: readonly Row[],
  point: (row: Row) => [Record<Label, string>, number],
): void {
  const worst = new Map<string, [Record<Label, string>, number]>();
  for (const row of rows) {
    const [labels, value] = point(row);
    const name = JSON.stringify(labels);
    worst.set(name, [labels, Math.max(value, worst.get(name)?.[1] ?? 0)]);
  }
  for (const [labels, value] of worst.values()) gauge.set(labels, value);
}

function bounded(names: readonly string[], max: number): Shorten {
  const shown = new Set(names.slice(0, max));
  return (name) => (shown.has(name) ? name : OTHERS);
}
