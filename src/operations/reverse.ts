// Reverse: the entry is undone by another one under a key of its own, put on record before it is sent. An unknown outcome is
// looked up, and what stays unknown is said; asking again looks first. Only then may the document be booked anew, under
// the next generation of its key.
import { errorWords, type CodedError } from '../domain/errors/coded-error.js';
import { keptWords, type Message } from '../domain/message.js';
import { coded } from '../language/coded.js';
import { reversalKey, settlementKey } from '../domain/posting-key.js';
import type { IsoDate } from '../domain/source-document.js';
import type { ErpEntry, ErpReference, PostOutcome, FindOutcome } from '../erp/erp-adapter.js';
import { type AttemptOutcome, isUncertain } from '../domain/posting.js';
import { incident, type NewIncident } from '../language/incidents/incident-text.js';
import { message, saidBy, told, toldAs } from '../language/messages.js';
import { aboutDocument, notMatched } from '../sync/outcomes.js';
import { isOpen } from '../sync/write-back.js';
import type { DoneChange, AttemptRecord } from '../sync/posting-records.js';
import { type ActRequest, onlyId } from './act-request.js';
import type { ActInput } from './acts.js';
import { underClaim, type OperatorClaim } from './operator-claim.js';
import type { Wanted } from './four-eyes/second-person.js';
import { repostPosting } from './repost.js';
import { prepareUndoing, partOfEntry } from './undo-part.js';
import type { ReverseResult } from './views/act.js';
import { isUndone, type KnownRelease, type MemberOf } from '../sync/follow-up-records.js';
import type { Journal } from '../domain/journal.js';
import { journalFromJson } from '../domain/journal-json.js';

interface ReverseOptions extends ActInput<'reverse'> {
  readonly dryRun: boolean;
}

const SEND_BY_MS = 10_000;

export async function reversePosting(
  request: ActRequest<'reverse'>,
  dryRun: boolean,
): Promise<ReverseResult> {
  const result = await underClaim(request, onlyId(request), (claim) =>
    withReleases(request, claim, { ...request.input, dryRun }),
  );
  if (!request.input.repost || dryRun) return result;
  await repostPosting(request);
  return { ...result, reposted: true };
}

export async function reversalToAgreeOn(request: ActRequest<'reverse'>): Promise<readonly Wanted[]> {
  const subject = onlyId(request);
  const row = (await request.deps.records.story(subject))?.row;
  if (!row) throw coded('DOCUMENT_NOT_FOUND', message('ID_UNKNOWN', { id: subject }));
  const { surelyAbsent } = request.input;
  // What was booked anew is another entry: nobody has agreed to that one yet.
  const how = { ...request.input, generation: row.generation };
  const because = ['reversal', ...(surelyAbsent === true ? (['surely-absent'] as const) : [])] as const;
  return [{ tenantName: row.tenantName, act: 'reversal', because, subject, how }];
}

async function reverseClaimed(claim: OperatorClaim, options: ReverseOptions): Promise<ReverseResult> {
  const { posting, tenant } = claim;
  const parts = bookedParts(claim);
  await refuseWithPayments(claim);
  const isWhole = parts.some(({ within }) => within === undefined);
  if (isWhole && !tenant.erp.capabilities.reverse) throw coded('ERP_CANNOT_REVERSE', message('NO_REVERSALS'));
  await closeUncertain(claim, options);
  const originals = [];
  for (const part of parts) originals.push({ part, original: await readOriginal(claim, part) });
  const date = options.date ?? originals.at(-1)?.original.postingDate ?? '';
  const entries: ReverseResult['entries'] = [];
  // The last part and the document go together: nobody finds it booked with nothing of it in the books.
  const asReversed = (part: string, original: ErpEntry, reversal: ErpReference): Change => {
    const last = { part, original: nameOf(original.reference), reversal: nameOf(reversal) };
    return {
      to: 'reversed',
      reason: null,
      dueInMs: null,
      release: true,
      details: { entries: [...entries, last], date },
      // A word about an entry that is no more would keep the document from being taken up again.
      ...(isOpen({ claim: claim.claimed })
        ? { writeBack: { act: 'abandoned', answer: 'reversed' } as const }
        : {}),
    };
  };
  for (const [index, { part, original }] of originals.entries()) {
    const alongside = (reversal: ErpReference) =>
      index === originals.length - 1 ? asReversed(part.part, original, reversal) : {};
    const reversal = options.dryRun
      ? null
      : await reverseEntry({ claim, part, original, alongside }, { ...options, date });
    entries.push({
      part: part.part,
      original: nameOf(original.reference),
      reversal: reversal && nameOf(reversal),
    });
  }
  return { postingId: posting.id, reversed: !options.dryRun, entries, date, reposted: false };
}

