// The promises, checked on what a run left behind. Each broken one is a sentence with the document's number.
import { TRIES_MAX, WAITS_MS } from '../../src/sync/back-off.js';
import type { MemoryRecords, PostingRow } from './memory-records.js';
import type { Outage } from './outages.js';
import { promisesOfSubmissions } from './outgoing/promises-of-submissions.js';
import { promisesOfBooks, mainsOf, restsSinceBackup } from './promises-of-books.js';
import { promisesOfDocuments } from './promises-of-documents.js';
import type { Run } from './run.js';
import { refusedBySpecification } from './specification/check-history.js';
import { isSettled } from '../../src/domain/original.js';
import { isSourceKind } from '../../src/domain/source-document.js';
import { IN_BOOKS, originalsOf } from './memory-originals.js';
import { type Decimal, sum } from '../../src/domain/money.js';
import { receivableOf } from '../../src/pipeline/mapping/settle-invoice.js';
import { isDone } from '../../src/sync/follow-up-records.js';
import { settlementKey } from '../../src/domain/posting-key.js';
import { bookedInvoice, paymentsOf, bookedDocument, releasesOf } from './memory-release-store.js';
import type { Stored } from './simulated-ledger.js';
import type { SimulatedDocument } from './simulated-source.js';
import { releaseDays } from '../../src/pipeline/mapping/map-document.js';

/**
 * Failures that open its breaker, some that were under way meanwhile, the probes of a quarter of an hour; and all that once more, since a
 * process that was stopped may come with good news from before, which closes the breaker.
 */
const ASKED_WHILE_DOWN_MAX = 25;

export function brokenPromises(run: Run): string[] {
  const { records, service, outages } = run;
  const broken = [...ofTenant(run), ...(run.neighbour ? ofTenant(run.neighbour) : [])];
  for (const write of service.writes) {
    // A decision of the history that was lost is on record nowhere.
    if (write.at < (records.restoredAt ?? 0)) continue;
    const row = records.byGuid.get(write.guid);
    // It is in the books, and the database refuses to hear of it.
    if (row && hasRefusedEntry(records, row)) continue;
    if (!row?.writeBacks.some((decided) => decided.wanted === write.status))
      broken.push(`7: ${write.guid} was set to ${write.status} without a decision on record`);
  }
  broken.push(...outages.flatMap((outage) => askedWhileDown(outage)));
  broken.push(...givenUp(run), ...foundLate(run), ...untold(run), ...readInVain(run));
  if (records.runs.some(({ state }) => state !== 'done')) broken.push('10: a replay was never worked off');
  broken.push(...ofStranger(run), ...promisesOfSubmissions(run));
  broken.push(...refusedBySpecification(run));
  return broken;
}

/** Nothing of another company is in these records, and nothing was written to it. */
function ofStranger({ stranger, records }: Run): string[] {
  if (!stranger) return [];
  const taken = [...stranger.documents.keys()].filter((guid) => records.byGuid.has(guid));
  return [
    ...taken.map((guid) => `31: ${guid} of another company is in the records of this one`),
    ...stranger.writes.map(({ guid, status }) => `31: ${guid} of another company was set to ${status}`),
  ];
}

function askedWhileDown({ side, asked, how, attaches, forMs }: Outage): string[] {
  if (side !== 'erp') return [];
  const most = 2 + Math.floor(forMs / WAITS_MS.outageMost);
  const files = [...new Set(attaches)].filter((file) => attaches.filter((one) => one === file).length > most);
  return [
    ...(asked > ASKED_WHILE_DOWN_MAX ? [`11: an ERP that was down (${how}) was asked ${asked} times`] : []),
    ...files.map((file) => `11: an ERP that was down (${how}) was offered ${file} more than ${most} times`),
  ];
}

function ofTenant(run: Run): string[] {
  const kinds = [promisesOfBooks, promisesOfDocuments, promisesOfPayments, promisesOfReleases];
  const more = [promisesOfOriginals, promisesOfCredits, promisesOfCancelled, promisesOfMarks];
  const { records, ledger, service } = run;
  return [
    ...records.violations,
    ...ledger.violations,
    ...service.violations,
    ...[...kinds, ...more].flatMap((kind) => kind(run)),
  ];
}

/** Two bridges on one tenant: a few documents are booked twice until one of them finds out, and then it stops. */
export function doubled({ ledger }: Run): string[] {
  const keys = [...new Set(ledger.entries.map(({ key }) => key))];
  return keys.filter((key) => ledger.live(key).length > 1);
}

/** Full sweeps are a quarter of an hour apart where little waits, and sweeps of a quiet bridge up to 37 minutes in a simulated run. */
const FOUND_WITHIN_MS = 80 * 60_000;

