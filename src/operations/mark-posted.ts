// Mark as posted: somebody booked the document by hand, or the bridge could not find out. The ERP's word is read and
// compared before it is believed, and one entry stands for one document only.
import { coded } from '../language/coded.js';
import { message, reason, saidBy } from '../language/messages.js';
import { say } from '../language/say.js';
import { sum } from '../domain/money.js';
import type { Message } from '../domain/message.js';
import { journalFromJson } from '../domain/journal-json.js';
import { isSourceKind, type SourceDocument } from '../domain/source-document.js';
import type { ErpEntry } from '../erp/erp-adapter.js';
import { mapDocument } from '../pipeline/mapping/map-document.js';
import { FINISH_FIRST_MS } from '../sync/back-off.js';
import { documentFacts } from '../sync/examine.js';
import { lookUpContext } from '../sync/mapping-context.js';
import { isUncertain } from '../domain/posting.js';
import type { PostingChange } from '../sync/posting-records.js';
import type { TenantContext } from '../sync/tenant-context.js';
import { postedMessage } from '../sync/outcomes.js';
import { type ActRequest, onlyId } from './act-request.js';
import { compareMarked, type Marked } from './compare-marked.js';
import { underClaim, type OperatorClaim, LEASE_MS } from './operator-claim.js';
import type { OperationsDeps } from './deps.js';
import type { MarkResult } from './views/act.js';

export function markPosted(request: ActRequest<'mark-posted'>, isDryRun: boolean): Promise<MarkResult> {
  return underClaim(request, onlyId(request), async (claim) => {
    const entry = await readEntry(claim.tenant, request.input.entry);
    return holdingEntry(request.deps, claim, entry, () => markAs(request, claim, entry, isDryRun));
  });
}

async function markAs(
  { deps, input }: ActRequest<'mark-posted'>,
  claim: OperatorClaim,
  entry: ErpEntry,
  isDryRun: boolean,
): Promise<MarkResult> {
  await refuseTaken(deps, claim, entry);
  await refuseBeside(claim, entry);
  const { document, snapshot } = await readDocument(claim);
  const facts = documentFacts({ outcome: 'found', document, snapshot });
  const { rules, erp } = claim.tenant;
  const wanted = await findWanted(deps, claim, document, facts.contentHash);
  const compared = compareMarked({ ...wanted, entry, document, rules, capabilities: erp.capabilities });
  const { differences, isAcceptable } = compared;
  const told = differences.map((one) => say(deps.language, one));
  const result = { postingId: claim.posting.id, entry: shown(entry), differences: told };
  if (differences.length > 0 && !(input.acceptDifferences && isAcceptable))
    refuseDifferent(entry, differences);
  if (isDryRun) return { ...result, marked: false };
  await record(claim, entry, { outcome: 'found', document, snapshot }, differences);
  return { ...result, marked: true };
}

/**
 * Two operators with one entry for two documents: the second is sent away. The entry is kept for as long as a claim
 * and from a later moment on, so whoever was too slow for it has lost the posting before and writes nothing.
 */
async function holdingEntry<Result>(
  deps: OperationsDeps,
  { posting }: OperatorClaim,
  entry: ErpEntry,
  work: () => Promise<Result>,
): Promise<Result> {
  const { tenantName, id } = posting;
  if (!(await deps.records.takeEntry(tenantName, entry.reference, id, LEASE_MS)))
    throw coded('POSTING_BUSY', message('ENTRY_IN_USE', { entry: name(entry) }));
  try {
    return await work();
  } finally {
    await deps.records.giveEntryBack(tenantName, entry.reference, id);
  }
}

async function readEntry({ erp }: TenantContext, reference: string): Promise<ErpEntry> {
  const found = await erp.findByReference(reference);
  switch (found.outcome) {
    case 'none':
      throw coded('ERP_REFERENCE_UNKNOWN', message('ENTRY_NOT_FOUND', { reference }));
    case 'many':
      throw coded(
        'ERP_REFERENCE_UNKNOWN',
        message('ENTRY_AMBIGUOUS', { reference, count: found.entries.length }),
      );
    case 'transient':
    case 'auth':
      throw coded('ERP_NOT_ANSWERING', message('ERP_NOT_ASKED', { answer: saidBy(found) }));
    case 'one': {
      const { entry } = found;
      if (entry.state === 'posted' && entry.reversed !== true) return entry;
      const code = entry.reversed === true ? 'ENTRY_WAS_REVERSED' : 'ENTRY_IS_DRAFT';
      throw coded('ERP_ENTRY_NOT_STANDING', message(code, { entry: name(entry) }));
    }
  }
}

async function refuseTaken(deps: OperationsDeps, { posting }: OperatorClaim, entry: ErpEntry): Promise<void> {
  const holder = await deps.records.holderOf(posting.tenantName, entry.reference, posting.id);
  if (holder === null) return;
  throw coded('ERP_REFERENCE_TAKEN', message('ENTRY_TAKEN', { entry: name(entry), holder }));
}

