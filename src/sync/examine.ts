// Step 3: read the document, map it, and decide. The result is a journal, which is committed with the intent to send it, or a decision: wait,
// skip, reject, or ask a person. The second half is shared with the other kinds of posting (follow-ups.ts, summaries.ts).
import { journalFromJson, keptAsJson } from '../domain/journal-json.js';
import { totalOf } from '../domain/journal.js';
import { plainKennitala } from '../domain/kennitala.js';
import { isSourceKind, type SourceCost, type SourceDocument } from '../domain/source-document.js';
import type { Reason } from '../domain/message.js';
import { marksIn } from '../domain/submission.js';
import type { FetchOutcome } from '../service/invoicing-source.js';
import { incident } from '../language/incidents/incident-text.js';
import { reason } from '../language/messages.js';
import { contentHash } from './content-hash.js';
import { mapDocument } from '../pipeline/mapping/map-document.js';
import type { MappedToPost, MappingOutcome, NotPosted } from '../pipeline/mapping/outcome.js';
import { closingOf, isSummarised } from '../pipeline/mapping/make-journal.js';
import { ublOf } from '../pipeline/mapping/ubl/read-ubl.js';
import { DEFERRED_MAX_MS, FINISH_FIRST_MS, jittered, WAITS_MS } from './back-off.js';
import { lookUpContext } from './mapping-context.js';
import {
  aboutDocument,
  foreignEntryStop,
  isForeign,
  parkBecause,
  skipBecause,
  rejectMessage,
  skipMessage,
} from './outcomes.js';
import type { DocumentFacts, MappedFacts, PostingChange, PostingRecord } from './posting-records.js';
import { findBeforeDecision, mayBeInBooksIncidents } from './restored.js';
import { isRepost, type PostingWork, type Step, weWroteErrorStatus } from './work.js';
import { orphan } from './write-back.js';

export async function examineDocument(work: PostingWork): Promise<Step> {
  const { posting, tenant, deps } = work;
  const fetched = await tenant.source.get(work.sourceKind, posting.guid);
  await deps.breakers.succeeded(tenant.name, 'source');

  if (fetched.outcome === 'gone') return documentIsGone(work);
  if (fetched.outcome === 'unreadable') {
    const why = reason('SOURCE_UNREADABLE', { problem: fetched.problem });
    return commitDecision(work, parkBecause(why));
  }
  const facts = documentFacts(fetched);
  // A posting that is in the books keeps the content that it was made from: every later content is compared with it.
  const seen = posting.reference ? { sourceStatus: facts.sourceStatus } : { document: facts };

  if (fetched.document.accountingStatus === 'Posted' && !isRepost(work)) {
    const foreign = parkBecause(reason('FOREIGN_POSTED'));
    return commitDecision(work, { ...foreign, ...seen, ...(await foreignPosted(work)) });
  }
  // The main entry is in the books: the other part must not be made from another content.
  if (posting.reference && posting.contentHash !== facts.contentHash)
    return commitDecision(work, { ...parkBecause(reason('CONTENT_CHANGED')), ...seen });

  const decided = decidedBefore(work, fetched.document) ?? (await bookedAtOrigin(work, fetched.document));
  if (decided) return commitDecision(work, { ...decided, document: facts });

  const document = await asCreated(work, fetched.document);
  const mayBeCredited = () => creditNoteMayCome(work);
  const context = await lookUpContext({ tenant, store: deps.store, mayBeCredited }, document);
  return applyMapping(work, facts, mapDocument(document, tenant.rules, context));
}

async function documentIsGone(work: PostingWork): Promise<Step> {
  // Deleted while its second part waited: the entry in the books has no document any more.
  if (work.posting.reference) {
    await work.commit({ action: 'orphaned', to: 'parked', reason: reason('ORPHANED'), dueInMs: null });
    return orphan(work);
  }
  // The status `gone` is recorded, so that it no longer counts as waiting, and a list that shows the document again restarts it.
  const why = reason('SOURCE_DELETED');
  return commitDecision(work, { ...skipBecause(why), sourceStatus: 'gone' });
}

