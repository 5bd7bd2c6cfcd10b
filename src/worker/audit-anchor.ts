// Once a day the heads of the audit go into a file outside of the database. What cannot be written is tried again with every round, and is an
// incident until it is there.
import type { AuditHead } from '../domain/audit-head.js';
import type { Condition } from '../domain/condition.js';
import { localTime } from '../domain/local-time.js';
import { appendAnchors } from '../store/audit-anchor.js';

export interface AnchorRecords {
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
