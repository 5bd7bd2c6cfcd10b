// Silence is a signal. One process at a time makes the rounds: the short one turns what is so now into incidents, the long one
// looks for tenants that went quiet, sweeps that are overdue, grants that would die unused, the nightly reconciliation, and old rows that nobody will ask for.
import { setTimeout as sleep } from 'node:timers/promises';
import type { BridgeEvent, TellEvent } from '../domain/bridge-event.js';
import type { Condition, ConditionCode } from '../domain/condition.js';
import { BROKEN_FILE, brokenFileCondition } from '../operations/broken-files.js';
import { FOUND_AT_A_LOOK, worthAnIncident } from '../operations/conditions.js';
import type { Overview } from '../operations/views/overview.js';
import type { DispatchStore } from '../store/dispatch-store.js';
import type { FollowedIncidents } from '../store/incidents.js';
import type { WatchStore } from '../store/watch-store.js';
import type { Tenant } from '../tenants/tenant.js';
import type { BrokenFile } from '../tenants/watch-tenants.js';
import type { AuditHead } from '../domain/audit-head.js';
import { localTime } from '../domain/local-time.js';
import { appendAnchors } from '../store/audit-anchor.js';

export interface WatchmanOptions {
  readonly owner: string;
  readonly store: WatchStore;
  readonly incidents: FollowedIncidents;
  readonly dispatch: Pick<DispatchStore, 'take'>;
  readonly overview: () => Promise<Overview>;
  /** Of tenants that this process carries on as they were before. */
  readonly brokenFiles: () => readonly BrokenFile[];
  readonly tenants: () => readonly Tenant[];
  readonly keepAlive: (tenant: Tenant) => Promise<void>;
  /** Heads of the audit, outside of the database; absent: nowhere. */
  readonly anchor?: (() => Promise<Condition[]>) | undefined;
  /** Network addresses that are older than they are kept; absent: they stay until a person says so. */
  readonly removeAddresses?: (() => Promise<unknown>) | undefined;
  readonly tell: TellEvent;
  readonly onError: (error: unknown) => void;
  /** Between two looks at how everything is. */
  readonly lookMs?: number;
}

const LOOK_MS = 15_000;
const ROUND_MS = 10 * 60 * 1000;
const DAYS_BUSY = 5;
const DAYS_SILENT = 3;
const OVERDUE_MS = 6 * 60 * 60 * 1000;
const RECONCILED_DAYS = 35;
const DAYS_KEPT = 90;

/** On which version a tenant whose file broke works on is known here alone: everybody else reads it from its incident. */
const KEPT_AT_A_LOOK: readonly ConditionCode[] = [...FOUND_AT_A_LOOK, BROKEN_FILE];
/** What the long round has looked at: of these, whatever it did not find is over. */
const SEEN_IN_A_ROUND: readonly ConditionCode[] = ['SWEEP_OVERDUE', 'TENANT_SILENT', 'AUDIT_NOT_ANCHORED'];

export interface Watchman {
  stop(): Promise<void>;
}

export function startWatchman(options: WatchmanOptions): Watchman {
  const stopped = new AbortController();
  const lookMs = options.lookMs ?? LOOK_MS;
  const look = createLook(options);
  const repeat = async (name: string, everyMs: number, act: () => Promise<void>) => {
    while (!stopped.signal.aborted) {
      try {
        if (await options.dispatch.take(name, options.owner, everyMs)) await act();
      } catch (error) {
        options.onError(error);
      }
      await sleep(everyMs, undefined, { signal: stopped.signal }).catch(() => undefined);
    }
  };
  const running = Promise.all([
    repeat('watchman', ROUND_MS, () => makeRound(options)),
    repeat('look', lookMs, look),
  ]);
  return {
    stop: async () => {
      stopped.abort();
      await running;
    },
  };
}

type LookOptions = Pick<WatchmanOptions, 'incidents' | 'overview' | 'brokenFiles' | 'tell'>;

