// Step 3: read the document afresh, look up what the mapping needs, map it, and keep all of it before anything is sent.

import { plainKennitala } from '../../domain/kennitala.js';
import { totalOf } from '../../domain/journal.js';
import { journalFromJson, keptAsJson } from '../../domain/journal-json.js';
import { isSourceKind, type SourceCost, type SourceDocument } from '../../domain/source-document.js';
import type { Reason } from '../../domain/message.js';
import { reason } from '../../language/messages.js';
import { incident } from '../../language/incidents/incident-text.js';
import type { FetchOutcome } from '../../invoicing/invoicing-source.js';
import { contentHash } from '../content-hash.js';
import { mapDocument } from '../mapping/map-document.js';
import type { MappedToPost, MappingOutcome, NotPosted } from '../mapping/outcome.js';
import { ublOf } from '../mapping/ubl/read-ubl.js';
import type { DocumentFacts, MappedFacts, PostingChange } from '../../sync/posting-records.js';
import { orphan } from '../writeback/judge-status.js';
import { rejectMessage, skipMessage } from '../writeback/status-message.js';
import { DEFERRED_MAX_MS, FINISH_FIRST_MS, jittered, WAITS_MS } from './back-off.js';
import { awaitingSummary, isForSummary } from '../summaries/await-summary.js';
import { bookedAtOrigin } from './booked-at-origin.js';
import { forgottenEntry, mayBeInBooks } from './look-first.js';
import { isForeign, stopTenant } from './stop-tenant.js';
import { lookUpContext } from './look-up-context.js';
import { leftOut, mayBeCredited, unansweredMs } from './cancelled.js';
import { aboutDocument } from './verdicts.js';
import { isOurError, isRepost, type PostingWork, type Step } from './post-stage.js';

/** Reasons of the mapping that no tenant file cures: a person decides, so they are parked instead of held. */
const FOR_A_PERSON = new Set([
  'AMBIGUOUS_VAT',
  'ORIGINAL_NOT_POSTED',
  'MALFORMED_DOCUMENT',
  'JOURNAL_REFUSED',
]);

export async function examineDocument(work: PostingWork): Promise<Step> {
  const { posting } = work;
  const fetched = await work.tenant.source.get(work.sourceKind, posting.guid);
  await work.stage.breakers.succeeded(work.tenant.name, 'source');
  // On record as gone, so that it counts as waiting no longer, and a list that shows it after all brings it back.
  if (fetched.outcome === 'gone' && posting.reference) return orphanBooked(work);
  if (fetched.outcome === 'gone')
    return settle(work, { ...because(reason('SOURCE_DELETED'), 'skipped'), sourceStatus: 'gone' });
  if (fetched.outcome === 'unreadable') {
    return settle(work, because(reason('SOURCE_UNREADABLE', { problem: fetched.problem }), 'parked'));
  }
  const document = documentFacts(fetched);
  // What is in the books was made from the content on record: that stays what any later reading is held against.
  const seen = posting.reference ? { sourceStatus: document.sourceStatus } : { document };
  if (fetched.document.accountingStatus === 'Posted' && !isRepost(work)) {
    return settle(work, {
      ...because(reason('FOREIGN_POSTED'), 'parked'),
      ...seen,
      ...(await foreignPosted(work)),
    });
  }
  // Its main entry is in the books already: another content must not be posted under the rest of the same key.
  if (posting.reference && posting.contentHash !== document.contentHash) {
    return settle(work, { ...because(reason('CONTENT_CHANGED'), 'parked'), ...seen });
  }
  const decided = stillDecided(work, fetched.document);
  if (decided) return settle(work, { ...decided, document });
  const atOrigin = await bookedAtOrigin(work, fetched.document);
  if (atOrigin) return settle(work, { ...atOrigin, document });
  const readable = await asCreated(work, fetched.document);
  const { tenant, stage } = work;
  const context = await lookUpContext({ tenant, stage, mayBeCredited: () => mayBeCredited(work) }, readable);
  return keep(work, document, mapDocument(readable, work.tenant.rules, context));
}

