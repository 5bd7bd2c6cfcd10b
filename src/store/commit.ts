// Commits of the pipeline as one SQL statement, however many documents they belong to. The compare-and-set on (id, state, fence) comes
// first and everything else joins the rows that it returned: a process that lost its lease changes nothing, and one round trip is the
// whole transaction. The statement holds only the parts that these commits need, because PostgreSQL sets up every part of a statement
// each time; few combinations occur, and each is planned once per connection.
// All parts see the rows as they were before, and a statement changes a row once: a posting that moves here is not woken here as well.
import { say } from '../language/say.js';
import type { ClaimedPosting, PostingChange } from '../sync/posting-records.js';
import type { BoundStatement, Statement } from './db.js';
import { newId } from './ids.js';
import { RESOLVED_BY, STAYS_OPEN } from './incidents.js';
import { paramsText, storable } from './storable.js';

/** What the statement returns for each row that moved. A row that is missing had lost its lease. */
export interface Committed {
  readonly n: number;
  /** Of the attempt that was begun. */
  readonly attempt_number: number | null;
}

// ---- The lists of the statement: one row for each posting, and one for each thing that changes with it. `n` joins them.

interface TypeScriptOf {
  readonly int: number;
  readonly float8: number;
  readonly bool: boolean;
  readonly uuid: string;
  readonly text: string;
  readonly numeric: string;
  readonly 'text[]': readonly string[];
  /** The number of a long text, see LongTexts. */
  readonly long: number;
}
type Columns = Readonly<Record<string, keyof TypeScriptOf>>;
/** What is absent is NULL. */
type Row<List extends Columns> = { readonly n: number } & {
  readonly [Name in keyof List]?: TypeScriptOf[List[Name]] | null | undefined;
};

const POSTING = {
  ...{ n: 'int', id: 'uuid', old_state: 'text', old_fence: 'int', actor: 'text', to_state: 'text' },
  ...{ set_reason: 'bool', reason: 'text', reason_subject: 'text', reason_params: 'text' },
  ...{ tries: 'int', set_due: 'bool', due_ms: 'float8', release: 'bool', lease_ms: 'float8' },
  ...{ judged_by: 'text', content_hash: 'text', wakes: 'bool' },
  ...{ is_mapped: 'bool', rules_version: 'text', journal: 'long', settlement: 'long', trace: 'long' },
  ...{ warnings: 'text[]', document_no: 'text', posting_date: 'text', total_isk: 'numeric' },
  ...{ booked_ms: 'float8', part: 'text', reference: 'text', erp_number: 'text' },
} as const satisfies Columns;

const DOCUMENT = {
  ...{ n: 'int', status: 'text', snapshot: 'long', content_hash: 'text', number: 'text', amount: 'numeric' },
  ...{ currency: 'text', issue_date: 'text', name: 'text', kennitala: 'text', refer_guid: 'text' },
} as const satisfies Columns;

const ATTEMPT = {
  ...{ n: 'int', act: 'text', id: 'uuid', part: 'text', key: 'text', request: 'long', send_by_ms: 'float8' },
  ...{ outcome: 'text', message: 'text', reference: 'text' },
} as const satisfies Columns;

const WRITE_BACK = {
  ...{ n: 'int', act: 'text', id: 'uuid', wanted: 'text', message: 'text', answer: 'text' },
} as const satisfies Columns;

const AUDIT = { n: 'int', action: 'text', why: 'text', details: 'text' } as const satisfies Columns;

const LISTS = { posting: POSTING, audit: AUDIT, document: DOCUMENT, attempt: ATTEMPT, writeBack: WRITE_BACK };
type ListName = keyof typeof LISTS;

export interface CommitRows {
  readonly posting: Row<typeof POSTING>;
  readonly document?: Row<typeof DOCUMENT> | undefined;
  readonly attempt?: Row<typeof ATTEMPT> | undefined;
  readonly writeBack?: Row<typeof WRITE_BACK> | undefined;
  readonly audit: readonly Row<typeof AUDIT>[];
}

/**
 * Journals, traces, snapshots and requests go beside the rows, as one text: inside the rows every quote would be escaped, and the
 * server would read each text three times. A row holds the number of its text.
 */
export class LongTexts {
  /** Between two texts. All of them are JSON, where this character occurs as an escape only. */
  static readonly BETWEEN = '\u001e';
  readonly #texts: string[] = [];

