// Breakers in the database, so that all processes stop calling a tenant's service that is down, and the dashboard can say
// so. Nobody else's work stops. The dispatcher reads them; here they are only told what happened.
import type { TenantName } from '../domain/ids.js';
import { TELL_NOBODY, type TellEvent } from '../domain/bridge-event.js';
import { KEPT_MAX } from '../domain/message.js';
import { storableText } from '../domain/text.js';
import { keptText } from '../language/say.js';
import type { BreakerSide, BreakerStore } from '../sync/posting-records.js';
import { type Db, sql } from './db.js';
import type { KeptParts, PartsRecords } from '../service/account-shares.js';
import type { Part } from '../service/share-out.js';

/** Failures in a row before a breaker opens. */
const FAILURES_MAX = 5;
const OPEN_MS = 15_000;
const OPEN_MS_MAX = 600_000;
/** How often refused credentials are tried again by one document. */
const REFUSED_PROBE_MS = 300_000;
/** A success says something new only where there was trouble, and all processes' troubles are read this often at most. */
const READ_EVERY_MS = 2_000;

/** `tell` hears when a side begins or ceases to be down, not of every try in between; of several processes one is told. */
export function createBreakerStore(db: Db, tell: TellEvent = TELL_NOBODY): BreakerStore {
  const troubles = new Troubles(db);
  return {
    succeeded: async (tenant, side) => {
      if (!(await troubles.isOver(tenant, side))) return;
      try {
        if (await recordSuccess(db, tenant, side))
          tell({ event: 'breaker.closed', tenant, side, reason: '' });
      } catch (error) {
        troubles.forget();
        throw error;
      }
    },
    failed: async (tenant, side, said, retryAfterMs) => {
      const reason = storableText(said);
      const isNew = await recordFailure(db, tenant, side, reason, retryAfterMs ?? null);
      // When it is on record: what is read before that does not know of it.
      troubles.forget();
      if (isNew)
        tell({ event: 'breaker.opened', tenant, side, reason: keptText('en', reason).slice(0, 500) });
    },
    refused: async (tenant, side, said) => {
      const reason = storableText(said);
      const isNew = await recordRefusal(db, tenant, side, reason);
      troubles.forget();
      if (isNew)
        tell({ event: 'credentials.refused', tenant, side, reason: keptText('en', reason).slice(0, 500) });
    },
  };
}

/** Sides that were in trouble when it was last read, in one question for all tenants. */
class Troubles {
  readonly #db: Db;
  #known: Promise<Set<string>> = Promise.resolve(new Set());
  #until = 0;

  constructor(db: Db) {
    this.#db = db;
  }

