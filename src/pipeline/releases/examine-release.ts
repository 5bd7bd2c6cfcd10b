// A release before it is booked: the entry of its document is read from the records, and the part of the day is mapped from it.
import { sum } from '../../domain/decimal.js';
import { BOOK_CURRENCY } from '../../domain/currency.js';
import { journalFromJson } from '../../domain/journal-json.js';
import { reason } from '../../language/messages.js';
import { mapRelease } from '../mapping/map-release.js';
import type { MappingOutcome } from '../mapping/outcome.js';
import { jittered, WAITS_MS } from '../posting/back-off.js';
import { because, keep, settle } from '../posting/examine-document.js';
import type { PostingWork, Step } from '../posting/post-stage.js';
import type { DocumentFacts } from '../../sync/posting-records.js';
import { type BookedDocument, readReleaseGuid, type ReleaseName } from './records.js';

export async function examineRelease(work: PostingWork): Promise<Step> {
  const name = readReleaseGuid(work.posting.guid);
  const booked = await work.stage.store.bookedDocument(work.tenant.name, name.kind, name.guid);
  if (booked === null || IS_OVER.has(booked.state) || booked.generation !== name.generation)
    return settle(work, because(reason('NOTHING_TO_RELEASE'), 'skipped'));
  if (booked.isBusy || booked.state !== 'acknowledged' || booked.journal === null) return waits(work);
  const mapped = mapRelease(journalFromJson(booked.journal), name.day, work.tenant.rules);
  return keep(work, factsOf(booked, name, mapped), mapped);
}

/** Its entry is in the books no longer: what waited there waits no more. */
const IS_OVER = new Set(['reversed', 'orphaned', 'skipped', 'rejected']);

/** Somebody is at the document: what becomes of it is not known yet. */
function waits(work: PostingWork): Promise<Step> {
  const { random } = work.stage.runtime;
  return work.rest({ action: 'waits-for-document', dueInMs: jittered(WAITS_MS.outageMost, random) });
}

function factsOf(booked: BookedDocument, { guid, day }: ReleaseName, mapped: MappingOutcome): DocumentFacts {
  const lines = mapped.outcome === 'post' ? mapped.journal.lines : [];
  return {
    number: booked.number,
    amount: sum(lines.map(({ debit }) => debit)).toFixed(),
    currency: BOOK_CURRENCY,
    issueDate: day,
    counterpartyName: booked.counterpartyName,
    counterpartyKennitala: booked.counterpartyKennitala,
    referGuid: guid,
    sourceStatus: '',
    snapshot: booked.snapshot ?? '{}',
    contentHash: booked.contentHash ?? '',
  };
}