/** How everything is, into incidents; and what people did to tenants since the last look, wherever they did it, into the log. */
export function createLook(options: LookOptions): () => Promise<void> {
  const { incidents, overview, brokenFiles, tell } = options;
  let before: Overview | null = null;
  return async () => {
    const now = await overview();
    const broken = brokenFiles().map((file) => brokenFileCondition(file, now.at));
    await incidents.follow(KEPT_AT_A_LOOK, [...worthAnIncident(now.conditions, now.at), ...broken]);
    if (before) for (const event of steered(before, now)) tell(event);
    before = now;
  };
}

function steered(before: Overview, now: Overview): BridgeEvent[] {
  const known = new Map(before.tenants.map((tenant) => [tenant.name, tenant]));
  return now.tenants.flatMap(({ name: tenant, paused, planConfirmed }): BridgeEvent[] => {
    const old = known.get(tenant);
    if (!old) return [];
    return [
      ...(planConfirmed && !old.planConfirmed
        ? [{ event: 'plan.confirmed' as const, tenant, by: planConfirmed.by, reason: '' }]
        : []),
      ...(paused && !old.paused
        ? [{ event: 'tenant.paused' as const, tenant, by: paused.by, reason: paused.reason }]
        : []),
      ...(!paused && old.paused ? [{ event: 'tenant.resumed' as const, tenant, by: '', reason: '' }] : []),
    ];
  });
}

type RoundPart = 'store' | 'incidents' | 'tenants' | 'keepAlive' | 'anchor' | 'removeAddresses' | 'onError';

export async function makeRound(options: Pick<WatchmanOptions, RoundPart>): Promise<void> {
  const { store, incidents, tenants, keepAlive, onError } = options;
  const unanchored = (await options.anchor?.()) ?? [];
  await incidents.follow(SEEN_IN_A_ROUND, [...(await quietOnes(store)), ...unanchored]);
  await store.requestReconciliations(RECONCILED_DAYS);
  await store.forget(DAYS_KEPT);
  await options.removeAddresses?.();
  for (const tenant of tenants()) await keepAlive(tenant).catch(onError);
}

async function quietOnes(store: WatchStore): Promise<Condition[]> {
  const [silent, overdue] = await Promise.all([
    store.silent(DAYS_BUSY, DAYS_SILENT),
    store.overdue(OVERDUE_MS),
  ]);
  return [
    ...silent.map(({ tenant, since, days }): Condition => ({
      ...{ code: 'TENANT_SILENT', tenant, subject: '', severity: 'warning', needsPerson: true },
      ...{ lastAt: `${since}T23:59:59.999Z`, params: { since, days } },
    })),
    ...overdue.map(({ tenant, since }): Condition => ({
      ...{ code: 'SWEEP_OVERDUE', tenant, subject: '', severity: 'critical', needsPerson: true },
      ...{ lastAt: since ?? '1970-01-01T00:00:00.000Z', params: { since } },
    })),
  ];
}

// Once a day the heads of the audit go into a file outside of the database. What cannot be written is tried again with every round, and is an
// incident until it is there.

interface AnchorRecords {
  heads(now: Date): Promise<readonly AuditHead[]>;
  /** null: never there. */
  last(path: string): Promise<Date | null>;
  said(path: string, what: { readonly heads: number; readonly now: Date }): Promise<void>;
}

export async function anchorDaily(records: AnchorRecords, path: string, now: Date): Promise<Condition[]> {
  const last = await records.last(path);
  if (last !== null && dayOf(last) === dayOf(now)) return [];
  const heads = await records.heads(now);
  if (heads.length === 0) return [];
  try {
    await appendAnchors(path, heads, { isFirst: last === null });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const params = { path, reason, since: last?.toISOString() ?? null };
    return [
      {
        ...{ code: 'AUDIT_NOT_ANCHORED', tenant: null, subject: path, severity: 'critical' },
        ...{ needsPerson: true, lastAt: now.toISOString(), params },
      },
    ];
  }
  // A crash in between writes the same heads once more, which does no harm.
  await records.said(path, { heads: heads.length, now });
  return [];
}

function dayOf(moment: Date): string {
  return localTime(moment.toISOString())?.day ?? '';
}