  /** true, once: whoever else succeeds meanwhile, and they may be many, has nothing to add. */
  async isOver(tenant: TenantName, side: BreakerSide): Promise<boolean> {
    if (performance.now() >= this.#until) {
      this.#until = performance.now() + READ_EVERY_MS;
      this.#known = this.#read();
    }
    return (await this.#known).delete(`${side}:${tenant}`);
  }

  forget(): void {
    this.#until = 0;
  }

  async #read(): Promise<Set<string>> {
    try {
      const rows = await this.#db.rows<{ name: string }>`
        SELECT side || ':' || tenant_name AS name FROM breaker WHERE state <> 'closed' OR failures > 0`;
      return new Set(rows.map(({ name }) => name));
    } catch (error) {
      this.forget();
      throw error;
    }
  }
}

/** The server asked for silence, and what others hear of it meanwhile, good or bad, changes nothing about that. */
const HELD = sql`coalesce(b.hold_until > now(), false)`;

/** true: until now it was open or refused. */
async function recordSuccess(db: Db, tenantName: TenantName, side: BreakerSide): Promise<boolean> {
  const [row] = await db.rows<{ was: string }>`
    UPDATE breaker b SET state = 'closed', failures = 0, open_until = NULL, hold_until = NULL, probe_id = NULL, reason = NULL,
      since = now()
    FROM (SELECT state FROM breaker WHERE tenant_name = ${tenantName} AND side = ${side} FOR UPDATE) AS before
    WHERE b.tenant_name = ${tenantName} AND b.side = ${side} AND (b.state <> 'closed' OR b.failures > 0) AND NOT ${HELD}
    RETURNING before.state AS was`;
  return row !== undefined && row.was !== 'closed';
}

/**
 * true: it was closed until now. Asked of the row under its lock, as two may open it in one millisecond; only where there was no row
 * at all does the time decide.
 */
async function recordFailure(
  db: Db,
  tenantName: TenantName,
  side: BreakerSide,
  reason: string,
  retryAfterMs: number | null,
): Promise<boolean> {
  const failures = sql`(b.failures + CASE WHEN ${HELD} THEN 0 ELSE 1 END)`;
  const opens = sql`(${failures} >= ${FAILURES_MAX} OR ${retryAfterMs}::float8 IS NOT NULL)`;
  const asked = sql`now() + ${retryAfterMs}::float8 * interval '1 millisecond'`;
  // Whoever was turned away by the hold says how much of it is left; that, a moment late, must not make it longer.
  const hold = sql`CASE WHEN ${HELD} AND ${asked} < b.hold_until + interval '1 second' THEN b.hold_until
      ELSE coalesce(greatest(${asked}, b.hold_until), b.hold_until) END`;
  // Doubles with every failure past the threshold, and never less than the server asked for.
  const wait = sql`CASE WHEN ${failures} >= ${FAILURES_MAX} AND NOT ${HELD}
      THEN least(${OPEN_MS} * power(2, least(${failures} - ${FAILURES_MAX}, 10)), ${OPEN_MS_MAX}) ELSE 0 END * interval '1 millisecond'`;
  const [row] = await db.rows<{ opened: boolean }>`
    WITH before AS MATERIALIZED
      (SELECT state FROM breaker WHERE tenant_name = ${tenantName} AND side = ${side} FOR UPDATE)
    INSERT INTO breaker AS b (tenant_name, side, state, failures, open_until, hold_until, reason, since)
    SELECT ${tenantName}, ${side}, CASE WHEN ${retryAfterMs}::float8 IS NULL THEN 'closed' ELSE 'open' END, 1,
           ${asked}, ${asked}, ${reason.slice(0, KEPT_MAX)}, now()
    FROM (SELECT count(*) FROM before) AS locked
    ON CONFLICT (tenant_name, side) DO UPDATE SET
      failures = ${failures},
      hold_until = ${hold},
      probe_id = NULL,
      reason = excluded.reason,
      since = CASE WHEN b.state = 'closed' AND ${opens} THEN now() ELSE b.since END,
      open_until = CASE WHEN ${opens} THEN greatest(now() + ${wait}, ${hold}, b.open_until) ELSE b.open_until END,
      state = CASE WHEN b.state = 'refused' THEN 'refused' WHEN ${opens} THEN 'open' ELSE b.state END
    RETURNING b.state = 'open'
      AND coalesce((SELECT state = 'closed' FROM before), b.since = now()::timestamptz(3)) AS opened`;
  return row?.opened === true;
}

/**
 * true: until now they were not refused. Of several that are refused at once, one is told so: counted under the lock of the row, for
 * a millisecond is long enough for two.
 */
async function recordRefusal(
  db: Db,
  tenantName: TenantName,
  side: BreakerSide,
  reason: string,
): Promise<boolean> {
  const [row] = await db.rows<{ begins: boolean }>`
    INSERT INTO breaker AS b (tenant_name, side, state, failures, open_until, reason, since)
    VALUES (${tenantName}, ${side}, 'refused', 1, now() + ${REFUSED_PROBE_MS} * interval '1 millisecond', ${reason.slice(0, KEPT_MAX)}, now())
    ON CONFLICT (tenant_name, side) DO UPDATE SET state = 'refused', reason = excluded.reason,
      failures = CASE WHEN b.state = 'refused' THEN b.failures + 1 ELSE 1 END,
      probe_id = NULL, open_until = excluded.open_until, since = CASE WHEN b.state = 'refused' THEN b.since ELSE now() END
    RETURNING b.failures = 1 AS begins`;
  return row?.begins === true;
}

// The pauses that servers asked for, over all processes: the breaker rows keep them, and every process looks there before a
// request leaves, all its tenants with one question and at most ten times a second. What it was told itself it knows at once.

export interface ConnectionHolds {
  heldMs(tenantName: TenantName, side: BreakerSide): Promise<number>;
  hold(tenantName: TenantName, side: BreakerSide, ms: number, why: string): Promise<void>;
}

const FRESH_MS = 100;

interface HoldRow {
  readonly tenantName: TenantName;
  readonly side: string;
  readonly ms: number;
}

export function createConnectionHolds(db: Db, breakers: BreakerStore): ConnectionHolds {
  /** Until when by this process's own count of time; never more than one a tenant and side. */
  const until = new Map<string, number>();
  let readAt = -Infinity;
  let reading: Promise<void> | undefined;
  const leftMs = (name: string) => Math.max(0, (until.get(name) ?? 0) - performance.now());
  const read = async (): Promise<void> => {
    const rows = await db.rows<HoldRow>`
      SELECT tenant_name AS "tenantName", side, (extract(epoch FROM hold_until - now()) * 1000)::float8 AS ms
      FROM breaker WHERE hold_until > now()`;
    readAt = performance.now();
    for (const { tenantName, side, ms } of rows) prolong(until, nameOf(tenantName, side), ms);
  };
  return {
    heldMs: async (tenantName, side) => {
      const name = nameOf(tenantName, side);
      if (leftMs(name) > 0) return leftMs(name);
      // Without records nothing is begun anyway; what is under way goes on by what was last known.
      if (performance.now() - readAt > FRESH_MS)
        await (reading ??= read()
          .catch(() => undefined)
          .finally(() => (reading = undefined)));
      return leftMs(name);
    },
    hold: async (tenantName, side, ms, why) => {
      prolong(until, nameOf(tenantName, side), ms);
      await breakers.failed(tenantName, side, why, ms);
    },
  };
}

function prolong(until: Map<string, number>, name: string, ms: number): void {
  until.set(name, Math.max(until.get(name) ?? 0, performance.now() + ms));
}

function nameOf(tenantName: TenantName, side: string): string {
  return `${side}:${tenantName}`;
}

// Which process has which part of an account of the invoicing service, one row an account. A part is changed by compare-and-set, so nobody
// waits for a lock of a process that sleeps, and two that come at once do not take the same seat.

interface Row {
  readonly now_ms: number;
  readonly account: string | null;
  readonly parts: string | null;
  readonly version: number | null;
}

export function createAccountParts(db: Db): PartsRecords {
  return {
    read: async (accounts) => {
      const rows = await db.rows<Row>`
        SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now_ms, s.account, s.parts, s.version
        FROM (SELECT 1) AS always LEFT JOIN account_share s ON s.account = ANY(${[...accounts]}::text[])`;
      return { nowMs: rows[0]?.now_ms ?? 0, kept: rows.flatMap(toKept) };
    },
    write: async (changes) => {
      const rows = await db.rows<{ account: string }>`
        INSERT INTO account_share AS s (account, parts, version)
        SELECT * FROM unnest(${changes.map(({ account }) => account)}::text[],
                             ${changes.map(({ parts }) => JSON.stringify(parts))}::text[],
                             ${changes.map(({ version }) => version + 1)}::int[])
        ON CONFLICT (account) DO UPDATE SET parts = excluded.parts, version = excluded.version
        WHERE s.version = excluded.version - 1
        RETURNING s.account`;
      return new Set(rows.map((row) => row.account));
    },
  };
}

function toKept({ account, parts, version }: Row): KeptParts[] {
  if (account === null || parts === null || version === null) return [];
  return [{ account, version, parts: JSON.parse(parts) as Part[] }];
}
