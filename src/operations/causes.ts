// Problems by cause, and the mapping inbox: one missing account is one row, however many documents wait for it.
import type { Tenant } from '../tenants/tenant.js';
import type { StoredCause } from './records.js';
import { cureOf, erpSentence, erpSubject } from './reason-tables.js';
import type { InboxRow, Problem } from './views/problem.js';

/** The name of a cause: its code, and what it is about where that matters. */
export function causeId(code: string, subject: string): string {
  return subject === '' ? code : `${code}:${subject}`;
}

export interface CauseFilter {
  readonly reason: string;
  /** Of the row; null: any. */
  readonly subject: string | null;
  readonly sentence: string | null;
}

export function causeFilter(id: string): CauseFilter {
  const colon = id.indexOf(':');
  const reason = colon === -1 ? id : id.slice(0, colon);
  const subject = colon === -1 ? '' : id.slice(colon + 1);
  return reason === 'ERP_CONFIGURATION' && subject !== ''
    ? { reason, subject: null, sentence: erpSentence(subject) }
    : { reason, subject, sentence: null };
}

export function groupProblems(causes: readonly StoredCause[]): Problem[] {
  const groups = new Map<string, StoredCause[]>();
  for (const cause of causes) {
    const id = causeId(cause.code, subjectOf(cause));
    groups.set(id, [...(groups.get(id) ?? []), cause]);
  }
  return [...groups]
    .map(([id, rows]) => problemOf(id, rows))
    .sort((a, b) => Number(b.needsPerson) - Number(a.needsPerson) || b.count - a.count);
}

function problemOf(id: string, rows: readonly StoredCause[]): Problem {
  const [first] = rows;
  const tenants = new Map<string, number>();
  for (const row of rows) tenants.set(row.tenantName, (tenants.get(row.tenantName) ?? 0) + row.count);
  const states = [...new Set(rows.map(({ state }) => state))];
  return {
    id,
    code: first?.code ?? '',
    subject: first ? subjectOf(first) : '',
    sentence: first?.sentence ?? '',
    whatToDo: cureOf(first?.code ?? ''),
    count: rows.reduce((total, row) => total + row.count, 0),
    states,
    tenants: [...tenants].map(([name, count]) => ({ name, count })),
    firstSeenAt: earliest(rows.map((row) => row.firstSeenAt)),
    lastSeenAt: latest(rows.map((row) => row.lastSeenAt)),
    action: actionFor(rows),
    needsPerson: !states.every((state) => state === 'held') || isMendedByHand(first?.code ?? ''),
  };
}

function actionFor(rows: readonly StoredCause[]): Problem['action'] {
  if (rows.some(({ code }) => code === 'HELD_BY_OPERATOR')) return 'none';
  if (rows.every(({ state }) => state === 'orphaned')) return 'reverse';
  if (rows.every(({ state, kind }) => state === 'rejected' && kind === 'cost')) return 'move-to-new';
  return 'replay';
}

function subjectOf(cause: StoredCause): string {
  return cause.code === 'ERP_CONFIGURATION' ? erpSubject(cause.subject) : cause.subject;
}

function earliest(moments: readonly string[]): string {
  return [...moments].sort()[0] ?? '';
}

function latest(moments: readonly string[]): string {
  return [...moments].sort().at(-1) ?? '';
}

interface Mending {
  readonly where: InboxRow['mend']['where'];
  readonly path: string;
  readonly example: (subject: string) => string;
}

/** What a subject of the mapping names, without the words around it. */
const named = (subject: string) => /"([^"]*)"/.exec(subject)?.[1] ?? subject.split(' ').at(-1) ?? subject;
const yaml = (...lines: readonly string[]) =>
  lines.map((line, depth) => '  '.repeat(depth) + line).join('\n');
const quoted = (text: string) => JSON.stringify(text);

/** Reasons that a line in the tenant file (or in the ERP's setup) cures for every document that waits. */
const MENDED_IN_FILE: Readonly<Record<string, Mending>> = {
  UNMAPPED_COST_CODE: {
    where: 'tenant-file',
    path: 'rules.cost.codes',
    example: (subject) => yaml('rules:', 'cost:', 'codes:', `${quoted(named(subject))}: { account: "…" }`),
  },
  COST_CODE_NEEDS_REVIEW: {
    where: 'tenant-file',
    path: 'rules.cost.codes',
    example: (subject) =>
      yaml('rules:', 'cost:', 'codes:', `${quoted(named(subject))}: { account: "…", mode: post }`),
  },
  UNMAPPED_HOW_PAID: {
    where: 'tenant-file',
    path: 'rules.cost.howPaid',
    example: (subject) => yaml('rules:', 'cost:', 'howPaid:', `${quoted(named(subject))}: "…"`),
  },
  UNMAPPED_DIMENSION: {
    where: 'tenant-file',
    path: 'rules.dimensions.values',
    example: (subject) => {
      const dimension = /^dimension (\S+),/.exec(subject)?.[1] ?? '…';
      return yaml('rules:', 'dimensions:', 'values:', `${dimension}:`, `${quoted(named(subject))}: "…"`);
    },
  },
  FX_RATE_MISSING: {
    where: 'tenant-file',
    path: 'rules.fx.table',
    example: (subject) => {
      const [, currency = '…', day = '…'] = /currency (\S+) on (\S+)/.exec(subject) ?? [];
      return yaml('rules:', 'fx:', 'table:', `${currency}:`, `${day}: "…"`);
    },
  },
  ERP_CONFIGURATION: {
    where: 'either',
    path: 'rules.accounts',
    example: (subject) =>
      `# ${subject}\n# Create it in the ERP, or name another one here:\nrules:\n  accounts: {}`,
  },
  RULES_INVALID: { where: 'tenant-file', path: 'rules', example: () => 'rules: {}' },
};

/** Held documents with such a reason wait for a person, not for time. */
export function isMendedByHand(code: string): boolean {
  return MENDED_IN_FILE[code] !== undefined;
}

export function inboxRows(
  causes: readonly StoredCause[],
  tenant: (name: string) => Tenant | null,
): InboxRow[] {
  const rows = new Map<string, InboxRow>();
  for (const cause of causes) {
    const mending = MENDED_IN_FILE[cause.code];
    if (!mending) continue;
    const subject = subjectOf(cause);
    const id = causeId(cause.code, subject);
    const place = `${cause.tenantName}\n${id}`;
    const known = rows.get(place);
    rows.set(place, {
      id,
      tenantName: cause.tenantName,
      code: cause.code,
      subject,
      sentence: cause.sentence,
      count: (known?.count ?? 0) + cause.count,
      firstSeenAt: earliest([cause.firstSeenAt, known?.firstSeenAt ?? cause.firstSeenAt]),
      lastSeenAt: latest([cause.lastSeenAt, known?.lastSeenAt ?? cause.lastSeenAt]),
      mend: {
        where: mending.where,
        file: tenant(cause.tenantName)?.file ?? '',
        path: mending.path,
        example: mending.example(subject),
      },
    });
  }
  return [...rows.values()].sort((a, b) => b.count - a.count);
}