  /** The number of the text, as SQL counts; none for a text that is absent. */
  add(text: string | null | undefined): number | undefined {
    if (text === null || text === undefined) return undefined;
    const { BETWEEN } = LongTexts;
    return this.#texts.push(text.includes(BETWEEN) ? text.replaceAll(BETWEEN, String.raw`\u001e`) : text);
  }

  get isEmpty(): boolean {
    return this.#texts.length === 0;
  }

  joined(): string {
    return this.#texts.join(LongTexts.BETWEEN);
  }
}

// ---- The rows of one commit.

export function commitRows(
  n: number,
  actor: string,
  { posting, attempt, writeBack }: ClaimedPosting,
  given: PostingChange,
  long: LongTexts,
): CommitRows {
  const change = storable(given);
  return {
    posting: postingRow(n, actor, posting, change, long),
    document: documentRow(n, change, long),
    attempt: attemptRow(n, attempt, change.attempt, long),
    writeBack: writeBackRow(n, writeBack, change.writeBack),
    audit: auditRows(n, posting.state, change),
  };
}

function postingRow(
  n: number,
  actor: string,
  posting: ClaimedPosting['posting'],
  change: PostingChange,
  long: LongTexts,
): CommitRows['posting'] {
  const { mapped, reference, reason } = change;
  return {
    n,
    id: posting.id,
    old_state: posting.state,
    old_fence: posting.fence,
    actor,
    to_state: change.to,
    set_reason: reason !== undefined,
    reason: reason?.code,
    reason_subject: reason?.subject,
    reason_params: reason ? paramsText(reason.params) : undefined,
    tries: change.tries,
    set_due: change.dueInMs !== undefined,
    due_ms: change.dueInMs,
    release: change.release ?? false,
    judged_by: change.judgedBy,
    lease_ms: change.leaseMs,
    content_hash: change.document?.contentHash,
    wakes: change.wakeDependents ?? false,
    is_mapped: mapped && true,
    rules_version: mapped?.rulesVersion,
    journal: long.add(mapped?.journal),
    settlement: long.add(mapped?.settlement),
    trace: long.add(mapped?.trace),
    warnings: mapped?.warnings,
    document_no: mapped?.documentNo,
    posting_date: mapped?.postingDate,
    total_isk: mapped?.totalIsk,
    booked_ms: change.bookedMsAgo,
    part: reference?.part,
    reference: reference && JSON.stringify(reference.reference),
    erp_number:
      reference?.part === 'main' ? (reference.reference.number ?? reference.reference.id) : undefined,
  };
}

function documentRow(
  n: number,
  { document, sourceStatus }: PostingChange,
  long: LongTexts,
): CommitRows['document'] {
  if (!document) return sourceStatus === undefined ? undefined : { n, status: sourceStatus };
  return {
    n,
    status: document.sourceStatus,
    snapshot: long.add(document.snapshot),
    content_hash: document.contentHash,
    number: document.number,
    amount: document.amount,
    currency: document.currency,
    issue_date: document.issueDate,
    name: document.counterpartyName,
    kennitala: document.counterpartyKennitala,
    refer_guid: document.referGuid,
  };
}

function attemptRow(
  n: number,
  attempt: ClaimedPosting['attempt'],
  change: PostingChange['attempt'],
  long: LongTexts,
): CommitRows['attempt'] {
  switch (change?.act) {
    case undefined:
      return undefined;
    case 'begin': {
      const { act, part, key, request, sendByMs } = change;
      return { n, act, id: newId(), part, key, request: long.add(request), send_by_ms: sendByMs };
    }
    case 'resend':
      return { n, act: 'resend', id: existing(attempt).id, send_by_ms: change.sendByMs };
    case 'finish':
      return {
        n,
        act: 'finish',
        ...(change.reversal === undefined ? { id: existing(attempt).id } : { key: change.reversal }),
        outcome: change.outcome,
        message: change.message,
        reference: change.reference ? JSON.stringify(change.reference) : undefined,
      };
  }
}

/** A write-back that has no row yet. */
export const isNew = (act: string | null | undefined): boolean => act === 'decide' || act === 'told';

