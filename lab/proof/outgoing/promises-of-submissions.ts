// What the other direction promises, checked on what a run left behind: each thing at the service once, none lost, its origin told, and
// both saying the same unless somebody was told otherwise.
import { submissionKey, twinKey } from '../../../src/domain/submission.js';
import { contentFacts } from '../../../src/outbound/content-facts.js';
import type { SubmissionRow } from '../memory-submissions.js';
import { PRUFA } from '../memory-records.js';
import { liveEntries } from '../promises-of-books.js';
import type { Run } from '../run.js';
import { MINUTE_MS } from '../world.js';
import { DESK, type DeskInvoice, type ErpDesk, stoodBetween } from './erp-desk.js';
import { BILLING, type OutgoingSide, keptKey } from './outgoing-side.js';
import { type Standing, textIn } from './service-books.js';
import { behindHead, headOf } from '../../../src/domain/source-document.js';
import {
  type CustomerContent,
  customerContent,
  invoiceContent,
  subscriptionContent,
  totalOf,
  costContent,
  itemContent,
  hoursContent,
} from '../../../src/origins/content.js';
import { customerFields, hoursRequest, itemFields } from '../../../src/outbound/make-request.js';
import type { OnShelf } from './shelf.js';

const VISIBLE: ReadonlySet<string> = new Set(['parked', 'refused', 'held', 'skipped']);
const AT_REST: ReadonlySet<string> = new Set(['acknowledged', 'withdrawn']);

export function promisesOfSubmissions(run: Run): string[] {
  const { outgoing } = run;
  if (!outgoing) return [];
  const { restoredAt } = outgoing.records;
  // What rests as it did in the backup: what became of it in the history that was lost, nobody here can know.
  const rows = [...outgoing.records.rows.values()].filter(({ changedAt }) => changedAt >= (restoredAt ?? 0));
  return [
    ...outgoing.records.violations,
    ...rows.flatMap((row) => [...ofRow(outgoing, row), ...ofTelling(outgoing, row)]),
    ...rows.flatMap((row) => promisesOfContent(outgoing, row)),
    ...lost(outgoing),
    ...ofShared(outgoing),
    ...ofProfiles(outgoing),
    ...ofFiles(outgoing),
    ...ofHours(outgoing),
    ...ofInvoicedHours(outgoing),
    ...ofCircle(run, outgoing),
    ...promisesOfDesk(outgoing),
  ];
}

function ofRow({ books, records }: OutgoingSide, { record, twinOf }: SubmissionRow): string[] {
  const { kind, reference, key, state, reason, guid } = record;
  const name = `${kind} ${reference}`;
  const isMarked = twinOf !== null || (kind !== 'customer' && kind !== 'item');
  const stands = isMarked ? books.ofMark(kind, key) : kind === 'item' ? books.headed(reference) : [];
  const broken: string[] = [];
  if (stands.length > 1) broken.push(`21: ${name} stands at the service ${String(stands.length)} times`);
  if (!AT_REST.has(state) && !(VISIBLE.has(state) && (reason !== null || state === 'skipped')))
    broken.push(`22: ${name} rests as ${state}, ${reason === null ? 'without a reason' : reason.code}`);
  if (state === 'withdrawn' && stands.length > 0) broken.push(`22: ${name} is withdrawn, and stands there`);
  if (state === 'refused' && stands.length > 0)
    broken.push(`22: ${name} counts as refused, and stands there`);
  if (state !== 'acknowledged') return broken;
  const known = books.byGuid(guid ?? '');
  // A database that was restored may not know by which of them an invoice of a template went.
  if (!known) broken.push(`22: ${name} counts as created and never stood there`);
  else if (known.goneAt !== null && kind !== 'customer' && records.restoredAt === null)
    broken.push(`22: ${name} counts as created and is not there any more`);
  return broken;
}

function ofTelling({ shelves, desk }: OutgoingSide, { record }: SubmissionRow): string[] {
  const { origin, key, state, kind, reference, guid } = record;
  const shelf = origin === DESK ? desk : shelves.find(({ name }) => name === origin);
  if (!shelf || !['acknowledged', 'refused', 'skipped', 'withdrawn'].includes(state)) return [];
  const last = shelf.told.get(key)?.at(-1);
  const wanted = state === 'acknowledged' ? 'created' : state;
  if (last?.state !== wanted) return [`23: the origin was not told that ${kind} ${reference} is ${wanted}`];
  return wanted === 'created' && last.guid !== guid
    ? [`23: the origin was told another guid of ${kind} ${reference}`]
    : [];
}