/** We wrote Skipped or Error, and an old list showed the document as Created. No person has reopened it, so our decision stays. */
function decidedBefore(
  { claim: { posting, writeBack } }: PostingWork,
  { kind, accountingStatus }: SourceDocument,
): PostingChange | null {
  if (posting.reference || writeBack?.wanted !== accountingStatus || writeBack.state === 'abandoned')
    return null;
  const why = reason('NOT_CREATED', { status: accountingStatus, decided: writeBack.message });
  // The process that wrote the status may have died before it recorded that.
  const read = writeBack.state === 'acknowledged' ? {} : { writeBack: { act: 'acknowledged' } as const };
  const common = { reason: why, dueInMs: null, ...read };
  if (accountingStatus === 'Skipped') return { ...common, action: 'still-skipped', to: 'skipped' };
  // A person may have restarted an invoice in Error. It is mapped again, with the same result.
  return accountingStatus === 'Error' && kind === 'cost'
    ? { ...common, action: 'still-rejected', to: 'rejected' }
    : null;
}

/**
 * An invoice that ledgerbridge created for another system, which books it itself, is not booked again. It is ours if it has our mark and the
 * guid on record; a copy that a person made of it has the mark too, and is booked like any invoice.
 */
async function bookedAtOrigin(work: PostingWork, document: SourceDocument): Promise<PostingChange | null> {
  const { ours } = work.tenant;
  if (!ours || document.kind !== 'invoice' || work.posting.reference) return null;
  const { description, booking, costProvide, terms } = document;
  const marks = marksIn([description, booking, costProvide, terms].join('\n'));
  if (marks.length === 0) return null;
  const { verdict, reference } = await ours.recognise(document, marks);
  switch (verdict) {
    case 'another':
      return null;
    case 'in-doubt': {
      const dueInMs = jittered(WAITS_MS.deferred, work.deps.runtime.random);
      const why = reason('ORIGIN_IN_DOUBT', { reference });
      return { action: 'deferred', to: 'deferred', reason: why, dueInMs };
    }
    case 'ours': {
      const why = reason('BOOKED_AT_ORIGIN', { reference });
      return {
        action: 'skipped',
        to: 'skipped',
        reason: why,
        dueInMs: FINISH_FIRST_MS,
        writeBack: { act: 'decide', wanted: 'Skipped', message: skipMessage(why) },
      };
    }
  }
}

/** A status that we wrote, on a document that a person restarted, counts as Created: Error after a replay, Posted for a repost. */
async function asCreated(work: PostingWork, document: SourceDocument): Promise<SourceDocument> {
  const { accountingStatus, kind } = document;
  const isInvoiceInError = kind === 'invoice' && accountingStatus === 'Error';
  const isOurError = isInvoiceInError && (isRepost(work) || (await weWroteErrorStatus(work)));
  const isOurPosted = accountingStatus === 'Posted' && isRepost(work);
  return isOurError || isOurPosted ? { ...document, accountingStatus: 'Created' } : document;
}

/** Another program may only have set the status. If it also booked an entry under our key, it does so for every document. */
async function foreignPosted(work: PostingWork): Promise<Pick<PostingChange, 'incidents' | 'stopTenant'>> {
  const { posting } = work;
  const { erp } = work.tenant;
  const about = { severity: 'warning', fingerprint: posting.id } as const;
  const alarm = incident('FOREIGN_POSTED', aboutDocument(posting), about);
  if (erp.capabilities.lookUp === 'none' || !isForeign(work)) return { incidents: [alarm] };
  const found = await erp.findByKey(posting.key);
  if (found.outcome !== 'one' && found.outcome !== 'many') return { incidents: [alarm] };
  const stop = foreignEntryStop(work, found.outcome === 'one' ? [found.entry] : found.entries);
  return { ...stop, incidents: [alarm, ...stop.incidents] };
}

// ---- The result of a mapping, for every kind of posting ----

export async function applyMapping(
  work: PostingWork,
  document: DocumentFacts,
  outcome: MappingOutcome,
): Promise<Step> {
  if (outcome.outcome !== 'post') return commitDecision(work, { document, ...decisionOf(work, outcome) });
  if (isForSummary(work, outcome)) {
    // A restored database may lack that the document was booked alone, under earlier rules.
    const known = await findBeforeDecision(work);
    if (known === 'released') return known;
    const mapped = mappedFacts(work, outcome);
    return commitDecision(work, { document, mapped, ...(known ?? awaitSummary(work, outcome)) });
  }
  await rediscover(work);
  // Committed together with the intent (step 4). Nothing has been sent before that, and after a crash the document is mapped again.
  const mapped = mappedFacts(work, outcome);
  work.addToNextCommit({ action: 'mapped', to: 'mapped', reason: null, document, mapped });
  await work.deps.failPoints.reach('after-map');
  return 'continue';
}

