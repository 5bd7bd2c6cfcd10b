// A summary before it is booked: the documents of its day that are ready are put together. Which ones they are goes on record with its
// journal, in one commit; from then on they are the ones, whatever becomes of it.
import { sum } from '../../domain/decimal.js';
import { BOOK_CURRENCY } from '../../domain/currency.js';
import type { Journal } from '../../domain/journal.js';
import { journalFromJson } from '../../domain/journal-json.js';
import { reason } from '../../language/messages.js';
import { openRuleBook } from '../mapping/rules.js';
import { documentsMaxOf, readSummaryGuid, summarise } from '../mapping/summarise.js';
import { because, keep, rediscover, settle } from '../posting/examine-document.js';
import type { PostingWork, Step } from '../posting/post-stage.js';
import type { DocumentFacts } from '../../sync/posting-records.js';
import type { ReadyDocument } from './records.js';

export async function examineSummary(work: PostingWork): Promise<Step> {
  const { posting, tenant, stage } = work;
  const fixed = await stage.store.summaryMembers(posting.id);
  if (fixed.length > 0 && posting.journal !== null) return goOn(work);
  const name = readSummaryGuid(posting.guid);
  const most = documentsMaxOf(tenant.rules);
  const documents = await stage.store.readyDocuments(tenant.name, name.kind, name.day, most);
  if (documents.length === 0) return settle(work, because(reason('NOTHING_TO_SUMMARISE'), 'skipped'));
  const journal = summarise(
    name,
    documents.map(({ key, journal: text }) => ({ key, journal: journalFromJson(text) })),
    openRuleBook(tenant.rules),
  );
  await keep(work, factsOf(journal, documents), { outcome: 'post', journal, warnings: [], trace: [] });
  return work.carry({
    action: 'mapped',
    members: { act: 'take', documents, reason: reason('IN_SUMMARY', { summary: journal.documentNo }) },
  });
}

/** A person set it going again: its journal is the one on record, with the documents that were taken for it. */
async function goOn(work: PostingWork): Promise<Step> {
  await rediscover(work);
  return work.carry({ action: 'mapped', to: 'mapped', reason: null });
}

function factsOf(journal: Journal, documents: readonly ReadyDocument[]): DocumentFacts {
  const listed = documents.map(({ kind, guid, number, key }) => ({ kind, guid, number, key }));
  return {
    number: journal.documentNo,
    amount: sum(journal.lines.map(({ debit }) => debit)).toFixed(),
    currency: BOOK_CURRENCY,
    issueDate: journal.postingDate,
    counterpartyName: '',
    counterpartyKennitala: '',
    referGuid: '',
    sourceStatus: '',
    snapshot: JSON.stringify({ documents: listed }),
    contentHash: '',
  };
}
