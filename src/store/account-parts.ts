// Which process has which part of an account of the invoicing service, one row an account. A part is changed by compare-and-set, so nobody
// waits for a lock of a process that sleeps, and two that come at once do not take the same seat.
import type { KeptParts, PartsRecords } from '../service/account-shares.js';
import type { Part } from '../service/share-out.js';
import type { Db } from './db.js';

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