/** Committed with the last part; the others change nothing else. */
type Change = Omit<DoneChange, 'action'> | { readonly to?: undefined };

interface Reversing {
  readonly claim: OperatorClaim;
  readonly part: BookedPart;
  readonly original: ErpEntry;
  /** What is committed together with the word that it is booked. */
  readonly alongside: (reversal: ErpReference) => Change;
}

async function reverseEntry(
  reversing: Reversing,
  { date, surelyAbsent }: ReverseOptions & { readonly date: IsoDate },
): Promise<ErpReference> {
  const { claim, part, original } = reversing;
  const key = reversalKey(part.key);
  const earlier = await earlierReversal(reversing, key, surelyAbsent === true);
  if (earlier) return earlier;
  const { actor, reason } = claim.act;
  const undoing = part.within && (await prepareUndoing(claim, { key, date, reason }));
  const request = JSON.stringify({
    reverses: original.reference,
    date,
    reason,
    by: actor,
    ...undoing?.onRecord,
  });
  const deadline = claim.nowMs + SEND_BY_MS;
  await claim.commit({
    action: 'reversal-intent',
    attempt: { act: 'begin', part: 'reversal', key, request, sendByMs: SEND_BY_MS },
  });
  await refuseTooLate(claim, key, deadline);
  const outcome = await (undoing
    ? undoing.send()
    : send(claim, { key, original, date, reason, ...sentAs(claim, part) }));
  if (outcome.outcome === 'posted') {
    const { reference, unmatched } = outcome;
    const alarms = unmatched ? [notMatched(claim.posting, key, reference, unmatched)] : [];
    return booked(reversing, key, reference, '', alarms);
  }
  return judge(reversing, key, outcome);
}

/** A process that slept sends nothing: whoever asked again meanwhile may have found nothing, and sent one of its own. */
async function refuseTooLate(claim: OperatorClaim, key: string, deadline: number): Promise<void> {
  if (claim.nowMs <= deadline) return;
  await finish(claim, key, 'never-sent', keptWords(told('SLEPT_TOO_LONG')));
  throw coded('POSTING_BUSY', message('TOO_LATE_TO_SEND'));
}

/** A reversal that was sent before and may have arrived is looked for before anything is sent again. */
async function earlierReversal(
  reversing: Reversing,
  key: string,
  surelyAbsent: boolean,
): Promise<ErpReference | null> {
  const { claim } = reversing;
  const { erp } = claim.tenant;
  const attempts = (await claim.reversals()).filter((reversal) => reversal.key === key);
  // Done when an earlier one failed half-way: it is on record, also where the ERP shows nothing.
  const done = attempts.find(({ outcome }) => outcome === 'posted');
  if (done?.reference) return known(reversing, done.reference);
  const [attempt] = attempts;
  const uncertain = attempt !== undefined && isUncertain(attempt);
  if (erp.capabilities.lookUp === 'none') {
    if (!uncertain) return null;
    // The ERP shows nothing, so a person's word counts, once nothing can be on its way any more.
    if (!surelyAbsent || attempt.lastSendAgeMs < claim.inFlightMaxMs) throw unknownReversal(key);
    await finish(claim, key, 'never-sent', keptWords(told('LOOKED_ABSENT')));
    return null;
  }
  const found = oneReversal(key, await erp.findByKey(key));
  const sentAgoMs = uncertain ? attempt.lastSendAgeMs : null;
  if (judgeEarlier(found, sentAgoMs, claim.inFlightMaxMs) === 'unknown') throw unknownReversal(key);
  if (found?.state !== 'posted') return null;
  return uncertain
    ? booked(reversing, key, found.reference, keptWords(told('FOUND_UNDER_KEY')))
    : known(reversing, found.reference);
}

