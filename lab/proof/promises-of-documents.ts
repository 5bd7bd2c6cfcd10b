// What each document is promised: it is found, it comes to rest with a reason that a person can read, and both sides agree on it.
import { isUncertain } from '../../src/domain/posting.js';
import { contentHash } from '../../src/sync/content-hash.js';
import { postingDate } from '../../src/sync/work.js';
import { membershipOf, summariesOf } from './memory-summary-store.js';
import { originalsOf } from './memory-originals.js';
import type { MemoryRecords, PostingRow } from './memory-records.js';
import { bookedVersion, type LiveEntries, liveEntries, restsSinceBackup } from './promises-of-books.js';
import type { Run } from './run.js';
import { LATE_MS_MAX, type Stored } from './simulated-ledger.js';
import type { SimulatedDocument } from './simulated-source.js';
import { snapshotOf } from './source-snapshot.js';

const VISIBLE = new Set(['held', 'parked', 'orphaned', 'skipped', 'rejected', 'deferred']);
/** Alarms that a late list or an earlier history may raise, so that they tell nothing of this. */
const BESIDE_THE_POINT = ['POSTED_REOPENED', 'FOREIGN_POSTED', 'REVERSAL_UNKNOWN'];

interface Judged {
  readonly document: SimulatedDocument;
  readonly row: PostingRow;
  readonly live: LiveEntries;
  /** Booked in the history that was lost. */
  readonly isForgotten: (entry: Stored) => boolean;
  /** Somebody was told that something is wrong with it. */
  readonly alarmed: boolean;
  /** It is in the journal of its day, and that waits for a person. */
  readonly waitsWithSummary: boolean;
  /** Booked, and the source is told when a person has seen to an original of it. */
  readonly waitsForOriginal: boolean;
}

export function promisesOfDocuments({ records, service, ledger }: Run): string[] {
  // What was finished in a history that was lost stands as it was written, and no list shows it any more.
  const isFinished = ({ guid, accountingStatus }: SimulatedDocument) =>
    records.restoredAt !== null &&
    service.writes.some((write) => write.guid === guid && write.at < (records.restoredAt ?? 0)) &&
    accountingStatus !== 'Created';
  return [...service.documents.values()].flatMap((document) => {
    const row = records.byGuid.get(document.guid);
    if (!row)
      return document.deleted || isFinished(document) ? [] : [`5: ${document.number} was never found`];
    // Of what is in doubt with the journal of its day, people hear by that.
    const ids = [
      row.posting.id,
      isOfSummary(records, row) ? membershipOf(records, row)?.summaryId : undefined,
    ];
    const alarmed = [...records.incidents.values()].some(
      ({ fingerprint, code }) =>
        ids.some((id) => id !== undefined && fingerprint.endsWith(`:${id}`)) &&
        !BESIDE_THE_POINT.includes(code),
    );
    const { id, generation, state, reason } = row.posting;
    const waitsForOriginal =
      state === 'posted' &&
      reason?.code === 'ORIGINALS_AWAITED' &&
      originalsOf(records, id, generation).some((original) => original.state === 'parked');
    const waitsWithSummary = isOfSummary(records, row);
    const live = liveEntries(ledger, row);
    const isForgotten = ({ at }: Stored) => at < (records.restoredAt ?? -LATE_MS_MAX) + LATE_MS_MAX;
    const judged = { document, row, live, alarmed, isForgotten, waitsForOriginal, waitsWithSummary };
    if (restsSinceBackup(records, row)) return [];
    if (document.deleted) return ofDeleted(judged);
    const begunAnew = records.reopenings.get(document.guid) ?? 0;
    // A list that is late by itself cannot be told from a reopening; it does no harm, but it counts.
    const reopened =
      service.listsLate.has(document.guid) || begunAnew <= (service.reopenings.get(document.guid) ?? 0);
    return [
      ...ofExisting(judged),
      ...(isFinished(document) ? [] : ofDecided(judged)),
      ...(reopened ? [] : [`9: ${document.number} was begun anew ${begunAnew} times, by nobody's wish`]),
    ];
  });
}

/** It is in the journal of its day, or waits behind it, and a person sees to that. */
function isOfSummary(records: MemoryRecords, row: PostingRow): boolean {
  const { kind, state, reason } = row.posting;
  const member = membershipOf(records, row);
  const own = records.rows.get(member?.summaryId ?? '');
  const isReadyForSummary =
    state === 'mapped' && reason?.code === 'AWAITS_SUMMARY' && (kind === 'invoice' || kind === 'cost');
  const before = isReadyForSummary
    ? summariesOf([...records.rows.values()], kind, postingDate(row.posting))
    : [];
  return [...(own && state === 'posting' ? [own] : []), ...before].some(
    ({ posting }) => ['parked', 'held'].includes(posting.state) && posting.reason !== null,
  );
}