/** What was approved late is found, also when a deleted document made up for it in the source's count. */
function foundLate({ service, records }: Run): string[] {
  return [...service.swapped].flatMap(([guid, at]) => {
    const row = records.byGuid.get(guid);
    const foundAfterMs = row ? row.discoveredAt - at : Infinity;
    return foundAfterMs > FOUND_WITHIN_MS
      ? [`13: ${guid} was found after ${foundAfterMs / 60_000} minutes`]
      : [];
  });
}

/**
 * Where a posting in doubt can always be found out about, nothing is left to a person because the bridge has tried enough: unless every
 * try was used up by an answer that was lost, or by a process that ended with it. Those cannot be told from work that ends its process.
 */
function givenUp({ kernel, ledger, records }: Run): string[] {
  if (!['unique-reference', 'look-up', 'look-up-two-step'].includes(ledger.kind)) return [];
  return kernel.trace
    .filter((event) => /→ parked .*(OUTCOME_UNKNOWN|TRIES_EXHAUSTED)/.test(event))
    .filter((event) => !isRefused(records, event.split(' ')[1]))
    .filter((event) => triesUsed(kernel, event) < TRIES_MAX && deathsOver(kernel, event) <= TRIES_MAX)
    .map((event) => `11: given up: ${event}`);
}

function hasRefusedEntry(records: MemoryRecords, { keys }: PostingRow): boolean {
  return keys.some((key) => isRefused(records, key));
}

function isRefused(records: MemoryRecords, key = ''): boolean {
  return records.hasRefused(`${key} main`) || records.hasRefused(`${key} settlement`);
}

/** Since it was last set going: claims that were never given back, and of the others those whose send or resend had no answer. */
function triesUsed({ trace, history }: Run['kernel'], event: string): number {
  const [at = '', key = ''] = event.split(' ');
  const before = trace.slice(0, trace.indexOf(event)).filter((one) => one.includes(key));
  const begun = before.findLastIndex((one) => /parked → posting|→ discovered/.test(one));
  const since = Number((before[begun] ?? '0').split(' ')[0]);
  const leftAt = before.slice(begun + 1).filter((one) => one.endsWith('was left claimed'));
  // A payment goes after its invoice under a key of its own, and uses up tries of the same document.
  const ofDocuments = history.steps.filter((step) => 'key' in step);
  const guid = ofDocuments.find((step) => step.key === key)?.guid;
  const steps = ofDocuments.filter((step) => step.guid === guid && step.at >= since && step.at <= Number(at));
  // By the key too: whoever booked an entry may have lost the answer of the payment that goes after it.
  const sendsOf = (...names: string[]) =>
    steps.flatMap((step) =>
      names.includes(step.what) && 'worker' in step ? [`${step.worker} ${step.key}`] : [],
    );
  // An entry that was answered for and could not be read back is in doubt all the same.
  const known = new Set(sendsOf('refuse', 'book'));
  const left = new Set(leftAt.map((one) => claimedBefore(history, key, Number(one.split(' ')[0]))));
  const isLost = (send: string) => !known.has(send) && !left.has(send.split(' ')[0] ?? '');
  return leftAt.length + sendsOf('intend', 'resend').filter(isLost).length;
}

/** Since it was last set going: processes that died over a submission, which every one of them had claimed. */
function deathsOver({ trace }: Run['kernel'], event: string): number {
  const about = event.slice(event.indexOf(' '), event.search(/ \w+ → /));
  const before = trace.slice(0, trace.indexOf(event)).filter((one) => one.includes(about));
  const begun = before.findLastIndex((one) => one.includes(`${about} parked → `));
  return before.slice(begun + 1).filter((one) => one.endsWith(`${about} was left claimed`)).length;
}

/** Who held the document until the claim of this moment took it over. */
function claimedBefore({ steps }: Run['kernel']['history'], key: string, at: number): string {
  const claims = steps.flatMap((step) =>
    step.what === 'claim' && step.key === key && step.at < at ? [step] : [],
  );
  return claims.at(-1)?.worker ?? '';
}

/** By the table of waits it is read six times in the first hour, and anew whenever a person or a sweep sets it going. */
const READ_IN_VAIN_MAX = 60;