/** A list that was behind showed it as Created, but nobody has reopened it: it stands as we wrote it, and as we decided. */
function stillDecided(
  { claim: { posting, writeBack } }: PostingWork,
  { kind, accountingStatus }: SourceDocument,
): PostingChange | null {
  if (posting.reference || writeBack?.wanted !== accountingStatus || writeBack.state === 'abandoned')
    return null;
  const why = reason('NOT_CREATED', { status: accountingStatus, decided: writeBack.message });
  // Whoever wrote it may have died before it was on record that it stands there.
  const read = writeBack.state === 'acknowledged' ? {} : { writeBack: { act: 'acknowledged' } as const };
  const common = { reason: why, dueInMs: null, ...read };
  if (accountingStatus === 'Skipped') return { ...common, action: 'still-skipped', to: 'skipped' };
  // An invoice in Error may be one that a person has set going again; it is mapped anew, with the same end.
  return accountingStatus === 'Error' && kind === 'cost'
    ? { ...common, action: 'still-rejected', to: 'rejected' }
    : null;
}

/**
 * A document that stands in a status because we wrote it there, and that a person set going again, is mapped as if handed over
 * anew: an invoice in Error on a replay, a Posted one on a repost.
 */
async function asCreated(work: PostingWork, document: SourceDocument): Promise<SourceDocument> {
  const { accountingStatus, kind } = document;
  const inError = kind === 'invoice' && accountingStatus === 'Error';
  const ourError = inError && (isRepost(work) || (await isOurError(work)));
  const ourPosted = accountingStatus === 'Posted' && isRepost(work);
  return ourError || ourPosted ? { ...document, accountingStatus: 'Created' } : document;
}

export async function keep(
  work: PostingWork,
  document: DocumentFacts,
  outcome: MappingOutcome,
): Promise<Step> {
  if (outcome.outcome !== 'post') return settle(work, { document, ...restOf(work, outcome) });
  if (isForSummary(work, outcome)) return await waitForSummary(work, document, outcome);
  await rediscover(work);
  // On record with the intent, in one commit: until then nothing has left, and a crash only means mapping it again.
  work.carry({ action: 'mapped', to: 'mapped', reason: null, document, mapped: mappedFacts(work, outcome) });
  await work.stage.failPoints.reach('after-map');
  return 'again';
}

/** A restored database may have forgotten that it was booked by itself, when the rules were others. */
async function waitForSummary(
  work: PostingWork,
  document: DocumentFacts,
  outcome: MappedToPost,
): Promise<Step> {
  const known = await forgottenEntry(work);
  if (known === 'rested') return known;
  const mapped = mappedFacts(work, outcome);
  return settle(work, { document, mapped, ...(known ?? awaitingSummary(work, outcome)) });
}