function ofDeleted({ document, row, live, alarmed }: Judged): string[] {
  const broken: string[] = [];
  if (live.mains.length > 0 && !alarmed && !isHalfWay(row))
    broken.push(`5: ${document.number} was deleted after it was booked and nobody was told`);
  if (['skipped', 'held', 'parked', 'deferred'].includes(row.posting.state) && row.sourceStatus === 'Created')
    broken.push(`9: ${document.number} counts as handed over, and is deleted`);
  return broken;
}

/** It is not known what became of a reversal, and the operator has heard so. */
function isHalfWay({ attempts }: PostingRow): boolean {
  return attempts.some((attempt) => attempt.part === 'reversal' && isUncertain(attempt));
}

function wasReversed({ attempts }: PostingRow): boolean {
  return attempts.some(({ part, outcome }) => part === 'reversal' && outcome === 'posted');
}

/** Of an edit that changes no line of the entry, an entry that the database has forgotten tells nothing. */
function isLike({ amount, amounts }: SimulatedDocument, version: number): boolean {
  return amounts[version - 1] === amount;
}

/** An operator was shown it as it is now beside the entry that stands for it, and accepted what differs. */
function isMarkedAsItIs(document: SimulatedDocument, { posting, isMarked }: PostingRow): boolean {
  return isMarked === true && posting.contentHash === contentHash(document.kind, snapshotOf(document, {}));
}

function ofExisting({
  document,
  row,
  live,
  alarmed,
  isForgotten,
  waitsForOriginal,
  waitsWithSummary,
}: Judged): string[] {
  const { number, accountingStatus } = document;
  const { state, reason, settlement } = row.posting;
  // It is in the books, and a person has it in New: they were told, and it is said when it is approved.
  const isReopened = state === 'posted' && accountingStatus === 'New' && alarmed;
  const broken: string[] = [];
  if (accountingStatus === 'Posted' && live.mains.length !== 1 && !wasReversed(row) && !isHalfWay(row))
    broken.push(`2: ${number} is Posted with ${live.mains.length} entries`);
  if (state === 'acknowledged') {
    if (accountingStatus !== 'Posted')
      broken.push(`2: ${number} is acknowledged but ${accountingStatus} at the source`);
    if (live.mains.length !== 1 && !isHalfWay(row))
      broken.push(`2: ${number} is acknowledged with ${live.mains.length} entries`);
    // What a person has marked as posted is settled by them, or by what follows the payments.
    const mayDiffer = row.isMarked === true || wasReversed(row) || isHalfWay(row);
    if (settlement !== null && live.settlements.length !== 1 && !mayDiffer)
      broken.push(`3: ${number} is acknowledged with ${live.settlements.length} settlements`);
    const [entry] = live.mains;
    const version = entry ? bookedVersion(entry, document) : document.version;
    if (
      entry &&
      version !== document.version &&
      !alarmed &&
      !(isForgotten(entry) && isLike(document, version)) &&
      !isMarkedAsItIs(document, row)
    )
      broken.push(`2: ${number} was edited after it was booked and nobody was told`);
  } else if (
    state !== 'reversed' &&
    !(VISIBLE.has(state) && reason !== null) &&
    !waitsForOriginal &&
    !waitsWithSummary &&
    !isReopened
  )
    broken.push(`5: ${number} rests as ${state} without a reason`);
  return broken;
}

const WRITTEN = { skipped: 'Skipped', rejected: 'Error' } as const;

/** What was skipped or refused stands so at the source too, and what a person has reopened since was taken up again. */
function ofDecided({ document, row, alarmed }: Judged): string[] {
  const { number, accountingStatus } = document;
  const { state, reason } = row.posting;
  if (state !== 'skipped' && state !== 'rejected') {
    const isDecided = accountingStatus === 'Skipped' || accountingStatus === 'Error';
    // Whoever marked it was told that the source did not take Posted.
    return isDecided && state === 'deferred' && row.isMarked !== true
      ? [`9: ${number} is ${accountingStatus} and rests as deferred`]
      : [];
  }
  const broken: string[] = [];
  const byOperator = reason?.code === 'SKIPPED_BY_OPERATOR';
  // Whoever skips what cannot be read is not told anything of it by the source, nor can tell it.
  const isUntold = document.isGarbled === true && byOperator;
  if (accountingStatus === 'Created' && !alarmed && !isUntold)
    broken.push(`9: ${number} is Created at the source, and rests as ${state}`);
  if (row.sourceStatus === 'Created' && accountingStatus !== 'Created')
    broken.push(`9: ${number} counts as handed over, and is ${accountingStatus}`);
  const differs = accountingStatus !== WRITTEN[state] && !['Created', 'New'].includes(accountingStatus);
  // Error that stands there since before, or Posted of an entry that was reversed, and a person was told that it could not be changed.
  const isKnown =
    alarmed && (accountingStatus === 'Error' || (accountingStatus === 'Posted' && wasReversed(row)));
  if (differs && !byOperator && !isKnown)
    broken.push(`9: ${number} is ${accountingStatus}, and rests as ${state}`);
  return broken;
}