/** What cannot be read is asked for ever more seldom. */
function readInVain({ service: { unread, documents } }: Run): string[] {
  const credited = new Set([...documents.values()].map(({ credits }) => credits));
  const reads = new Map<string, number[]>();
  for (const { guid, at } of unread)
    // Credit notes that wait for it read it too, whenever a sweep lists them.
    if (!credited.has(guid)) reads.set(guid, [...(reads.get(guid) ?? []), at]);
  return [...reads].flatMap(([guid, times]) => {
    const most = Math.max(
      ...times.map((at, index) => times.findLastIndex((one) => one < at + 3_600_000) - index),
    );
    return most > READ_IN_VAIN_MAX
      ? [`16: ${guid}, which cannot be read, was read ${most} times in an hour`]
      : [];
  });
}

/** Error that we wrote ourselves is no reason not to say Posted, where the service lets an invoice go from one to the other; never a cost. */
function untold({ kernel, service, records }: Run): string[] {
  if (!service.reconsiders) return [];
  // Whoever marks a document that stands in Error was told so, and sees that it stays there.
  const marked = new Set([...records.rows.values()].flatMap(({ isMarked, keys }) => (isMarked ? keys : [])));
  return kernel.trace
    .filter((event) => /^\d+ I.*→ parked \(parked WRITE_BACK_REFUSED Error\)$/.test(event))
    .filter((event) => !marked.has(event.split(' ')[1] ?? ''))
    .map((event) => `14: booked, and not told: ${event}`);
}

// What credit notes promise: none is in the books before the invoice that it takes back, and one entry stands for one document only.

export function promisesOfCredits({ service, records, ledger }: Run): string[] {
  return [...service.documents.values()].flatMap(({ guid, number, credits }) => {
    const row = records.byGuid.get(guid);
    const original = credits === undefined ? undefined : service.documents.get(credits);
    if (!row || !original || original.deleted || restsSinceBackup(records, row)) return [];
    const toldAt = service.writes.find(
      (write) => write.guid === original.guid && write.status === 'Posted',
    )?.at;
    const isEarly = mainsOf(ledger, row).some(
      (entry) => entry.byHand === undefined && entry.at < (toldAt ?? Infinity),
    );
    return isEarly ? [`17: ${number} is in the books before ${original.number}, which it takes back`] : [];
  });
}

/** A person has set it aside. */
const BY_A_PERSON = ['HELD_BY_OPERATOR', 'SKIPPED_BY_OPERATOR'];

/** An invoice that was cancelled and the credit note that answers it are booked both, whichever was found first. */
export function promisesOfCancelled({ service, records, ledger }: Run): string[] {
  return service.cancelledPairs.flatMap(({ invoice, note, at }) => {
    const rows = [invoice, note].flatMap((guid) => records.byGuid.get(guid) ?? []);
    const [sold, credited] = rows;
    if (!sold || !credited || rows.some((row) => restsSinceBackup(records, row))) return [];
    if (isForAPerson(credited)) return [];
    const { documentNumber: name, state, reason } = sold.posting;
    // Where the rules skip what nothing answers, a credit note may come too late.
    if (state === 'skipped' && reason?.code === 'CANCELLED')
      return sold.stateSince > at ? [`32: ${name} was skipped, and a credit note answers it`] : [];
    if (isForAPerson(sold)) return [];
    const booked = rows.filter((row) => mainsOf(ledger, row).length > 0).length;
    return booked === 2 ? [] : [`32: of ${name} and its credit note ${booked} are in the books`];
  });
}

function isForAPerson({ posting, attempts }: PostingRow): boolean {
  return (
    BY_A_PERSON.includes(posting.reason?.code ?? '') ||
    attempts.some(({ part }) => part === 'reversal') ||
    ['parked', 'reversed', 'orphaned'].includes(posting.state)
  );
}

/** Of those that are in the books now; one journal of a day stands for all of its documents. */
export function promisesOfMarks({ records }: Run): string[] {
  if (records.summarises) return [];
  const holders = new Map<string, string>();
  const broken: string[] = [];
  for (const { posting } of records.rows.values()) {
    const { reference, state, documentNumber } = posting;
    if (reference === null || state === 'reversed') continue;
    const other = holders.get(reference.id);
    if (other !== undefined) broken.push(`17: ${reference.id} stands for ${other} and for ${documentNumber}`);
    holders.set(reference.id, documentNumber);
  }
  return broken;
}

// What originals are promised: each is at its entry once at most, what counts as attached is there, and all come to rest.