function mappedFacts(work: PostingWork, mapped: MappedToPost): MappedFacts {
  const { settlement, trace, warnings } = mapped;
  const { reference, journal: sent } = work.posting;
  // An entry that is in the books keeps the journal that was sent, even if the rules have changed.
  const journal = reference && sent !== null ? journalFromJson(sent) : mapped.journal;
  return {
    rulesVersion: work.tenant.rulesVersion,
    journal: keptAsJson(journal),
    settlement: settlement ? keptAsJson(settlement) : null,
    trace: JSON.stringify(trace),
    warnings: warnings.map((warning) => warning.code),
    documentNo: journal.documentNo,
    postingDate: journal.postingDate,
    totalIsk: totalOf(journal).toFixed(2),
  };
}

/** Reasons of the mapping that no change of the tenant file solves. */
const NEEDS_PERSON = new Set([
  'AMBIGUOUS_VAT',
  'ORIGINAL_NOT_POSTED',
  'MALFORMED_DOCUMENT',
  'JOURNAL_REFUSED',
]);

function decisionOf(
  { posting, deps }: PostingWork,
  { outcome, why, reason: code }: NotPosted,
): PostingChange {
  const { random } = deps.runtime;
  const hasStatus = isSourceKind(posting.kind);
  switch (outcome) {
    case 'defer': {
      const waitedMs =
        code === 'WAIT_FOR_CREDIT_NOTE' ? (cancelledAgeMs(posting) ?? 0) : posting.discoveredAgeMs;
      if (waitedMs > DEFERRED_MAX_MS) return parkBecause(reason('DEFERRED_TOO_LONG', { reason: why }));
      // The other one of a pair (credit note and invoice) usually arrives soon: the wait grows with the time that has passed.
      const isPair = code === 'WAIT_FOR_ORIGINAL' || code === 'WAIT_FOR_CREDIT_NOTE';
      const waitMs = isPair
        ? Math.min(Math.max(waitedMs, WAITS_MS.originalInvoice), WAITS_MS.deferred)
        : WAITS_MS.deferred;
      return { action: 'deferred', to: 'deferred', reason: why, dueInMs: jittered(waitMs, random) };
    }
    case 'park':
      return NEEDS_PERSON.has(code)
        ? { action: 'parked', to: 'parked', reason: why, dueInMs: null }
        : { action: 'held', to: 'held', reason: why, dueInMs: jittered(WAITS_MS.heldRecheck, random) };
    case 'skip':
      if (!hasStatus) return { action: 'skipped', to: 'skipped', reason: why, dueInMs: null };
      // The source must not show Skipped while the main entry is in the books.
      if (posting.reference) return { action: 'parked', to: 'parked', reason: why, dueInMs: null };
      return {
        action: 'skipped',
        to: 'skipped',
        reason: why,
        dueInMs: FINISH_FIRST_MS,
        writeBack: { act: 'decide', wanted: 'Skipped', message: skipMessage(why) },
        ...cancelledSale(posting, why),
      };
    case 'reject':
      if (posting.reference || !hasStatus)
        return { action: 'parked', to: 'parked', reason: why, dueInMs: null };
      return {
        action: 'rejected',
        to: 'rejected',
        reason: why,
        dueInMs: FINISH_FIRST_MS,
        writeBack: { act: 'decide', wanted: 'Error', message: rejectMessage(why) },
        ...cancelledSale(posting, why),
      };
  }
}

// ---- An invoice that was cancelled before it was booked, and its credit note ----

/** How long it has been on record that the invoice was cancelled and has no credit note; null: this is the first time. */
function cancelledAgeMs({ state, reason: why, stateAgeMs }: PostingRecord): number | null {
  const isKnown =
    (state === 'deferred' && why?.code === 'WAIT_FOR_CREDIT_NOTE') ||
    (state === 'held' && why?.code === 'CANCELLED');
  return isKnown ? stateAgeMs : null;
}

/** A cancelled invoice and its credit note are handed over together, so a full list that was begun since then shows both. */
async function creditNoteMayCome({ posting, deps }: PostingWork): Promise<boolean> {
  return cancelledAgeMs(posting) === null || !(await deps.store.hasSeenAllInvoices(posting.id));
}

/** A sale that is booked nowhere is reported to a person. */
function cancelledSale(posting: PostingRecord, why: Reason): Pick<PostingChange, 'incidents'> {
  if (why.code !== 'CANCELLED') return {};
  const { amount = '', currency = '' } = why.params as { amount?: string; currency?: string };
  if (Number(amount) === 0) return {};
  const about = { ...aboutDocument(posting), amount, currency };
  const alarm = incident('CANCELLED_SKIPPED', about, { severity: 'warning', fingerprint: posting.id });
  return { incidents: [alarm] };
}