function writeBackRow(
  n: number,
  writeBack: ClaimedPosting['writeBack'],
  change: PostingChange['writeBack'],
): CommitRows['writeBack'] {
  if (!change) return undefined;
  if (change.act === 'decide' || change.act === 'told')
    return { n, act: change.act, id: newId(), wanted: change.wanted, message: change.message };
  const answer = 'answer' in change ? change.answer : undefined;
  return { n, act: change.act, id: existing(writeBack).id, answer };
}

/** A change of a row that does not exist would change nothing, and nobody would notice. */
function existing<T>(row: T | null): T {
  if (row === null) throw new Error('There is no attempt or write-back on record that this could change.');
  return row;
}

/** One entry per move: a document that was booked and acknowledged in one commit made two. */
function auditRows(n: number, from: string, change: PostingChange): CommitRows['audit'] {
  const { to, attempt, writeBack, details } = change;
  // To look at a posting and release it unchanged is no event.
  if (to === undefined && attempt === undefined && writeBack === undefined && details === undefined)
    return [];
  const facts = auditDetails(from, change);
  if (change.bookedMsAgo === undefined) return [auditRow(n, change, facts)];
  return [
    auditRow(n, { action: 'posted' }, { ...facts, to: 'posted' }),
    auditRow(n, change, { from: 'posted', to }),
  ];
}

function auditRow(n: number, { action, why }: PostingChange, details: object) {
  return { n, action: `posting.${action}`, why, details: JSON.stringify(details) };
}

function auditDetails(from: string, change: PostingChange): Readonly<Record<string, unknown>> {
  const { to, reason, attempt, writeBack } = change;
  return {
    ...(to && { from, to }),
    ...(reason && { reason: reason.code, about: reason.subject }),
    ...(attempt?.act === 'finish' && { outcome: attempt.outcome }),
    ...(writeBack && 'wanted' in writeBack && { wanted: writeBack.wanted }),
    ...change.details,
  };
}

// ---- The parts of the statement.

const MS = "interval '1 millisecond'";
const quoted = (texts: readonly string[]) =>
  texts.map((text) => `'${text.replaceAll("'", "''")}'`).join(', ');

/** What resolves an incident about a document, by the state that the document arrived in. */
const resolvedBy = (write: (reason: (typeof RESOLVED_BY)[keyof typeof RESOLVED_BY]) => string) =>
  Object.entries(RESOLVED_BY)
    .map(([state, reason]) => `WHEN ${quoted([state])} THEN ${quoted([write(reason)])}`)
    .join(' ');

/** Longer than a process takes to read a file that changed. */
const STALE_MS = 10_000;
const JUDGED_BY_REPLACED = `coalesce(i.to_state, p.state) IN ('held', 'deferred') AND i.judged_by <>
      (SELECT t.rules_version FROM tenant t WHERE t.name = p.tenant_name)`;

interface Writing {
  /** The rows of a list, as `alias`. */
  readonly list: (name: ListName, alias: string) => string;
  /** The long text with this number. */
  readonly long: (number: string) => string;
  readonly parameterOfLong: string;
  /** Whether the statement also resolves incidents, which the audit then names. */
  readonly settles: boolean;
}

interface Part {
  /** Whether a commit needs it. */
  readonly needs: (rows: CommitRows) => boolean;
  readonly text: (writing: Writing) => string;
}

const always = () => true;

