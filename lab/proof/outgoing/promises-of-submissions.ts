// What the other direction promises, checked on what a run left behind: each thing at the service once, none lost, its origin told, and
// both saying the same unless somebody was told otherwise.
import { submissionKey, twinKey } from '../../../src/domain/submission.js';
import { contentFacts } from '../../../src/pipeline/outgoing/content-facts.js';
import type { SubmissionRow } from '../memory-submissions.js';
import { PRUFA } from '../memory-records.js';
import { liveEntries } from '../promises-of-books.js';
import type { Run } from '../run.js';
import { MINUTE_MS } from '../world.js';
import { DESK } from './erp-desk.js';
import { BILLING, type OutgoingSide } from './outgoing-side.js';
import { promisesOfDesk } from './promises-of-desk.js';
import { promisesOfContent } from './promises-of-content.js';
import type { Standing } from './service-books.js';

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
