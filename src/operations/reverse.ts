// Reverse: the entry is undone by another one under a key of its own, put on record before it is sent. An unknown outcome is
// looked up, and what stays unknown is said; asking again looks first. Only then may the document be booked anew, under
// the next generation of its key.
import { coded } from '../language/coded.js';
import type { CodedError } from '../domain/errors/coded-error.js';
import { reversalKey } from '../domain/posting-key.js';
import type { IsoDate } from '../domain/source-document.js';
import type { ErpEntry, ErpReference, PostOutcome } from '../erp/erp-adapter.js';
import { type AttemptOutcome, isUncertain } from '../domain/posting.js';
import type { Message } from '../domain/message.js';
import { incident, type NewIncident } from '../language/incidents/incident-text.js';
import { asSaid, message } from '../language/messages.js';
import { say } from '../language/say.js';
import { aboutDocument } from '../pipeline/posting/verdicts.js';
import { isOpen } from '../pipeline/writeback/judge-status.js';
import { type Act, checkedAct } from './act.js';
import { type BookedPart, bookedParts, nameOf, oneReversal, readOriginal } from './booked-parts.js';
import { closeUncertain } from './close-uncertain.js';
import { atDesk, type Desk } from './desk.js';
import type { OperationsDeps } from './deps.js';
import { withSecondPerson } from './four-eyes/second-person.js';
import { refuseWithPayments } from './payments-first.js';
import { withReleases } from './releases-first.js';
import { repostPosting } from './repost.js';
import { prepareUndoing } from './undo-part.js';
import type { ReverseResult } from './views/act.js';

export interface ReverseOptions {
  /** Day of the reversing entry; the day of the entry itself unless given. */
  readonly date?: IsoDate | undefined;
  /** Book the document again afterwards, as it is now. */
  readonly repost?: boolean | undefined;
  /** The operator has looked: what may have been sent, a settlement or an earlier reversal, is not in the ERP. */
  readonly surelyAbsent?: boolean | undefined;
  readonly dryRun?: boolean | undefined;
}

const SEND_BY_MS = 10_000;

export async function reversePosting(
  deps: OperationsDeps,
  postingId: string,
  act: Act,
  options: ReverseOptions,
): Promise<ReverseResult> {
  const reverse = async () => {
    const result = await atDesk(deps, postingId, act, (desk) =>
      withReleases(deps, desk, options, reverseAtDesk),
    );
    if (!options.repost || options.dryRun) return result;
    await repostPosting(deps, postingId, act);
    return { ...result, reposted: true };
  };
  if (options.dryRun) return reverse();
  const row = (await deps.records.story(postingId))?.row;
  if (!row) throw coded('DOCUMENT_NOT_FOUND', message('ID_UNKNOWN', { id: postingId }));
  const { date, repost, surelyAbsent } = options;
  // What was booked anew is another entry: nobody has agreed to that one yet.
  const how = { date, repost, surelyAbsent, generation: row.generation };
  const because = ['reversal', ...(surelyAbsent === true ? (['surely-absent'] as const) : [])] as const;
  const wanted = { tenantName: row.tenantName, act: 'reversal', because, subject: postingId, how } as const;
  return withSecondPerson(deps, [wanted], checkedAct(act), reverse);
}

async function reverseAtDesk(desk: Desk, options: ReverseOptions): Promise<ReverseResult> {
  desk.refuseUnless('reverse');
  const { posting, tenant } = desk;
  const parts = bookedParts(desk);
  await refuseWithPayments(desk);
  const isWhole = parts.some(({ within }) => within === undefined);
  if (isWhole && !tenant.erp.capabilities.reverse) throw coded('ERP_CANNOT_REVERSE', message('NO_REVERSALS'));
  await closeUncertain(desk, options);
  const originals = [];
  for (const part of parts) originals.push({ part, original: await readOriginal(desk, part) });
  const date = options.date ?? originals.at(-1)?.original.postingDate ?? '';
  const entries: ReverseResult['entries'] = [];
  for (const { part, original } of originals) {
    const reversal = options.dryRun ? null : await reverseEntry(desk, part, original, { ...options, date });
    entries.push({
      part: part.part,
      original: nameOf(original.reference),
      reversal: reversal && nameOf(reversal),
    });
  }
  if (!options.dryRun) {
    await desk.commit({
      action: 'reversed',
      to: 'reversed',
      reason: null,
      dueInMs: null,
      release: true,
      details: { entries, date },
      // A word about an entry that is no more would keep the document from being taken up again.
      ...(isOpen(desk) ? { writeBack: { act: 'abandoned', answer: 'reversed' } as const } : {}),
    });
  }
  return { postingId: posting.id, reversed: !options.dryRun, entries, date, reposted: false };
}

async function reverseEntry(
  desk: Desk,
  part: BookedPart,
  original: ErpEntry,
  { date, surelyAbsent }: ReverseOptions & { readonly date: IsoDate },
): Promise<ErpReference> {
  const key = reversalKey(part.key);
  const earlier = await earlierReversal(desk, key, surelyAbsent === true);
  if (earlier) return earlier;
  const { actor, reason } = desk.act;
  const undoing = part.within && (await prepareUndoing(desk, { key, date, reason }));
  const request = JSON.stringify({
    reverses: original.reference,
    date,
    reason,
    by: actor,
    ...undoing?.onRecord,
  });
  const deadline = desk.nowMs + SEND_BY_MS;
  await desk.commit({
    action: 'reversal-intent',
    attempt: { act: 'begin', part: 'reversal', key, request, sendByMs: SEND_BY_MS },
  });
  await refuseTooLate(desk, key, deadline);
  const outcome = await (undoing ? undoing.send() : send(desk, { key, original, date, reason }));
  if (outcome.outcome === 'posted') {
    await finish(desk, key, 'posted', '', outcome.reference);
    return outcome.reference;
  }
  return judge(desk, key, outcome);
}