/** In the order of the statement. `tried` and `told` join a list to the postings that moved, for the parts after them. */
const PARTS = {
  long: {
    needs: () => false,
    text: ({ parameterOfLong }) =>
      `AS MATERIALIZED (SELECT string_to_array(${parameterOfLong}::text, E'\\x1e') AS texts)`,
  },
  input: {
    needs: always,
    text: ({ list }) => `AS (
  SELECT * FROM ${list('posting', 'x')}
  -- Always true. The planner expects one row of this, not a hundred, and looks for each posting instead of reading all of them.
  WHERE n = n + 0)`,
  },
  moved: {
    needs: always,
    text: ({ long }) => `AS (
  UPDATE posting p SET
    state = coalesce(i.to_state, p.state),
    state_since = CASE WHEN i.to_state IS NULL THEN p.state_since ELSE now() END,
    posted_at = CASE WHEN i.to_state = 'posted' THEN now() WHEN i.booked_ms IS NULL THEN p.posted_at ELSE now() - i.booked_ms * ${MS} END,
    acknowledged_at = CASE WHEN i.to_state = 'acknowledged' THEN now() ELSE p.acknowledged_at END,
    reason = CASE WHEN i.set_reason THEN i.reason ELSE p.reason END,
    reason_subject = CASE WHEN i.set_reason THEN i.reason_subject ELSE p.reason_subject END,
    reason_params = CASE WHEN i.set_reason THEN i.reason_params ELSE p.reason_params END,
    -- Of a reason from before reasons were values.
    reason_sentence = CASE WHEN i.set_reason THEN NULL ELSE p.reason_sentence END,
    tries = coalesce(i.tries, p.tries),
    -- A process applies rules that were replaced for as long as it takes to read the new file; no other event wakes what it held by them.
    due_at = CASE WHEN ${JUDGED_BY_REPLACED} THEN now() + ${STALE_MS} * ${MS}
      WHEN i.set_due THEN now() + i.due_ms * ${MS} ELSE p.due_at END,
    lease_owner = CASE WHEN i.release THEN NULL ELSE p.lease_owner END,
    lease_until = CASE WHEN i.release THEN NULL WHEN i.lease_ms IS NULL THEN p.lease_until ELSE now() + i.lease_ms * ${MS} END,
    content_hash = coalesce(i.content_hash, p.content_hash),
    rules_version = CASE WHEN i.is_mapped THEN i.rules_version ELSE p.rules_version END,
    journal = CASE WHEN i.is_mapped THEN ${long('i.journal')} ELSE p.journal END,
    settlement = CASE WHEN i.is_mapped THEN ${long('i.settlement')} ELSE p.settlement END,
    trace = CASE WHEN i.is_mapped THEN ${long('i.trace')} ELSE p.trace END,
    warnings = CASE WHEN i.is_mapped THEN i.warnings ELSE p.warnings END,
    document_no = CASE WHEN i.is_mapped THEN i.document_no ELSE p.document_no END,
    posting_date = CASE WHEN i.is_mapped THEN i.posting_date ELSE p.posting_date END,
    total_isk = CASE WHEN i.is_mapped THEN i.total_isk ELSE p.total_isk END,
    erp_reference = CASE WHEN i.part = 'main' THEN i.reference ELSE p.erp_reference END,
    erp_number = coalesce(i.erp_number, p.erp_number),
    settlement_reference = CASE WHEN i.part = 'settlement' THEN i.reference ELSE p.settlement_reference END
  FROM input i
  WHERE p.id = i.id AND p.state = i.old_state AND p.fence = i.old_fence AND p.lease_until > now()
  RETURNING i.n, p.id, p.document_id, p.tenant_name, p.fence, i.actor, i.to_state, i.wakes)`,
  },
  seen: {
    needs: ({ document }) => document !== undefined,
    text: ({ list, long }) => `AS (
  UPDATE document d SET
    source_status = i.status,
    snapshot = coalesce(${long('i.snapshot')}, d.snapshot),
    content_hash = coalesce(i.content_hash, d.content_hash),
    snapshot_at = CASE WHEN i.snapshot IS NULL THEN d.snapshot_at ELSE now() END,
    number = coalesce(i.number, d.number),
    -- The same amount keeps its digits: 100.00 in place of 100 would be written into every index.
    amount = CASE WHEN i.amount = d.amount THEN d.amount ELSE coalesce(i.amount, d.amount) END,
    currency = coalesce(i.currency, d.currency),
    issue_date = coalesce(i.issue_date, d.issue_date),
    counterparty_name = CASE WHEN coalesce(i.name, '') = '' THEN d.counterparty_name ELSE i.name END,
    counterparty_kennitala = coalesce(i.kennitala, d.counterparty_kennitala),
    refer_guid = coalesce(i.refer_guid, d.refer_guid)
  -- In the order in which a sweep locks the documents that it lists (intake-store.ts), or each could wait for the other.
  FROM (SELECT m.document_id, i.* FROM ${list('document', 'i')} JOIN moved m ON m.n = i.n ORDER BY m.document_id) i
  WHERE d.id = i.document_id)`,
  },
  tried: {
    needs: ({ attempt }) => attempt !== undefined,
    text: ({ list }) => `AS (
  SELECT m.id AS posting_id, m.fence, i.* FROM ${list('attempt', 'i')} JOIN moved m ON m.n = i.n)`,
  },
  begun: {
    needs: ({ attempt }) => attempt?.act === 'begin',
    text: ({ long }) => `AS (
  INSERT INTO attempt (id, posting_id, number, fence, part, key, request, started_at, send_by, sends, last_sent_at)
  SELECT i.id, i.posting_id, coalesce((SELECT max(a.number) FROM attempt a WHERE a.posting_id = i.posting_id), 0) + 1, i.fence, i.part,
         i.key, ${long('i.request')}, now(), now() + i.send_by_ms * ${MS}, 1, now()
  FROM tried i WHERE i.act = 'begin'
  RETURNING posting_id, number)`,
  },
  attempted: {
    needs: ({ attempt }) => attempt !== undefined && attempt.act !== 'begin',
    text: () => `AS (
  UPDATE attempt a SET
    sends = a.sends + (i.act = 'resend')::int,
    last_sent_at = CASE WHEN i.act = 'resend' THEN now() ELSE a.last_sent_at END,
    fence = CASE WHEN i.act = 'resend' THEN i.fence ELSE a.fence END,
    send_by = CASE WHEN i.act = 'resend' THEN now() + i.send_by_ms * ${MS} ELSE a.send_by END,
    outcome = i.outcome,
    message = CASE WHEN i.act = 'finish' THEN i.message ELSE a.message END,
    finished_at = CASE WHEN i.act = 'finish' THEN now() ELSE a.finished_at END,
    erp_reference = coalesce(i.reference, a.erp_reference)
  FROM tried i
  WHERE i.act IN ('resend', 'finish')
    AND a.id = coalesce(i.id, (SELECT r.id FROM attempt r WHERE r.posting_id = i.posting_id AND r.key = i.key ORDER BY r.number DESC LIMIT 1)))`,
  },
  told: {
    needs: ({ writeBack }) => writeBack !== undefined,
    text: ({ list }) => `AS (
  SELECT m.id AS posting_id, i.* FROM ${list('writeBack', 'i')} JOIN moved m ON m.n = i.n)`,
  },
  decided: {
    needs: ({ writeBack }) => isNew(writeBack?.act),
    text: () => `AS (
  INSERT INTO write_back (id, posting_id, number, wanted, message, decided_at, state, sends, sent_at, acknowledged_at)
  SELECT i.id, i.posting_id, coalesce((SELECT max(w.number) FROM write_back w WHERE w.posting_id = i.posting_id), 0) + 1, i.wanted,
         i.message, now(), CASE WHEN i.act = 'told' THEN 'acknowledged' ELSE 'pending' END, (i.act = 'told')::int,
         CASE WHEN i.act = 'told' THEN now() END, CASE WHEN i.act = 'told' THEN now() END
  FROM told i WHERE i.act IN ('decide', 'told'))`,
  },
  written: {
    needs: ({ writeBack }) => writeBack !== undefined && !isNew(writeBack.act),
    text: () => `AS (
  UPDATE write_back w SET
    state = CASE WHEN i.act = 'answered' THEN 'sent' ELSE i.act END,
    sends = CASE WHEN i.act IN ('sent', 'answered') THEN w.sends + 1 WHEN i.act = 'acknowledged' THEN greatest(w.sends, 1) ELSE w.sends END,
    sent_at = CASE WHEN i.act = 'abandoned' THEN w.sent_at WHEN i.act = 'acknowledged' THEN coalesce(w.sent_at, now()) ELSE now() END,
    acknowledged_at = CASE WHEN i.act = 'acknowledged' THEN now() ELSE w.acknowledged_at END,
    answer = coalesce(i.answer, w.answer)
  FROM told i
  WHERE w.id = i.id AND i.act NOT IN ('decide', 'told'))`,
  },
  woken: {
    needs: ({ posting }) => posting.wakes === true,
    text: () => `AS (
  UPDATE posting p SET due_at = now()
  FROM moved m JOIN document o ON o.id = m.document_id
    CROSS JOIN LATERAL (
      SELECT d.id FROM document d WHERE d.tenant_name = o.tenant_name AND d.refer_guid = o.guid AND d.refer_guid <> '' OFFSET 0) d
    CROSS JOIN LATERAL (SELECT w.id FROM posting w WHERE w.document_id = d.id OFFSET 0) w
  -- From what moved to what waits for it, whatever the planner knows of states: the other way each commit reads all that is deferred.
  WHERE m.wakes AND p.id = w.id AND (p.state = 'deferred') IS TRUE AND NOT EXISTS (SELECT 1 FROM input x WHERE x.id = p.id))`,
  },
  settled: {
    needs: ({ posting }) => typeof posting.to_state === 'string' && posting.to_state in RESOLVED_BY,
    text: () => `AS (
  UPDATE incident c SET state = 'resolved', resolved_at = now(), resolved_by = m.actor,
    resolution = CASE m.to_state ${resolvedBy((reason) => JSON.stringify(reason))} END
  FROM moved m
  WHERE m.to_state IN (${quoted(Object.keys(RESOLVED_BY))}) AND c.posting_id = m.id AND c.state <> 'resolved'
    AND c.code NOT IN (${quoted(STAYS_OPEN)})
  RETURNING c.id, c.code, m.to_state, m.actor, m.id AS posting_id, m.tenant_name)`,
  },
  audited: {
    needs: always,
    text: ({ list, settles }) => `AS (
  INSERT INTO audit_entry (chain, actor, action, subject, reason, details)
  SELECT m.tenant_name, m.actor, i.action, m.id::text, i.why, i.details FROM ${list('audit', 'i')} JOIN moved m ON m.n = i.n
  ${settles ? AUDIT_OF_SETTLED : ''})`,
  },
} satisfies Record<string, Part>;
type PartName = keyof typeof PARTS;
const PART_NAMES = Object.keys(PARTS) as PartName[];