/** What the bridge has sent of it may stand there too, as a draft that somebody posts one day. */
async function refuseBeside(claim: OperatorClaim, entry: ErpEntry): Promise<void> {
  const { tenant, posting } = claim;
  if (entry.key === posting.key) return;
  if (tenant.erp.capabilities.lookUp === 'none') {
    refuseRecentlySent(claim);
    return;
  }
  const found = await tenant.erp.findByKey(posting.key);
  if (found.outcome === 'none') return;
  if (found.outcome === 'transient' || found.outcome === 'auth')
    throw coded('ERP_NOT_ANSWERING', message('ERP_NOT_ASKED', { answer: saidBy(found) }));
  const [own] = (found.outcome === 'many' ? found.entries : [found.entry]).filter(
    (one) => one.reversed !== true,
  );
  if (own) throw coded('ERP_REFERENCE_TAKEN', message('OWN_ENTRY_STANDS', { entry: name(own) }));
}

/** Only the operator can look there, and what was sent since they did they cannot have seen. */
function refuseRecentlySent({ claimed: { attempt }, inFlightMaxMs, askedAgoMs }: OperatorClaim): void {
  if (attempt && isUncertain(attempt) && attempt.lastSendAgeMs <= inFlightMaxMs + askedAgoMs)
    throw coded('ACT_NOT_POSSIBLE', message('SENT_TOO_RECENTLY', { minutes: inFlightMaxMs / 60_000 }));
}

async function readDocument({
  posting,
  tenant,
}: OperatorClaim): Promise<{ document: SourceDocument; snapshot: string }> {
  const { kind, guid } = posting;
  if (!isSourceKind(kind)) throw coded('ACT_NOT_POSSIBLE', message('FOLLOWING_BY_HAND'));
  const fetched = await tenant.source.get(kind, guid);
  if (fetched.outcome === 'found') return fetched;
  throw coded('ACT_NOT_POSSIBLE', message('SOURCE_HAS_IT_AS', { outcome: fetched.outcome }));
}

/** The journal that was made of this content, or the one that would be: an entry that was made of an earlier one is not this document. */
async function findWanted(
  deps: OperationsDeps,
  claim: OperatorClaim,
  document: SourceDocument,
  contentHash: string | null,
): Promise<Pick<Marked, 'journal' | 'context'>> {
  const { journal, contentHash: made } = claim.posting;
  if (journal !== null && made === contentHash) return { journal: journalFromJson(journal), context: {} };
  const store = deps.postings(claim.act.actor);
  const context = await lookUpContext({ tenant: claim.tenant, store }, document);
  const mapped = mapDocument({ ...document, accountingStatus: 'Created' }, claim.tenant.rules, context);
  return { journal: mapped.outcome === 'post' ? mapped.journal : null, context };
}

function totalOf(entry: ErpEntry) {
  return sum(entry.lines.map((line) => line.debit));
}

function refuseDifferent(entry: ErpEntry, differences: readonly Message[]): never {
  const listed = message('DIFFERENCES', { each: differences.slice(0, 5) });
  throw coded('ERP_ENTRY_DIFFERS', message('ENTRY_IS_OTHER', { entry: name(entry), differences: listed }), {
    details: { differences: englishOf(differences) },
  });
}

const TOLD_MAX = 20;

function englishOf(differences: readonly Message[]): string[] {
  return differences.slice(0, TOLD_MAX).map((one) => say('en', one));
}

async function record(
  claim: OperatorClaim,
  entry: ErpEntry,
  found: Parameters<typeof documentFacts>[0],
  accepted: readonly Message[],
): Promise<void> {
  const { posting, claimed } = claim;
  if (posting.state !== 'parked') {
    await claim.commit({
      action: 'set-aside-to-mark',
      to: 'parked',
      reason: posting.reason ?? reason('FOREIGN_POSTED'),
      dueInMs: null,
    });
  }
  const number = name(entry);
  const common: PostingChange = {
    action: entry.key === posting.key ? 'marked-posted' : 'marked-posted-elsewhere',
    reason: null,
    tries: 0,
    dueInMs: FINISH_FIRST_MS,
    release: true,
    document: documentFacts(found),
    reference: { part: 'main', reference: entry.reference },
    details: {
      entry: number,
      ...(accepted.length > 0 ? { differences: englishOf(accepted) } : {}),
    },
    wakeDependents: true,
    ...(claimed.attempt && isUncertain(claimed.attempt)
      ? {
          attempt: {
            act: 'finish',
            outcome: 'posted',
            message: 'marked by an operator',
            reference: entry.reference,
          } as const,
        }
      : {}),
  };
  // The source says Posted already: nothing is to be written, only to be read and acknowledged.
  if (found.document.accountingStatus === 'Posted') {
    const message = postedMessage(entry.reference, entry.postingDate);
    await claim.commit({
      ...common,
      to: 'writing_back',
      writeBack: { act: 'decide', wanted: 'Posted', message },
    });
  } else await claim.commit({ ...common, to: 'posted' });
}

function name({ reference }: ErpEntry): string {
  return reference.number ?? reference.id;
}

function shown(entry: ErpEntry): MarkResult['entry'] {
  return {
    id: entry.reference.id,
    number: name(entry),
    postingDate: entry.postingDate,
    totalIsk: totalOf(entry).toFixed(),
  };
}