// ---- The commit of a decision ----

/** Commits that the posting is not sent. Before Skipped or Error is written to the source, there must be no entry in the ERP. */
export async function commitDecision(work: PostingWork, decision: PostingChange): Promise<Step> {
  if (decision.to !== 'skipped' && decision.to !== 'rejected') return commitMove(work, decision);
  const known = await findBeforeDecision(work);
  if (known === 'released') return known;
  if (known) {
    const { writeBack: _notWritten, ...facts } = decision;
    return commitMove(work, { ...facts, ...known });
  }
  const incidents = [...(decision.incidents ?? []), ...mayBeInBooksIncidents(work)];
  return commitMove(work, incidents.length > 0 ? { ...decision, incidents } : decision);
}

async function commitMove(work: PostingWork, change: PostingChange): Promise<Step> {
  const { state, reason: before } = work.posting;
  // How long an invoice waits for its credit note counts from the first time that it waits for it.
  const startsToWait =
    change.reason?.code === 'WAIT_FOR_CREDIT_NOTE' && before?.code !== 'WAIT_FOR_CREDIT_NOTE';
  if (change.to === state && !startsToWait) {
    const { to: _same, ...stays } = change;
    return work.commitAndRelease({ ...stays, tries: 0 });
  }
  await rediscover(work);
  // A decided status is written to the source under the same claim (steps 7 to 9).
  if (change.writeBack?.act === 'decide') return work.commit({ ...change, tries: 0 });
  return work.commitAndRelease({ ...change, tries: 0 });
}

/** Deferred and held postings start again as discovered, so that the audit shows every mapping as a move. */
export async function rediscover(work: PostingWork): Promise<void> {
  if (work.posting.state !== 'discovered') await work.commit({ action: 'looked-again', to: 'discovered' });
}

// ---- Documents that are booked together, one journal per day ----

/** A document that was sent alone before, or is booked again after a reversal, is not part of a summary. */
function isForSummary({ posting, claim, tenant }: PostingWork, { journal }: MappedToPost): boolean {
  const { kind, generation, reference, key } = posting;
  if (!isSourceKind(kind) || generation > 0 || reference !== null || claim.attempt?.key === key) return false;
  return isSummarised(tenant.rules, kind, journal);
}

/** Until its day is closed the document is deferred. Then it is read once more, and waits in `mapped` until a summary takes it. */
function awaitSummary(work: PostingWork, { journal }: MappedToPost): PostingChange {
  const { random } = work.deps.runtime;
  const { postingDate: day } = journal;
  const closesInMs = closingOf(work.tenant.rules, day) - work.nowMs;
  const waits = { action: 'awaits-summary', reason: reason('AWAITS_SUMMARY', { day }), tries: 0 } as const;
  return closesInMs > 0
    ? { ...waits, to: 'deferred', dueInMs: closesInMs }
    : { ...waits, to: 'mapped', dueInMs: jittered(WAITS_MS.deferred, random) };
}

/** The document was read after its day was closed, and a summary may take it. */
export function isReadyForSummary({ state, reason: why }: Pick<PostingRecord, 'state' | 'reason'>): boolean {
  return state === 'mapped' && why?.code === 'AWAITS_SUMMARY';
}

/** No summary has taken the document for an hour, so its content may have changed. */
export function examineAgain(work: PostingWork): Promise<Step> {
  return work.commit({ action: 'looked-again', to: 'discovered', reason: null });
}

// ---- The document on record ----

type FoundDocument = Extract<FetchOutcome, { outcome: 'found' }>;

export function documentFacts({ document, snapshot, record }: FoundDocument): DocumentFacts {
  const isCost = document.kind === 'cost';
  return {
    amount: document.amount.toFixed(),
    currency: document.currency,
    issueDate: document.issueDate,
    sourceStatus: document.accountingStatus,
    snapshot,
    contentHash: contentHash(document.kind, record ?? snapshot),
    number: isCost ? '' : document.number,
    counterpartyName: isCost ? supplierName(document) : document.customer.name,
    counterpartyKennitala: plainKennitala(isCost ? document.supplierId : document.customer.registrationNo),
    referGuid: isCost ? '' : document.referGuid,
  };
}

const NAME_CHARACTERS_MAX = 200;

/** The service has no name of the supplier; the e-invoice has. Empty: there is no e-invoice, or it cannot be read. */
function supplierName(cost: SourceCost): string {
  const read = ublOf(cost);
  return read?.outcome === 'read' ? read.ubl.supplierName.trim().slice(0, NAME_CHARACTERS_MAX) : '';
}