function lost({ shelves, records }: OutgoingSide): string[] {
  const identity = { environment: 'production', sourceAccount: PRUFA.account, series: '' } as const;
  return shelves.flatMap((shelf) =>
    [...shelf.records.values()]
      .filter(({ kind, reference }) => !records.rows.has(submissionKey({ ...identity, kind, reference })))
      .map(({ kind, reference }) => `22: ${kind} ${reference} was never found`),
  );
}

/** A record whose reference belongs to another one is neither lost nor sent: it is shown until it says the same or goes in its place. */
function ofShared({ shelves, records }: OutgoingSide): string[] {
  const identity = { environment: 'production', sourceAccount: PRUFA.account, series: '' } as const;
  return shelves.flatMap((shelf) =>
    [...shelf.records.values()].flatMap(({ kind, reference, slot, content }) => {
      const key = submissionKey({ ...identity, kind, reference });
      const first = records.rows.get(key);
      if (!first || (first.record.origin === shelf.name && first.slot === slot)) return [];
      if (records.replaced.has(key)) return [];
      const { hash } = contentFacts(kind, content);
      const twin = records.rows.get(twinKey(key, shelf.name, slot));
      return first.hash === hash || twin?.hash === hash
        ? []
        : [`31: ${kind} ${reference} of ${shelf.name} in ${slot} is not shown`];
    }),
  );
}

/** One profile of ours for each kennitala, and no invoice to another profile than the one that is meant. */
function ofProfiles({ books, meant }: OutgoingSide): string[] {
  const customers = books.live('customer');
  const kennitalas = [...new Set(customers.map(({ body }) => String(body['registration_no'])))];
  const twice = kennitalas
    .filter((one) => books.profiles(one).filter(({ by }) => by === 'us').length > 1)
    .map((one) => `21: the customer ${one} was made more than once`);
  const wrong = books.standing.filter((one) => isWrong(one));
  function isWrong({ body, by }: Standing): boolean {
    const guid = (body['customer'] as { readonly guid?: string } | undefined)?.guid ?? body['customer_guid'];
    const profile = typeof guid === 'string' ? books.byGuid(guid) : undefined;
    const right = meant.get(String(profile?.body['registration_no']));
    return by === 'us' && right !== undefined && profile?.by === 'people' && profile.guid !== right;
  }
  return [
    ...twice,
    ...wrong.map(({ kind, guid }) => `27: ${kind} ${guid} went to a profile that nobody chose`),
  ];
}

function ofFiles({ books }: OutgoingSide): string[] {
  const hashes = books.live('cost').flatMap(({ sha256 }) => sha256 ?? []);
  return [...new Set(hashes)]
    .filter((hash) => hashes.filter((one) => one === hash).length > 1)
    .map((hash) => `21: the file ${hash.slice(0, 8)} stands there more than once`);
}

/** Of a task no more is billed than was ever worked on it. */
function ofHours({ books, records }: OutgoingSide): string[] {
  const bills = [...records.rows.values()].filter(({ record }) => record.origin === BILLING);
  const items = bills.flatMap(({ record }) =>
    books.ofMark(record.kind, record.key).flatMap(({ body }) => body['items'] as readonly BilledLine[]),
  );
  return books.standing
    .filter(({ kind }) => kind === 'task')
    .flatMap(({ guid, number, body }) => {
      const price = Number((body['item'] as { readonly unit_price: string }).unit_price);
      const billed = items
        .filter(({ item_number: item }) => item.startsWith(`T${number}-`))
        .map(({ uom, qty, unit_price: sum }) => (uom === 'HUR' ? Number(qty) : Number(sum) / price))
        .reduce((sum, one) => sum + one, 0);
      const worked = [...books.mostHours.values()]
        .filter(({ task }) => task === guid)
        .reduce((sum, { hours }) => sum + hours, 0);
      // Where a restored database has forgotten the bill, and its hours were moved since, the bridge cannot know: a person does, by the bill.
      const isTold = bills.some(
        ({ record: { id, content } }) =>
          content.includes(`"T${number}-`) && records.incidents.has(`SUBMISSION_COLLISION:${id}`),
      );
      return billed > worked + 0.01 && !(records.restoredAt !== null && isTold)
        ? [`25: ${String(billed)} hours of task ${number} are billed, of ${String(worked)}`]
        : [];
    });
}