/** A process that slept sends nothing: whoever asked again meanwhile may have found nothing, and sent one of its own. */
async function refuseTooLate(desk: Desk, key: string, deadline: number): Promise<void> {
  if (desk.nowMs <= deadline) return;
  await finish(desk, key, 'never-sent', 'slept past the deadline');
  throw coded('POSTING_BUSY', message('TOO_LATE_TO_SEND'));
}

/** A reversal that was sent before and may have arrived is looked for before anything is sent again. */
async function earlierReversal(desk: Desk, key: string, surelyAbsent: boolean): Promise<ErpReference | null> {
  const { erp } = desk.tenant;
  const attempts = (await desk.reversals()).filter((reversal) => reversal.key === key);
  // Done when an earlier one failed half-way: it is on record, also where the ERP shows nothing.
  const booked = attempts.find(({ outcome }) => outcome === 'posted');
  if (booked?.reference) return booked.reference;
  const [attempt] = attempts;
  const uncertain = attempt !== undefined && isUncertain(attempt);
  if (erp.capabilities.lookUp === 'none') {
    if (!uncertain) return null;
    // The ERP shows nothing, so a person's word counts, once nothing can be on its way any more.
    if (!surelyAbsent || attempt.lastSendAgeMs < desk.settledMs) throw unknownReversal(key);
    await finish(desk, key, 'never-sent', 'an operator looked: it is not in the ERP');
    return null;
  }
  const found = oneReversal(key, await erp.findByKey(key));
  const sentAgoMs = uncertain ? attempt.lastSendAgeMs : null;
  switch (judgeEarlier(found, sentAgoMs, desk.settledMs)) {
    case 'booked':
      if (uncertain) await finish(desk, key, 'posted', 'found under its key', found?.reference);
      return found?.reference ?? null;
    case 'unknown':
      throw unknownReversal(key);
    case 'absent':
      return null;
  }
}

/** A draft is not in the books: taking it for a reversal would leave the entry there, and a repost would be a second one. */
export function judgeEarlier(
  found: Pick<ErpEntry, 'state'> | null,
  sentAgoMs: number | null,
  settledMs: number,
): 'booked' | 'unknown' | 'absent' {
  if (found) return found.state === 'posted' ? 'booked' : 'unknown';
  return sentAgoMs !== null && sentAgoMs < settledMs ? 'unknown' : 'absent';
}

async function send(
  desk: Desk,
  request: Parameters<Desk['tenant']['erp']['reverse']>[0],
): Promise<PostOutcome> {
  try {
    return await desk.tenant.erp.reverse(request);
  } catch (error) {
    return { outcome: 'unknown', message: error instanceof Error ? error.message : String(error) };
  }
}

async function judge(
  desk: Desk,
  key: string,
  outcome: Exclude<PostOutcome, { outcome: 'posted' }>,
): Promise<ErpReference> {
  switch (outcome.outcome) {
    case 'rejected':
      await finish(desk, key, 'rejected', outcome.message);
      throw coded('ERP_REFUSED_REVERSAL', message('REVERSAL_REFUSED', { answer: outcome.message }));
    case 'transient':
    case 'auth':
      await finish(desk, key, outcome.outcome, outcome.message);
      throw coded('ERP_NOT_ANSWERING', message('REVERSAL_NOT_TAKEN', { answer: outcome.message }));
    case 'unknown':
    case 'pending':
    case 'draft': {
      const found = await lookAfter(desk, key);
      if (found) {
        await finish(desk, key, 'posted', 'found under its key', found.reference);
        return found.reference;
      }
      const what =
        outcome.outcome === 'unknown'
          ? asSaid(outcome.message)
          : message('REVERSAL_IS', { state: outcome.outcome });
      await finish(desk, key, 'unknown', say('en', what), undefined, [incidentOf(desk, key, what)]);
      throw unknownReversal(key);
    }
  }
}

async function lookAfter({ tenant }: Desk, key: string): Promise<ErpEntry | null> {
  if (tenant.erp.capabilities.lookUp === 'none') return null;
  const found = await tenant.erp.findByKey(key);
  return found.outcome === 'one' && found.entry.state === 'posted' ? found.entry : null;
}

function finish(
  desk: Desk,
  key: string,
  outcome: AttemptOutcome,
  message: string,
  reference?: ErpReference,
  incidents: readonly NewIncident[] = [],
): Promise<void> {
  return desk.commit({
    action: `reversal-${outcome}`,
    attempt: {
      act: 'finish',
      outcome,
      message: message.slice(0, 500),
      reversal: key,
      ...(reference ? { reference } : {}),
    },
    incidents,
  });
}

function unknownReversal(key: string): CodedError {
  return coded('REVERSAL_UNKNOWN', message('REVERSAL_NOT_KNOWN', { key }));
}

function incidentOf({ posting }: Desk, key: string, what: Message): NewIncident {
  const about = { ...aboutDocument(posting), key, what };
  return incident('REVERSAL_UNKNOWN', about, { severity: 'critical', fingerprint: posting.id });
}