/** It was on record, or in the books under its key, before anybody asked this time. */
async function known({ claim, alongside }: Reversing, reference: ErpReference): Promise<ErpReference> {
  const change = alongside(reference);
  if (change.to) await claim.commit({ action: 'reversed', ...change });
  return reference;
}

async function booked(
  { claim, alongside }: Reversing,
  key: string,
  reference: ErpReference,
  words: string,
  incidents: readonly NewIncident[] = [],
): Promise<ErpReference> {
  const change = alongside(reference);
  await claim.commit({
    action: change.to ? 'reversed' : 'reversal-posted',
    ...change,
    attempt: finished(key, 'posted', words, reference),
    incidents,
  });
  return reference;
}

/** A draft is not in the books: taking it for a reversal would leave the entry there, and a repost would be a second one. */
export function judgeEarlier(
  found: Pick<ErpEntry, 'state'> | null,
  sentAgoMs: number | null,
  quietPeriodMs: number,
): 'booked' | 'unknown' | 'absent' {
  if (found) return found.state === 'posted' ? 'booked' : 'unknown';
  return sentAgoMs !== null && sentAgoMs < quietPeriodMs ? 'unknown' : 'absent';
}

async function send(
  claim: OperatorClaim,
  request: Parameters<OperatorClaim['tenant']['erp']['reverse']>[0],
): Promise<PostOutcome> {
  try {
    return await claim.tenant.erp.reverse(request);
  } catch (error) {
    return { outcome: 'unknown', ...errorWords(error) };
  }
}

async function judge(
  reversing: Reversing,
  key: string,
  outcome: Exclude<PostOutcome, { outcome: 'posted' }>,
): Promise<ErpReference> {
  const { claim } = reversing;
  switch (outcome.outcome) {
    case 'rejected':
      await finish(claim, key, 'rejected', keptWords(outcome));
      throw coded('ERP_REFUSED_REVERSAL', message('REVERSAL_REFUSED', { answer: saidBy(outcome) }));
    case 'transient':
    case 'auth':
      await finish(claim, key, outcome.outcome, keptWords(outcome));
      throw coded('ERP_NOT_ANSWERING', message('REVERSAL_NOT_TAKEN', { answer: saidBy(outcome) }));
    case 'unknown':
    case 'pending':
    case 'draft': {
      const found = await lookAfter(claim, key);
      if (found) return booked(reversing, key, found.reference, keptWords(told('FOUND_UNDER_KEY')));
      const what =
        outcome.outcome === 'unknown' ? saidBy(outcome) : message('REVERSAL_IS', { state: outcome.outcome });
      await finish(claim, key, 'unknown', keptWords(toldAs(what)), [incidentOf(claim, key, what)]);
      throw unknownReversal(key);
    }
  }
}

async function lookAfter({ tenant }: OperatorClaim, key: string): Promise<ErpEntry | null> {
  if (tenant.erp.capabilities.lookUp === 'none') return null;
  const found = await tenant.erp.findByKey(key);
  return found.outcome === 'one' && found.entry.state === 'posted' ? found.entry : null;
}

function finish(
  claim: OperatorClaim,
  key: string,
  outcome: AttemptOutcome,
  words: string,
  incidents: readonly NewIncident[] = [],
): Promise<void> {
  return claim.commit({ action: `reversal-${outcome}`, attempt: finished(key, outcome, words), incidents });
}