/** From when people have invoiced hours until every bill that was judged before has left: what a list is behind, and a lease. */
const INVOICED_MS = 10 * MINUTE_MS;

function ofInvoicedHours({ books, records, billedAt }: OutgoingSide): string[] {
  const bills = [...records.rows.values()].filter(({ record }) => record.origin === BILLING);
  return books.standing.flatMap(({ invoiced, number }) => {
    if (invoiced === undefined) return [];
    const late = bills.filter(
      ({ record: { kind, key, reference } }) =>
        (billedAt.get(reference) ?? 0) > invoiced.at + INVOICED_MS &&
        books.ofMark(kind, key).some(({ body }) => hasLineOf(body, number)),
    );
    return late.map(
      ({ record }) => `25: ${record.reference} bills task ${number}, which people had invoiced`,
    );
  });
}

function hasLineOf(body: Standing['body'], task: string): boolean {
  return (body['items'] as readonly BilledLine[]).some(({ item_number: item }) =>
    item.startsWith(`T${task}-`),
  );
}

interface BilledLine {
  readonly item_number: string;
  readonly uom: string;
  readonly qty: string;
  readonly unit_price: string;
}

/** What is in the books of its origin is not booked by the bridge as well; what a template made is in nobody's. */
function ofCircle({ records, ledger }: Run, { books, booked, records: submissions }: OutgoingSide): string[] {
  return books.standing.flatMap(({ kind, by, guid, mark, number }) => {
    const row = records.byGuid.get(guid);
    const ours = submissions.rows.get(mark);
    if (kind !== 'invoice' || by !== 'us' || ours?.record.guid !== guid) return [];
    // Whoever says it of a record is believed before the tenant file.
    if ((ours.booked ?? booked) === 'bridge') return [];
    const { mains } = liveEntries(ledger, row);
    return mains.length > 0
      ? [`26: invoice ${number} is in the books of its origin, and booked by the bridge`]
      : [];
  });
}

// What stands at the service says what the origin says at the end, unless a rule, a person, or an incident says otherwise.

function promisesOfContent(side: OutgoingSide, row: SubmissionRow): string[] {
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
    ? ofFileContents(side, record, stands)
    : [`24: ${kind} ${reference} says something else at the service`];
}

/** Each file of an invoice once, with the bytes that its record named. */
function ofFileContents(
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

// What the other direction promises of invoices that an ERP has posted: with each go the files that stand beside it when it leaves, and one
// that was cancelled by then does not leave.

function promisesOfDesk(side: OutgoingSide): string[] {
  const { desk } = side;
  return desk === null
    ? []
    : [...desk.invoices.values()].flatMap((invoice) => ofInvoice(side, desk, invoice));
}

function ofInvoice({ records, books }: OutgoingSide, desk: ErpDesk, invoice: DeskInvoice): string[] {
  const { reference } = invoice;
  const identity = { environment: 'production', sourceAccount: PRUFA.account, series: '' } as const;
  const key = submissionKey({ ...identity, kind: 'invoice', reference });
  if (!records.rows.has(key) && desk.mayLeave(invoice)) return [`22: invoice ${reference} was never found`];
  return books.ofMark('invoice', key).flatMap(({ body }) => {
    const goes = books.filesOf(body).join(' ');
    const leaving = desk.leavings.get(reference)?.find(({ files }) => files === goes);
    if (leaving === undefined)
      return [`20: invoice ${reference} stands there, and no request of it was made`];
    const stood = stoodBetween(invoice, leaving.from, leaving.to);
    if (stood.includes(goes)) return [];
    if (stood.every((files) => files === null))
      return [`30: invoice ${reference} was sent, and was not to leave any more`];
    const isStray = (hash: string) => !stood.some((files) => files?.includes(hash) === true);
    const what = books.filesOf(body).some(isStray)
      ? 'with a file that did not stand'
      : 'without files that stood';
    return [`29: invoice ${reference} left ${what} beside it`];
  });
}
