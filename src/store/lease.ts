// A row that one process works on at a time has `fence`, `lease_owner` and `lease_until`. Every claim adds one to the fence, and a commit
// names the fence of its claim: a process that lost its lease changes nothing. Ages and deadlines are by the database's clock.
// These are pieces of SQL for the rows that are leased: posting, submission, original, operation_run.
import { raw, type Sql, sql } from './db.js';

const of = (table: string, column: string) => (table === '' ? column : `${table}.${column}`);

/** No process works on the row: it has no lease, or its lease ran out. */
export const isFreeText = (table = ''): string =>
  `(${of(table, 'lease_until')} IS NULL OR ${of(table, 'lease_until')} < now())`;

/** To SET: the lease goes to `owner` for `ms`, and the fence rises. */
export const takeLeaseText = (table: string, owner: string, ms: string): string =>
  `fence = ${table}.fence + 1, lease_owner = ${owner}, lease_until = now() + ${ms} * interval '1 millisecond'`;

/** Whether the process that had the lease never released it: it died, or took longer than the lease lasts. */
export const wasAbandonedText = (table: string): string => `(${table}.lease_owner IS NOT NULL)::int`;

/** Without a table name: the table of the statement. */
export const isFree = (table = ''): Sql => raw(isFreeText(table));

export function takeLease(table: string, owner: string, ms: number): Sql {
  return sql`fence = ${raw(table)}.fence + 1, lease_owner = ${owner}, lease_until = now() + ${ms} * interval '1 millisecond'`;
}

/** To SET: the lease ends, unless the process goes on with the row. */
export const releaseUnless = (keeps: boolean): Sql => sql`
  lease_owner = CASE WHEN ${keeps} THEN lease_owner END, lease_until = CASE WHEN ${keeps} THEN lease_until END`;

/** To SET: the lease ends, whoever has it, and with the next fence its owner can commit nothing. */
export const endLease = (table: string): Sql =>
  raw(`fence = ${table}.fence + 1, lease_owner = NULL, lease_until = NULL`);
