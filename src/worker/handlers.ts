// What each queue does with a wake-up. Handlers never throw for what the pipeline knows how to rest; whatever else happens
// is logged, and the row comes back when its lease or its queue mark runs out.
import type { TenantName } from '../domain/ids.js';
import { waitMsOf } from '../domain/errors/coded-error.js';
import { SOURCE_KINDS } from '../domain/source-document.js';
import { type SweepDeps, sweep } from '../sync/intake.js';
import {
  beginReleases,
  beginSummaries,
  followPayments,
  type PaymentDeps,
  type ReleaseDeps,
  type SummaryDeps,
} from '../sync/begin-follow-ups.js';
import { outageOf, reportSourceOutage, retryInMs } from '../sync/back-off.js';
import { advanceClaimed, type Claimed } from '../sync/advance.js';
import { leaseMsOf, type PostingDeps } from '../sync/work.js';
import type { SweepReport } from '../sync/intake-records.js';
import type { BreakerStore, PostingRecord } from '../sync/posting-records.js';
import type { TenantContext } from '../sync/tenant-context.js';
import { ByTurns, type Stage, takeTurn, type Turn, turnsOf, type WakeUp } from '../sync/turns.js';
import type { InFlight } from '../sync/in-flight.js';
import type { DispatchStore } from '../store/dispatch-store.js';
import type { SweepTurns } from '../store/sweep-turns.js';
import type { Connections } from './connections.js';

export interface Workshop {
  readonly owner: string;
  readonly connections: Connections;
  readonly posting: PostingDeps;
  readonly intake: SweepDeps;
  readonly payments: PaymentDeps;
  readonly releases: ReleaseDeps;
  readonly summaries: SummaryDeps;
  readonly breakers: BreakerStore;
  readonly dispatch: DispatchStore;
  readonly sweepTurns: SweepTurns;
  readonly inFlight: InFlight;
  /** Work on a document threw, and nothing of that could be put on record. */
  readonly onFailure: (posting: PostingRecord, error: unknown) => void;
  /** Something is due sooner than the next look of the dispatcher. */
  readonly poke: () => void;
  readonly onSweep: (tenantName: TenantName, reports: readonly SweepReport[]) => void;
}

/** Whom something concerns, for whoever reads that it failed. */
export interface About {
  tenant?: string;
}

/** The turns of a job, each for itself: what fails of one tenant keeps no other from going on. */
export async function handleTurns(
  shop: Workshop,
  stage: Stage,
  wakeUp: WakeUp,
  about: About = {},
  /** Of the others, where more than one failed. */
  onFailure: (about: About, error: unknown) => void = () => undefined,
): Promise<void> {
  const failed: { readonly tenant: TenantName; readonly error: unknown }[] = [];
  const turns = turnsOf(stage, wakeUp).map((turn) =>
    handleTurn(shop, turn).catch((error: unknown) => failed.push({ tenant: turn.tenantName, error })),
  );
  await Promise.all(turns);
  const [first, ...others] = failed;
  for (const { tenant, error } of others) onFailure({ tenant }, error);
  if (first === undefined) return;
  about.tenant = first.tenant;
  throw first.error;
}

/** A tenant's turn: takes documents as places become free and carries each as far as it goes. */
async function handleTurn(shop: Workshop, turn: Turn): Promise<void> {
  const tenant = await shop.connections.get(turn.tenantName);
  const leaseMs = leaseMsOf(shop.posting, tenant);
  const { inFlight, dispatch, owner } = shop;
  await takeTurn(
    {
      inFlight,
      tenant: turn.tenantName,
      claim: async (most) => {
        const askedAtMs = shop.posting.runtime.clock.now().getTime();
        const claims = await dispatch.claim(turn, most, owner, leaseMs);
        return claims.map((claim) => ({ claim, askedAtMs }));
      },
      carry: (claimed) => carry(shop, tenant, claimed),
    },
    turn.share,
  );
  shop.poke();
}

async function carry(shop: Workshop, tenant: TenantContext, claimed: Claimed): Promise<void> {
  try {
    await advanceClaimed(shop.posting, tenant, claimed);
  } catch (error) {
    // Its lease runs out, and somebody goes on.
    shop.onFailure(claimed.claim.posting, error);
  }
}

/** After this many tries a sweep request is dropped: the schedule brings the next. */
const SWEEP_TRIES_MAX = 5;

export interface SweepTiming extends Renewal {
  readonly leaseMs: number;
}

const SWEEP_TIMING: SweepTiming = { leaseMs: 60_000, everyMs: 20_000, maxMs: 15 * 60_000 };

