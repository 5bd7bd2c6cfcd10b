// One document: what happened, why it is where it is, and what would move it.
import { maskSecrets } from '../domain/secret.js';
import type { PostingState } from '../domain/posting.js';
import { isLosslessNumber, parse } from 'lossless-json';
import { CodedError } from '../domain/errors/coded-error.js';
import type { ErpReference } from '../erp/erp-adapter.js';
import { cureText, say } from '../language/say.js';
import type { TraceEntry } from '../pipeline/mapping/trace.js';
import { whyItWaits } from './connections-down.js';
import type { OperationsDeps } from './deps.js';
import type { StoredDocumentRow, StoredStory } from './records.js';
import { documentView, warningView } from './reason-tables.js';
import { replayVerdict, type ReplayFacts } from './replay-verdict.js';
import type { Action, JournalView, Story } from './views/document.js';

export async function explainPosting(
  deps: OperationsDeps,
  postingId: string,
  options: { readonly askSource: boolean },
): Promise<Story> {
  const stored = await deps.records.story(postingId);
  if (!stored) throw new CodedError('DOCUMENT_NOT_FOUND', `No document has the id ${postingId}.`);
  const [facts] = await deps.records.replayFacts([postingId]);
  return {
    document: documentView(stored.row),
    sentence: await sentenceNow(deps, stored.row),
    actions: facts ? actionsFor(facts) : [],
    timeline: timelineOf(stored),
    snapshot: stored.snapshot === null ? null : shownRecord(stored.snapshot),
    snapshotAt: stored.snapshotAt,
    sourceNow: options.askSource ? await sourceNow(deps, stored) : null,
    journal: journalOf(stored.journal),
    settlement: journalOf(stored.settlement),
    trace: stored.trace === null ? [] : (JSON.parse(stored.trace) as TraceEntry[]),
    warnings: stored.warnings.map(warningView),
    rulesVersion: stored.rulesVersion,
    erpReference: referenceOf(stored.erpReference),
    settlementReference: referenceOf(stored.settlementReference),
    attempts: stored.attempts.map((attempt) => ({
      ...attempt,
      erpReference: referenceOf(attempt.erpReference),
      request: maskSecrets(attempt.request),
      message: attempt.message === null ? null : maskSecrets(attempt.message),
    })),
    writeBacks: [...stored.writeBacks],
    audit: stored.audit,
    incidents: stored.incidents,
  };
}

function referenceOf(text: string | null): ErpReference | null {
  return text === null ? null : (JSON.parse(text) as ErpReference);
}

function journalOf(text: string | null): JournalView | null {
  return text === null ? null : (JSON.parse(text) as JournalView);
}

/** Numbers as text with every digit; attachments were never stored. */
function shownRecord(snapshot: string): Record<string, unknown> {
  return asText(parse(snapshot)) as Record<string, unknown>;
}

function asText(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asText);
  if (typeof value !== 'object' || value === null) return value;
  if (isLosslessNumber(value)) return value.value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, asText(inner)]));
}

async function sourceNow(deps: OperationsDeps, stored: StoredStory): Promise<Story['sourceNow']> {
  const { tenantName, kind, guid } = stored.row;
  const { source } = await deps.connections.get(tenantName);
  const fetched = await source.get(kind, guid);
  if (fetched.outcome === 'gone') return { status: 'deleted', changes: [] };
  if (fetched.outcome === 'unreadable') return { status: 'unreadable', changes: [] };
  const before = stored.snapshot === null ? {} : shownRecord(stored.snapshot);
  const now = shownRecord(fetched.snapshot);
  const fields = [...new Set([...Object.keys(before), ...Object.keys(now)])];
  const changes = fields.flatMap((field) => {
    const [old, current] = [shownValue(before[field]), shownValue(now[field])];
    return stored.snapshot === null || old === current ? [] : [{ field, before: old, now: current }];
  });
  return { status: fetched.document.accountingStatus, changes };
}

const VALUE_CHARACTERS_MAX = 500;

function shownValue(value: unknown): string {
  const text = typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value);
  return text.slice(0, VALUE_CHARACTERS_MAX);
}