function finished(key: string, outcome: AttemptOutcome, words: string, reference?: ErpReference) {
  const message = words.slice(0, 500);
  return { act: 'finish', outcome, message, reversal: key, ...(reference ? { reference } : {}) } as const;
}

function unknownReversal(key: string): CodedError {
  return coded('REVERSAL_UNKNOWN', message('REVERSAL_NOT_KNOWN', { key }));
}

function incidentOf({ posting }: OperatorClaim, key: string, what: Message): NewIncident {
  const about = { ...aboutDocument(posting), key, what };
  return incident('REVERSAL_UNKNOWN', about, { severity: 'critical', fingerprint: posting.id });
}

// What may stand in the books without a reference would be left there by a reversal, and a repost would book it a second
// time. So an entry is reversed only once that is known: the bridge finds out by a replay, or a person has looked, and then
// the ERP is asked once more before the attempt is closed.
async function closeUncertain(
  claim: OperatorClaim,
  choice: { readonly surelyAbsent?: boolean | undefined; readonly dryRun?: boolean | undefined },
): Promise<void> {
  const { attempt } = claim.claimed;
  if (!attempt || !isUncertain(attempt)) return;
  if (!choice.surelyAbsent) throw notKnown(attempt);
  if (attempt.lastSendAgeMs < claim.inFlightMaxMs)
    throw coded(
      'ACT_NOT_POSSIBLE',
      message('SENT_TOO_RECENTLY', { minutes: Math.ceil(claim.inFlightMaxMs / 60_000) }),
    );
  await refuseShown(claim, attempt);
  if (choice.dryRun) return;
  await claim.commit({
    action: 'surely-absent',
    attempt: { act: 'finish', outcome: 'never-sent', message: 'an operator looked: it is not in the ERP' },
  });
}

function notKnown(attempt: AttemptRecord): CodedError {
  const part = attempt.part === 'settlement' ? 'settlement' : 'entry';
  return coded('ACT_NOT_POSSIBLE', message('ENTRY_NOT_KNOWN', { part }));
}

async function refuseShown({ tenant: { erp } }: OperatorClaim, { key }: AttemptRecord): Promise<void> {
  if (erp.capabilities.lookUp === 'none') return;
  const found = await erp.findByKey(key);
  if (found.outcome === 'none') return;
  if (found.outcome === 'transient' || found.outcome === 'auth')
    throw coded('ERP_NOT_ANSWERING', message('ERP_NOT_ASKED', { answer: saidBy(found) }));
  throw coded('ACT_NOT_POSSIBLE', message('ENTRY_SHOWN', { key }));
}

// A payment rests on the entry of its invoice, so it is undone first: each is a document of its own.

/** Asked with the invoice on the claim: from then on no payment of it is booked. */
async function refuseWithPayments(claim: OperatorClaim): Promise<void> {
  if (claim.posting.kind !== 'invoice') return;
  const invoice = await claim.bookedInvoice();
  const open = invoice?.payments.filter(({ state }) => !isUndone(state)).length ?? 0;
  if (open > 0) throw coded('ACT_NOT_POSSIBLE', message('PAYMENTS_FIRST', { payments: open }));
}

// What was released of a document rests on its entry, so each release is undone first, on a claim of its own.
async function withReleases(
  request: ActRequest<'reverse'>,
  claim: OperatorClaim,
  options: ReverseOptions,
): Promise<ReverseResult> {
  const undone: ReverseResult['entries'] = [];
  for (const { postingId } of await releasesToUndo(claim)) {
    const { entries } = await underClaim(request, postingId, (release) => reverseClaimed(release, options));
    undone.push(...entries.map((entry) => ({ ...entry, part: 'release' })));
    // The lease of the document runs anew with it.
    if (!options.dryRun) await claim.commit({ action: 'release-reversed', details: { postingId } });
  }
  const result = await reverseClaimed(claim, options);
  return { ...result, entries: [...undone, ...result.entries] };
}