export function promisesOfOriginals({ records, ledger }: Run): string[] {
  if (records.carries === 'nothing') return [];
  const broken: string[] = [];
  for (const [place, times] of ledger.files)
    if (times > 1) broken.push(`14: ${place} is there ${String(times)} times`);
  for (const row of records.originals.values()) {
    const copies = [...ledger.files.keys()].filter((place) => place.startsWith(`${row.reference.id} `));
    // Documents that were booked together have their files at one entry: the hash tells whose it is.
    const ours = copies.filter((place) => place.includes(`-${row.role}-${row.sha256?.slice(0, 12) ?? ''}`));
    if (row.state === 'attached' && ours.length !== 1)
      broken.push(`14: ${row.id} counts as attached and is there ${String(ours.length)} times`);
    if (!isSettled(row.state)) broken.push(`14: ${row.id} rests as ${row.state}`);
  }
  for (const { posting } of records.rows.values())
    if (isSourceKind(posting.kind) && IN_BOOKS.has(posting.state) && posting.reference !== null)
      if (originalsOf(records, posting.id, posting.generation).length === 0)
        broken.push(`14: nobody asked for the original of ${posting.documentNumber}`);
  return broken;
}

// What payments after posting promise: the books have what the invoice shows, no payment stands without its invoice, and whatever
// the books do not follow, a person has decided or can see.

export function promisesOfPayments(run: Run): string[] {
  return [...run.service.documents.values()].flatMap((document) => {
    const row = run.records.byGuid.get(document.guid);
    return document.kind === 'invoice' && row && !restsSinceBackup(run.records, row)
      ? ofInvoice(run, document, row)
      : [];
  });
}

function ofInvoice({ records, ledger }: Run, document: SimulatedDocument, row: PostingRow): string[] {
  const payments = paymentsOf(records, document.guid);
  const live = payments.flatMap(({ keys }) => keys.flatMap((key) => ledger.live(key)));
  const [main] = mainsOf(ledger, row);
  if (live.length > 0 && !main) return [`3: a payment of ${document.number} without its entry`];
  const isFollowed =
    row.posting.state === 'acknowledged' &&
    !document.deleted &&
    document.status !== 'Cancelled' &&
    // What is booked by hand is settled by hand.
    main?.byHand === undefined &&
    !payments.some((payment) => restsSinceBackup(records, payment));
  const known = bookedInvoice(records, document.guid);
  // What a person decided or has to decide, they answer for; a reversal of which nobody knows is one of those.
  if (!main || !isFollowed || known === null || known.isBusy || !known.payments.every(isDone)) return [];
  const settled = row.keys.flatMap((key) => ledger.live(settlementKey(key)));
  const closed = closedBy([...settled, ...live]);
  const owed = receivableOf(main.journal)?.isk.toNumber() ?? 0;
  const wanted =
    document.credits !== undefined
      ? 0
      : document.status === 'Paid'
        ? owed
        : document.isHalfPaid
          ? Math.round(owed / 2)
          : 0;
  return closed.eq(wanted)
    ? []
    : [`15: ${document.number} shows ${wanted} as paid, the books have ${closed.toFixed()}`];
}

function closedBy(entries: readonly Stored[]): Decimal {
  return sum(entries.map(({ journal }) => receivableOf(journal)?.isk.neg() ?? sum([])));
}

// What releases promise: none stands without the entry of its document, and what has come due is released once.

export function promisesOfReleases(run: Run): string[] {
  if (!run.records.spreads) return [];
  return [...run.records.rows.values()].flatMap((row) =>
    row.posting.kind === 'invoice' && !restsSinceBackup(run.records, row) ? ofDocument(run, row) : [],
  );
}

function ofDocument({ records, ledger }: Run, row: PostingRow): string[] {
  const { documentNumber: number, guid, state } = row.posting;
  const releases = releasesOf(records, guid);
  const live = releases.flatMap(({ keys }) => keys.flatMap((key) => ledger.live(key)));
  const [main] = mainsOf(ledger, row);
  if (live.length > 0 && !main) return [`3: a release of ${number} without its entry`];
  const known = bookedDocument(records, 'invoice', guid);
  // What a person decided of a release, or has to decide, they answer for.
  const isFollowed = state === 'acknowledged' && known?.isBusy === false;
  const isTheirs = releases.some(
    (release) =>
      restsSinceBackup(records, release) || !['acknowledged', 'skipped'].includes(release.posting.state),
  );
  const wasSkipped = releases.some(({ posting }) => posting.reason?.code === 'SKIPPED_BY_OPERATOR');
  if (!main || !isFollowed || isTheirs || wasSkipped) return [];
  const waiting = sum([main, ...live].map((entry) => waitingIn(entry)));
  return waiting.isZero() || releaseDays(main.journal).length === 0
    ? []
    : [`16: ${waiting.toFixed()} of ${number} was not released`];
}

function waitingIn({ journal }: Stored): Decimal {
  const own = journal.lines.filter(({ account }) => account === WAITING);
  return sum(own.map(({ debit, credit }) => debit.minus(credit)));
}

const WAITING = '2600';