function mappedFacts(work: PostingWork, mapped: MappedToPost): MappedFacts {
  const { settlement, trace, warnings } = mapped;
  const { reference, journal: sent } = work.posting;
  // What is in the books stays on record as it was sent, whatever the rules make of it by now.
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

/** The other one of a cancelled pair is often on its way: soon, then ever more seldom. */
function deferredMs(work: PostingWork, { reason: why }: NotPosted): number {
  if (why !== 'WAIT_FOR_ORIGINAL' && why !== 'WAIT_FOR_CREDIT_NOTE') return WAITS_MS.deferred;
  return Math.min(Math.max(waitedMs(work, why), WAITS_MS.originalInvoice), WAITS_MS.deferred);
}

/** An invoice may be cancelled long after it was found. */
function waitedMs(work: PostingWork, why: NotPosted['reason']): number {
  return why === 'WAIT_FOR_CREDIT_NOTE' ? (unansweredMs(work) ?? 0) : work.posting.discoveredAgeMs;
}

function restOf(work: PostingWork, outcome: NotPosted): PostingChange {
  const { random } = work.stage.runtime;
  switch (outcome.outcome) {
    case 'defer':
      if (waitedMs(work, outcome.reason) > DEFERRED_MAX_MS)
        return because(reason('DEFERRED_TOO_LONG', { reason: outcome.why }), 'parked');
      return {
        action: 'deferred',
        to: 'deferred',
        reason: outcome.why,
        dueInMs: jittered(deferredMs(work, outcome), random),
      };
    case 'park':
      return FOR_A_PERSON.has(outcome.reason)
        ? { action: 'parked', to: 'parked', reason: outcome.why, dueInMs: null }
        : {
            action: 'held',
            to: 'held',
            reason: outcome.why,
            dueInMs: jittered(WAITS_MS.heldRecheck, random),
          };
    case 'skip':
    case 'reject':
      // Nobody is told of a document that is in the books that it is not, nor of what follows one.
      if (!isSourceKind(work.posting.kind) && outcome.outcome === 'skip')
        return { action: 'skipped', to: 'skipped', reason: outcome.why, dueInMs: null };
      return work.posting.reference || !isSourceKind(work.posting.kind)
        ? { action: 'parked', to: 'parked', reason: outcome.why, dueInMs: null }
        : {
            reason: outcome.why,
            dueInMs: FINISH_FIRST_MS,
            ...decisionOf(outcome),
            ...leftOut(work, outcome),
          };
  }
}

function decisionOf(outcome: NotPosted) {
  return outcome.outcome === 'skip'
    ? ({
        action: 'skipped',
        to: 'skipped',
        writeBack: { act: 'decide', wanted: 'Skipped', message: skipMessage(outcome.why) },
      } as const)
    : ({
        action: 'rejected',
        to: 'rejected',
        writeBack: { act: 'decide', wanted: 'Error', message: rejectMessage(outcome.why) },
      } as const);
}

/** Deleted while the rest of it waited: its entry has no document any more. */
async function orphanBooked(work: PostingWork): Promise<Step> {
  await work.commit(because(reason('ORPHANED'), 'parked'));
  return orphan(work);
}

/** Deferred and held postings begin again as discovered, so that every mapping is a move of its own on record. */
export async function rediscover(work: PostingWork): Promise<void> {
  if (work.posting.state !== 'discovered') await work.commit({ action: 'looked-again', to: 'discovered' });
}

export async function settle(work: PostingWork, change: PostingChange): Promise<Step> {
  if (change.to !== 'skipped' && change.to !== 'rejected') return rest(work, change);
  const known = await forgottenEntry(work);
  if (known === 'rested') return known;
  const { writeBack: _untold, ...seen } = change;
  if (known) return rest(work, { ...seen, ...known });
  const incidents = [...(change.incidents ?? []), ...mayBeInBooks(work)];
  return rest(work, incidents.length > 0 ? { ...change, incidents } : change);
}

async function rest(work: PostingWork, change: PostingChange): Promise<Step> {
  const { state, reason: before } = work.posting;
  // How long it has been waiting for its credit note counts from when it began to.
  const beginsToWait =
    change.reason?.code === 'WAIT_FOR_CREDIT_NOTE' && before?.code !== 'WAIT_FOR_CREDIT_NOTE';
  if (change.to === state && !beginsToWait) {
    const { to: _same, ...rest } = change;
    return work.rest({ ...rest, tries: 0 });
  }
  await rediscover(work);
  // What was decided is told to the source in the same breath.
  if (change.writeBack?.act === 'decide') return work.commit({ ...change, tries: 0 });
  return work.rest({ ...change, tries: 0 });
}

export function because(why: Reason, to: 'skipped' | 'parked'): PostingChange {
  return { action: why.code.toLowerCase().replaceAll('_', '-'), to, reason: why, dueInMs: null };
}

/** Somebody else may only have set the status; whoever also booked it under our key books the others too. */
async function foreignPosted(work: PostingWork): Promise<Pick<PostingChange, 'incidents' | 'stopTenant'>> {
  const { posting } = work;
  const { erp } = work.tenant;
  const about = { severity: 'warning', fingerprint: posting.id } as const;
  const alarm = incident('FOREIGN_POSTED', aboutDocument(posting), about);
  if (erp.capabilities.lookUp === 'none' || !isForeign(work)) return { incidents: [alarm] };
  const found = await erp.findByKey(posting.key);
  if (found.outcome !== 'one' && found.outcome !== 'many') return { incidents: [alarm] };
  const stop = stopTenant(work, found.outcome === 'one' ? [found.entry] : found.entries);
  return { ...stop, incidents: [alarm, ...stop.incidents] };
}

type Found = Extract<FetchOutcome, { outcome: 'found' }>;

export function documentFacts({ document, snapshot, record }: Found): DocumentFacts {
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

/** The service names no supplier; only the e-invoice does. Empty: there is none, or it cannot be read. */
function supplierName(cost: SourceCost): string {
  const read = ublOf(cost);
  return read?.outcome === 'read' ? read.ubl.supplierName.trim().slice(0, NAME_CHARACTERS_MAX) : '';
}