const AUDIT_OF_SETTLED = `UNION ALL
  SELECT tenant_name, actor, 'incident.resolved', id::text, CASE to_state ${resolvedBy((reason) => say('en', reason))} END,
         json_build_object('code', code, 'posting', posting_id)::text
  FROM settled`;

// ---- The statement.

export interface CommitStatement extends Statement, BoundStatement {
  readonly name: string;
  readonly values: readonly string[];
}

const LIST_NAMES = Object.keys(LISTS) as ListName[];
/** Postings and audit are always there. */
const LIST_OF: Partial<Record<PartName, ListName>> = {
  seen: 'document',
  tried: 'attempt',
  told: 'writeBack',
};
const combinations = new Map<string, Statement & { readonly name: string }>();

export function commitStatement(rows: readonly CommitRows[], long: LongTexts): CommitStatement {
  const needs = (name: PartName) =>
    name === 'long' ? !long.isEmpty : rows.some((row) => (PARTS[name] as Part).needs(row));
  const parts = PART_NAMES.filter(needs);
  const lists = LIST_NAMES.filter(
    (list) => list === 'posting' || list === 'audit' || parts.some((part) => LIST_OF[part] === list),
  );
  const values = lists.map((list) => JSON.stringify(rows.flatMap<object>((row) => row[list] ?? [])));
  if (!long.isEmpty) values.push(long.joined());
  // A digit for each part: PostgreSQL knows names of up to 63 characters.
  const name = `commit8-${PART_NAMES.map((part) => Number(parts.includes(part))).join('')}`;
  const statement = combinations.get(name) ?? { name, text: textOf(parts, lists) };
  combinations.set(name, statement);
  return { ...statement, values };
}

function textOf(parts: readonly PartName[], lists: readonly ListName[]): string {
  const has = (part: PartName) => parts.includes(part);
  const writing: Writing = {
    settles: has('settled'),
    list: (name, alias) =>
      `json_to_recordset($${String(lists.indexOf(name) + 1)}::json) AS ${alias}(${columnsText(LISTS[name])})`,
    long: has('long') ? (number) => `(SELECT texts FROM long)[${number}]` : () => 'NULL::text',
    parameterOfLong: `$${String(lists.length + 1)}`,
  };
  const written = parts.map((part) => `${part} ${PARTS[part].text(writing)}`);
  const returned = has('begun')
    ? 'SELECT m.n, b.number AS attempt_number FROM moved m LEFT JOIN begun b ON b.posting_id = m.id'
    : 'SELECT m.n, NULL::int AS attempt_number FROM moved m';
  return `WITH ${written.join(',\n')}\n${returned}`;
}

function columnsText(columns: Columns): string {
  return Object.entries(columns)
    .map(([name, type]) => `${name} ${type === 'long' ? 'int' : type}`)
    .join(', ');
}
