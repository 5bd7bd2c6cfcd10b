// Problems by cause, and the mapping inbox: one missing account is one row, however many documents wait for it.
import { SEVERITIES } from '../domain/condition.js';
import type { Tenant } from '../tenants/tenant.js';
import { isMendedByHand, mendingOf } from './mending.js';
import type { StoredCause } from './records.js';
import { cureText, type Language, reasonSubject, say } from '../language/say.js';
import type { InboxRow, Problem } from './views/problem.js';

/** The name of a cause: its code, and what it is about where that matters. */
export function causeId(code: string, subject: string): string {
  return subject === '' ? code : `${code}:${subject}`;
}

export interface CauseFilter {
  readonly reason: string;
  /** null: whatever it is about. */
  readonly subject: string | null;
}

/** A code alone means all of its causes, as in the list of documents. */
export function causeFilter(id: string): CauseFilter {
  const colon = id.indexOf(':');
  const reason = colon === -1 ? id : id.slice(0, colon);
  return { reason, subject: colon === -1 ? null : id.slice(colon + 1) };
}

/** Whether an entry may be in the books twice, or not at all, is worse than any missing account. */
const ALARMING = new Set(['OUTCOME_UNKNOWN', 'ERP_COLLISION', 'ERP_DUPLICATE', 'FOREIGN_POSTED']);

export function groupProblems(causes: readonly StoredCause[], language: Language): Problem[] {
  const groups = new Map<string, StoredCause[]>();
  for (const cause of causes) {
    const id = causeId(cause.reason.code, cause.reason.subject);
    groups.set(id, [...(groups.get(id) ?? []), cause]);
  }
  return [...groups]
    .map(([id, rows]) => problemOf(id, rows, language))
    .sort((a, b) => worstFirst(a, b) || Number(b.needsPerson) - Number(a.needsPerson) || b.count - a.count);
}

export function worstFirst(a: Pick<Problem, 'severity'>, b: Pick<Problem, 'severity'>): number {
  return SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity);
}

function problemOf(id: string, rows: readonly StoredCause[], language: Language): Problem {
  const [first] = rows;
  const code = first?.reason.code ?? '';
  const tenants = new Map<string, number>();
  for (const row of rows) tenants.set(row.tenantName, (tenants.get(row.tenantName) ?? 0) + row.count);
  const states = [...new Set(rows.map(({ state }) => state))];
  const needsPerson =
    !states.every((state) => state === 'held' || state === 'deferred') || isMendedByHand(code);
  return {
    id,
    code,
    subject: first ? reasonSubject(language, first.reason) : '',
    sentence: first ? say(language, first.reason) : '',
    reason: { code, params: first?.reason.params ?? {} },
    whatToDo: cureText(language, code),
    direction: 'in',
    count: rows.reduce((total, row) => total + row.count, 0),
    states,
    tenants: [...tenants].map(([name, count]) => ({ name, count })),
    firstSeenAt: earliest(rows.map((row) => row.firstSeenAt)),
    lastSeenAt: latest(rows.map((row) => row.lastSeenAt)),
    action: actionFor(rows),
    needsPerson,
    severity: ALARMING.has(code) ? 'critical' : needsPerson ? 'warning' : 'info',
    incidentId: null,
  };
}

function actionFor(rows: readonly StoredCause[]): Problem['action'] {
  if (rows.some(({ reason }) => reason.code === 'HELD_BY_OPERATOR')) return 'none';
  // They look again by themselves, every hour.
  if (rows.every(({ state }) => state === 'deferred')) return 'none';
  if (rows.every(({ state }) => state === 'orphaned')) return 'reverse';
  if (rows.every(({ state, kind }) => state === 'rejected' && kind === 'cost')) return 'move-to-new';
  return 'replay';
}

function earliest(moments: readonly string[]): string {
  return [...moments].sort()[0] ?? '';
}

function latest(moments: readonly string[]): string {
  return [...moments].sort().at(-1) ?? '';
}

export function inboxRows(
  causes: readonly StoredCause[],
  tenant: (name: string) => Pick<Tenant, 'file'> | null,
  language: Language,
): InboxRow[] {
  const rows = new Map<string, InboxRow>();
  for (const cause of causes) {
    const { reason } = cause;
    const mending = mendingOf(reason);
    if (!mending) continue;
    const id = causeId(reason.code, reason.subject);
    const place = `${cause.tenantName}\n${id}`;
    const known = rows.get(place);
    rows.set(place, {
      id,
      tenantName: cause.tenantName,
      code: reason.code,
      subject: reasonSubject(language, reason),
      sentence: say(language, reason),
      count: (known?.count ?? 0) + cause.count,
      firstSeenAt: earliest([cause.firstSeenAt, known?.firstSeenAt ?? cause.firstSeenAt]),
      lastSeenAt: latest([cause.lastSeenAt, known?.lastSeenAt ?? cause.lastSeenAt]),
      mend: {
        where: mending.where,
        file: tenant(cause.tenantName)?.file ?? '',
        path: mending.path,
        example: mending.example,
        fill: mending.fill?.what ?? null,
        suggestions: [],
      },
    });
  }
  return [...rows.values()].sort((a, b) => b.count - a.count);
}
