// What stands at the service says what the origin says at the end, unless a rule, a person, or an incident says otherwise.
import { behindHead, headOf } from '../../../src/domain/source-document.js';
import {
  type CustomerContent,
  customerContent,
  invoiceContent,
  subscriptionContent,
  totalOf,
} from '../../../src/pipeline/outgoing/content.js';
import { costContent } from '../../../src/pipeline/outgoing/content-cost.js';
import { itemContent } from '../../../src/pipeline/outgoing/content-item.js';
import { hoursContent } from '../../../src/pipeline/outgoing/content-time.js';
import { contentFacts } from '../../../src/pipeline/outgoing/content-facts.js';
import { customerFields, hoursRequest, itemFields } from '../../../src/pipeline/outgoing/make-request.js';
import type { SubmissionRow } from '../memory-submissions.js';
import { keptKey, type OutgoingSide } from './outgoing-side.js';
import type { OnShelf } from './shelf.js';
import { type Standing, textIn } from './service-books.js';

export function promisesOfContent(side: OutgoingSide, row: SubmissionRow): string[] {
  const { kind, reference, origin, state, guid, id, reason } = row.record;
  const shelf = side.shelves.find(({ name }) => name === origin);
  const record = shelf?.recordOf(kind, reference, row.slot ?? undefined);
  const stands = side.books.byGuid(guid ?? '');
  const isTakenBack = state === 'withdrawn' || (state === 'skipped' && reason?.code === 'DELETED_AT_ORIGIN');
  if (
    kind === 'hours' &&
    record &&
    isTakenBack &&
    hoursContent.parse(JSON.parse(record.content)).deleted !== true
  )
    return [`24: hours ${reference} are back at their origin, and rest as ${state}`];
  if (!record || !stands || state !== 'acknowledged' || stands.goneAt !== null) return [];
  if (kind === 'customer') return ofCustomer(side, row, record, stands);
  const { hash } = contentFacts(kind, record.content);
  const isTold = side.records.incidents.has(`SUBMISSION_CHANGED:${id}:${hash.slice(0, 12)}`);
  if (isTold) return [];
  return says(stands, record) || isKept(side, row, record, stands)
    ? ofFiles(side, record, stands)
    : [`24: ${kind} ${reference} says something else at the service`];
}

/** Each file of an invoice once, with the bytes that its record named. */
function ofFiles(
  { books }: OutgoingSide,
  { kind, reference, content }: OnShelf,
  { body }: Standing,
): string[] {
  if (kind !== 'invoice') return [];
  const { files = [] } = invoiceContent.parse(JSON.parse(content));
  const wanted = files.map(({ sha256 }) => sha256).join(' ');
  return books.filesOf(body).join(' ') === wanted
    ? []
    : [`29: invoice ${reference} has other files at the service than its record`];
}

function says({ kind, body }: Standing, { content, kind: _same, versions }: OnShelf): boolean {
  const value: unknown = JSON.parse(content);
  switch (kind) {
    case 'hours': {
      const wanted = hoursContent.parse(value);
      const { date, h, p } = hoursRequest(wanted, '', { log: '' }).body;
      return wanted.deleted !== true && body['date'] === date && body['h'] === h && body['p'] === p;
    }
    case 'cost':
      return costContent.parse(value).amount === body['amount'];
    case 'item':
      return behindHead(textIn(body, 'description')) === itemContent.parse(value).description;
    case 'subscription':
      return totalOf(subscriptionContent.parse(value)) === body['amount'];
    case 'task':
      return versions.length > 0;
    default:
      return totalOf(invoiceContent.parse(value)) === body['amount'];
  }
}

/** Of an item everything that differs was decided by a person, for the service, of just these values. */
function isKept(
  { kept }: OutgoingSide,
  { record: { kind, guid } }: SubmissionRow,
  { content }: OnShelf,
  { body }: Standing,
): boolean {
  if (kind !== 'item') return false;
  const theirs = textIn(body, 'description');
  const { description = '' } = itemFields(itemContent.parse(JSON.parse(content)), headOf(theirs) ?? '');
  return kept.has(keptKey(guid, 'description', description, theirs));
}

function ofCustomer(
  { books, wish, records, kept }: OutgoingSide,
  { conflicts, record: { key, reference, guid } }: SubmissionRow,
  { content, versions }: OnShelf,
  { body }: Standing,
): string[] {
  const read = (text: string): CustomerContent => customerContent.parse(JSON.parse(text));
  const wanted = customerFields(read(content));
  return Object.entries(wanted).flatMap(([field, value]) => {
    const theirs = textIn(body, field);
    const changed = books.changedHere.get(`${guid ?? ''} ${field}`);
    const isOpen = conflicts.some((one) => one.field === field);
    const mayStay =
      wish.serviceWins?.includes(field) === true || kept.has(keptKey(guid, field, value, theirs));
    if (theirs !== value && changed === undefined && !isOpen && !mayStay)
      return [
        `24: ${field} of customer ${reference} is ${theirs} at the service, and ${value} at its origin`,
      ];
    // What a database has forgotten was never agreed upon.
    // Another place that took it over has other versions.
    const isOurs =
      !records.replaced.has(key) && versions.every((one) => customerFields(read(one))[field] === value);
    if (changed !== undefined && isOurs && theirs !== changed && records.restoredAt === null)
      return [`28: ${field} of customer ${reference} was ${changed} at the service, and is ${theirs}`];
    return [];
  });
}