const SENTENCES: Readonly<Record<PostingState, (row: StoredDocumentRow) => string>> = {
  discovered: () => 'It was found and waits for its turn; nothing has to be done.',
  mapped: () => 'Its journal is made and waits to be sent to the ERP; nothing has to be done.',
  posting: (row) =>
    row.tries > 0
      ? 'It may have reached the ERP; the bridge is finding out and posts it only if it is surely not there.'
      : 'Its journal is on the way to the ERP.',
  posted: () => 'It is in the books; the source is told next.',
  writing_back: () => 'It is in the books, and Posted is being written at the source.',
  acknowledged: (row) => `It is in the books as ${row.erpNumber ?? 'an entry'}, and the source says Posted.`,
  deferred: because,
  held: because,
  parked: because,
  skipped: (row) => `It is not booked: ${reasonSentence(row)}`,
  rejected: because,
  orphaned: because,
  reversed: () => 'Its entry was reversed. Repost it if it belongs in the books after all.',
};

function reasonSentence(row: StoredDocumentRow): string {
  return row.reason ? say('en', row.reason) : 'no reason is on record.';
}

function because(row: StoredDocumentRow): string {
  return `${reasonSentence(row)} ${cureText('en', row.reason?.code ?? '')}`;
}

export function sentenceFor(row: StoredDocumentRow): string {
  const moved = ['skipped', 'rejected'].includes(row.state) && row.sourceStatus === 'New';
  if (moved) return 'It was moved to New at the source, and comes back by itself when it is approved there.';
  return SENTENCES[row.state](row);
}

/** What is on its way moves only if its tenant may work and both sides answer. */
async function sentenceNow({ records }: OperationsDeps, row: StoredDocumentRow): Promise<string> {
  const sentence = sentenceFor(row);
  if (!UNDER_WAY.includes(row.state)) return sentence;
  const why = whyItWaits(
    row,
    (await records.tenants()).find(({ name }) => name === row.tenantName),
  );
  if (why === null) return sentence;
  return row.state === 'discovered' || row.state === 'mapped' ? why : `${sentence} ${why}`;
}

const UNDER_WAY: readonly PostingState[] = ['discovered', 'mapped', 'posting', 'posted', 'writing_back'];
const HOLDABLE: readonly PostingState[] = ['discovered', 'deferred', 'mapped', 'held'];
const SKIPPABLE: readonly PostingState[] = ['discovered', 'mapped', 'deferred', 'held', 'parked'];
const MARKABLE: readonly PostingState[] = [
  'discovered',
  'mapped',
  'deferred',
  'held',
  'parked',
  'skipped',
  'rejected',
];
const REVERSIBLE: readonly PostingState[] = ['posted', 'acknowledged', 'parked', 'orphaned'];

export function actionsFor(facts: ReplayFacts): Action[] {
  if (facts.leased) return [];
  const actions: Action[] = [];
  const verdict = replayVerdict(facts, { surelyAbsent: false });
  if (verdict.eligible) actions.push('replay');
  else if (verdict.instead !== null && verdict.instead !== 'reverse') actions.push(verdict.instead);
  const untouched = !facts.mainPosted && !facts.attemptUncertain;
  if (SKIPPABLE.includes(facts.state) && untouched) actions.push('skip');
  if (HOLDABLE.includes(facts.state) && !facts.held) actions.push('hold');
  if (MARKABLE.includes(facts.state) && !facts.allPosted) actions.push('mark-posted');
  if (REVERSIBLE.includes(facts.state) && facts.mainPosted) actions.push('reverse');
  return [...new Set(actions)];
}

function timelineOf({ row, attempts, journal, writeBacks }: StoredStory): Story['timeline'] {
  const mappedAt = journal === null ? null : (attempts[0]?.startedAt ?? null);
  const moments = [
    { step: 'found', at: row.discoveredAt },
    { step: 'mapped', at: mappedAt ?? (journal === null ? null : row.stateSince) },
    { step: 'sent', at: attempts.findLast(({ part }) => part === 'main')?.startedAt ?? null },
    { step: 'posted', at: row.postedAt },
    { step: 'written-back', at: row.acknowledgedAt ?? writeBacks.at(-1)?.acknowledgedAt ?? null },
  ] as const;
  const firstOpen = moments.findIndex(({ at }) => at === null);
  const stuck = ['parked', 'rejected', 'orphaned', 'held'].includes(row.state);
  return moments.map(({ step, at }, index) => ({
    step,
    at,
    state: at !== null ? 'done' : index > firstOpen ? 'ahead' : stuck ? 'failed' : 'now',
  }));
}
