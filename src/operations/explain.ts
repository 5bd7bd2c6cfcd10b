// One document: what happened, why it is where it is, and what would move it.
import { sourceOf } from '../sync/follow-up-records.js';
import { coded } from '../language/coded.js';
import { maskSecrets } from '../domain/secret.js';
import type { Message } from '../domain/message.js';
import {
  DECIDED_AGAINST,
  isOutcomeUncertain,
  type PostingState,
  STUCK,
  UNDER_WAY,
} from '../domain/posting.js';
import { isLosslessNumber, parse } from 'lossless-json';
import type { ErpReference } from '../erp/erp-adapter.js';
import { message } from '../language/messages.js';
import { keptText, noteText, say } from '../language/say.js';
import { whyItWaits } from './connections-down.js';
import type { ReadingDeps } from './deps.js';
import { findEntryUrl } from '../erp/registry.js';
import type { StoredDocumentRow, StoredStory } from './records.js';
import { documentView, incidentView, traceView } from './in-words.js';
import { actionsFor } from './replay-verdict.js';
import type { JournalView, Story } from './views/document.js';

export async function explainPosting(
  deps: ReadingDeps,
  postingId: string,
  options: { readonly askSource: boolean },
): Promise<Story> {
  const stored = await deps.records.story(postingId);
  if (!stored) throw coded('DOCUMENT_NOT_FOUND', message('ID_UNKNOWN', { id: postingId }));
  const [facts] = await deps.records.replayFacts([postingId]);
  return {
    document: documentView(deps.language, stored.row),
    sentence: say(deps.language, await situationNow(deps, stored.row)),
    actions: facts ? actionsFor(facts) : [],
    timeline: timelineOf(stored),
    snapshot: stored.snapshot === null ? null : shownRecord(stored.snapshot),
    snapshotAt: stored.snapshotAt,
    sourceNow: options.askSource ? await sourceNow(deps, stored) : null,
    journal: journalOf(stored.journal),
    settlement: journalOf(stored.settlement),
    trace: traceView(deps.language, stored.trace),
    warnings: stored.warnings.map((code) => ({ code, sentence: noteText(deps.language, code) })),
    rulesVersion: stored.rulesVersion,
    erpReference: referenceOf(stored.erpReference),
    settlementReference: referenceOf(stored.settlementReference),
    entryUrl: await entryUrlIn(deps, stored),
    summary: stored.summary,
    members: [...stored.members],
    attempts: stored.attempts.map((attempt) => ({
      ...attempt,
      erpReference: referenceOf(attempt.erpReference),
      request: maskSecrets(attempt.request),
      message: attempt.message === null ? null : maskSecrets(keptText(deps.language, attempt.message)),
    })),
    writeBacks: stored.writeBacks.map((one) => ({
      ...one,
      answer: one.answer === null ? null : maskSecrets(keptText(deps.language, one.answer)),
    })),
    audit: stored.audit,
    incidents: stored.incidents.map((row) => incidentView(deps.language, row)),
  };
}

async function entryUrlIn(
  { connections }: ReadingDeps,
  { row, erpReference }: StoredStory,
): Promise<string | null> {
  const reference = referenceOf(erpReference);
  const tenant = connections.tenant(row.tenantName);
  return reference === null || tenant === null ? null : findEntryUrl(tenant.erp, reference);
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

async function sourceNow(deps: ReadingDeps, stored: StoredStory): Promise<Story['sourceNow']> {
  const { tenantName, kind: booked } = stored.row;
  if (booked === 'summary') return null;
  const { kind, guid } = sourceOf({ kind: booked, guid: stored.row.guid });
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

const SITUATIONS: Readonly<Record<PostingState, (row: StoredDocumentRow) => Message>> = {
  discovered: () => message('DOCUMENT_DISCOVERED'),
  mapped: (row) => (isOfDay(row) ? because(row) : message('DOCUMENT_MAPPED')),
  posting: (row) =>
    isOfDay(row)
      ? because(row)
      : message(isOutcomeUncertain(row) ? 'DOCUMENT_UNCERTAIN' : 'DOCUMENT_POSTING'),
  posted: (row) => (row.reason === null ? message('DOCUMENT_POSTED') : because(row)),
  writing_back: () => message('DOCUMENT_WRITING_BACK'),
  acknowledged: ({ erpNumber }) =>
    message('DOCUMENT_ACKNOWLEDGED', erpNumber === null ? {} : { entry: erpNumber }),
  deferred: because,
  held: because,
  parked: because,
  skipped: ({ reason }) => message('DOCUMENT_SKIPPED', { reason: reason ?? message('NO_REASON') }),
  rejected: because,
  orphaned: because,
  reversed: () => message('DOCUMENT_REVERSED'),
};

const OF_DAY = new Set(['AWAITS_SUMMARY', 'IN_SUMMARY', 'SUMMARY_WAITS']);

/** It waits for the journal of its day, or goes with it. */
function isOfDay({ reason }: StoredDocumentRow): boolean {
  return OF_DAY.has(reason?.code ?? '');
}

function because({ reason }: StoredDocumentRow): Message {
  const cure = message('CURE', { reason: reason?.code ?? '' });
  return message('SENTENCES', { said: [reason ?? message('NO_REASON'), cure] });
}

export function situationOf(row: StoredDocumentRow): Message {
  const isDecided = (DECIDED_AGAINST as readonly PostingState[]).includes(row.state);
  if (isDecided && row.sourceStatus === 'New') return message('DOCUMENT_MOVED_TO_NEW');
  return SITUATIONS[row.state](row);
}

/** What is on its way moves only if its tenant may work and both sides answer. */
async function situationNow({ records }: ReadingDeps, row: StoredDocumentRow): Promise<Message> {
  const situation = situationOf(row);
  if (!UNDER_WAY.includes(row.state)) return situation;
  const why = whyItWaits(
    row,
    (await records.tenants()).find(({ name }) => name === row.tenantName),
  );
  if (why === null) return situation;
  const isUntouched = row.state === 'discovered' || row.state === 'mapped';
  return isUntouched ? why : message('SENTENCES', { said: [situation, why] });
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
  const stuck = STUCK.includes(row.state);
  return moments.map(({ step, at }, index) => ({
    step,
    at,
    state: at !== null ? 'done' : index > firstOpen ? 'ahead' : stuck ? 'failed' : 'now',
  }));
}