export async function handleSweep(
  shop: Workshop,
  wakeUp: WakeUp,
  timing: SweepTiming = SWEEP_TIMING,
  /** Learns whose sweep it is: a wake-up does not say. */
  about: About = {},
  /** Of the other kinds, where more than one failed. */
  onFailure: (about: About, error: unknown) => void = () => undefined,
): Promise<void> {
  const request = await shop.dispatch.outboxPayload(wakeUp.id);
  if (!request?.tenantName) return;
  const { tenantName } = request;
  about.tenant = tenantName;
  const turn = { tenantName, requestId: wakeUp.id, runId: shop.intake.runtime.random.uuid() };
  const taken = await shop.sweepTurns.take(turn, timing.leaseMs);
  // A sweep that was asked for otherwise sees what this one would. One of this request ends it by itself, unless it is killed.
  if (taken === 'another') await shop.dispatch.finishOutbox(wakeUp.id);
  if (taken !== 'ours') return;
  const renew = () => shop.sweepTurns.renew(turn, timing.leaseMs);
  try {
    await keepRenewing(timing, renew, () =>
      sweepTenant(shop, tenantName, (error) => onFailure({ tenant: tenantName }, error)),
    );
    await shop.dispatch.finishOutbox(wakeUp.id);
  } catch (error) {
    const outage = outageOf(error);
    if (outage) await reportSourceOutage(shop.breakers, tenantName, outage);
    // Credentials that were refused are not sent again and again: a service may lock the account.
    if (request.tries >= SWEEP_TRIES_MAX || outage?.isRefusal) await shop.dispatch.finishOutbox(wakeUp.id);
    else {
      const backOffMs = retryInMs(request.tries + 1, shop.intake.runtime.random);
      await shop.dispatch.failOutbox(wakeUp.id, Math.max(backOffMs, waitMsOf(error) ?? 0));
    }
    throw error;
  } finally {
    await shop.sweepTurns.giveBack(turn);
    shop.poke();
  }
}

/** Twenty companies with years of documents each would list for minutes before anything is posted, were all of them read at once. */
const longLists = new ByTurns(2);

async function sweepTenant(
  shop: Workshop,
  tenantName: TenantName,
  onFailure: (error: unknown) => void,
): Promise<void> {
  const tenant = await shop.connections.get(tenantName);
  if (tenant.cutOver === null) return;
  const { cutOver } = tenant;
  // First: they ask nothing of the source, which may be away.
  await beginReleases(shop.releases, tenant);
  await beginSummaries(shop.summaries, tenant);
  const reports: SweepReport[] = [];
  const failures: unknown[] = [];
  // What is found is worked on while the sweep goes on.
  const intake: SweepDeps = { ...shop.intake, onFound: shop.poke, inTurn: (work) => longLists.run(work) };
  // Each kind for itself: what is wrong with the costs does not keep the invoices from being found.
  for (const kind of SOURCE_KINDS) {
    try {
      reports.push(await sweep(intake, tenant, kind, cutOver));
    } catch (error) {
      failures.push(error);
    }
  }
  const [first, ...others] = failures;
  for (const error of others) onFailure(error);
  if (failures.length > 0) throw first;
  await followPayments(shop.payments, tenant);
  await shop.breakers.succeeded(tenantName, 'source');
  shop.onSweep(tenantName, reports);
}

// Work that may take much longer than the lease it is done under: the lease is short, so that a killed process is soon
// replaced, and renewed for as long as the work goes on.
interface Renewal {
  readonly everyMs: number;
  /** Work that takes longer than this is not believed any more: others may begin it again. */
  readonly maxMs: number;
}

async function keepRenewing<T>(
  { everyMs, maxMs }: Renewal,
  renew: () => Promise<void>,
  work: () => Promise<T>,
): Promise<T> {
  await renew();
  const startedAt = performance.now();
  let renewing = Promise.resolve();
  const timer = setInterval(() => {
    if (performance.now() - startedAt > maxMs) clearInterval(timer);
    // A database that is away for a moment is asked again at the next turn.
    else renewing = renewing.then(renew).catch(() => undefined);
  }, everyMs);
  timer.unref();
  try {
    return await work();
  } finally {
    clearInterval(timer);
    // A renewal that came after the end would hold back the next try.
    await renewing;
  }
}

// Breakers that hear nothing once this process has closed its connections: what was cut off by us says nothing about the
// other side, and the next process must not begin with a breaker that we opened by leaving.

export function quietWhen(isClosed: () => boolean, breakers: BreakerStore): BreakerStore {
  return {
    succeeded: (tenantName, side) => breakers.succeeded(tenantName, side),
    failed: async (...told) => {
      if (!isClosed()) await breakers.failed(...told);
    },
    refused: async (...told) => {
      if (!isClosed()) await breakers.refused(...told);
    },
  };
}