/** Asked with the document on the claim: from then on none is booked. One that is under way, or waits, is not known to be undone. */
async function releasesToUndo(claim: OperatorClaim): Promise<readonly KnownRelease[]> {
  const document = await claim.bookedDocument();
  const open = document?.releases.filter(({ state }) => !isUndone(state)) ?? [];
  const unfinished = open.filter(({ state, isBooked }) => !isBooked || state === 'posting').length;
  if (unfinished > 0) throw coded('ACT_NOT_POSSIBLE', message('RELEASES_FIRST', { releases: unfinished }));
  return open;
}

// What of a document is in the books, as a reversal finds it: its settlement and its entry, or its part of the journal of its day.

interface BookedPart {
  readonly part: 'main' | 'settlement';
  readonly key: string;
  readonly reference: ErpReference;
  /** The summary that it is part of; only its own part is undone. */
  readonly within?: MemberOf;
}

/** The settlement rests on the entry, so it goes first. */
function bookedParts({ posting, claimed: { summary } }: OperatorClaim): BookedPart[] {
  const { key, reference, settlementReference } = posting;
  const within = summary === undefined ? {} : { within: summary };
  return [
    ...(settlementReference
      ? [{ part: 'settlement', key: settlementKey(key), reference: settlementReference } as const]
      : []),
    ...(reference ? [{ part: 'main', key, reference, ...within } as const] : []),
  ];
}

/** As the ERP shows it; as it was sent where the ERP shows nothing. */
async function readOriginal(claim: OperatorClaim, part: BookedPart): Promise<ErpEntry> {
  const { erp } = claim.tenant;
  if (erp.capabilities.lookUp === 'none') return entryAsSent(claim, part);
  const byKey = await erp.findByKey(part.within?.key ?? part.key);
  // Marked by an operator: it stands under a key that is not ours.
  const found = byKey.outcome === 'none' ? await erp.findByReference(part.reference.id) : byKey;
  const entry = oneOf(found);
  if (entry?.state === 'posted') return part.within ? partOfEntry(claim, entry) : entry;
  throw coded(
    'ACT_NOT_POSSIBLE',
    message('ENTRY_NOT_SHOWN', { entry: nameOf(part.reference), key: part.key }),
  );
}

function oneOf(found: FindOutcome): ErpEntry | null {
  if (found.outcome === 'transient' || found.outcome === 'auth')
    throw coded('ERP_NOT_ANSWERING', message('ERP_NOT_ASKED', { answer: saidBy(found) }));
  return found.outcome === 'one' ? found.entry : null;
}

/** Several are none to go on with, and no reason to send another. */
function oneReversal(key: string, found: FindOutcome): ErpEntry | null {
  if (found.outcome !== 'many') return oneOf(found);
  const numbers = found.entries.map(({ reference }) => nameOf(reference)).join(', ');
  throw coded('ACT_NOT_POSSIBLE', message('ENTRIES_SHOWN', { key, entries: numbers }));
}

/** The journal as it was sent, where that is on record. */
function sentAs({ posting }: OperatorClaim, { part }: BookedPart): { readonly journal?: Journal } {
  const text = part === 'main' ? posting.journal : posting.settlement;
  return text === null ? {} : { journal: journalFromJson(text) };
}

function entryAsSent(claim: OperatorClaim, part: BookedPart): ErpEntry {
  const { key, reference } = part;
  const { journal } = sentAs(claim, part);
  if (!journal) throw coded('ACT_NOT_POSSIBLE', message('SENT_NOT_ON_RECORD'));
  return { reference, key, state: 'posted', postingDate: journal.postingDate, lines: [...journal.lines] };
}

function nameOf(reference: ErpReference): string {
  return reference.number ?? reference.id;
}
