// The history of real processes, as steps of the specification (spec/protocol.qnt). Each step is told by whoever knows the truth of
// it: commits by the audit chain, claims by the fence in the database, arrivals and looks by the ERP, statuses by the service. The
// database's moments are finer than the audit's milliseconds, by triggers that only a test has.
import type { PostingChange } from '../../src/sync/posting-records.js';
import type { ErpLedgerOptions } from '../../lab/sandbox/erp-ledger/server.js';
import { HistoryChecker, type SpecifiedErp } from '../../lab/proof/specification/check-history.js';
import {
  type CommittedStep,
  History,
  type HistoryStep,
  type StepName,
} from '../../lab/proof/specification/history.js';
import type { TestDatabase } from './database.js';

interface Told {
  readonly at: number;
  readonly key: string;
  readonly steps: readonly StepName[];
}

/** What both sides saw, by this process's clock; they run in it. */
export class Witnesses {
  readonly entries: Told[] = [];
  readonly statuses: { at: number; guid: string; status: string }[] = [];

  readonly onEffect: NonNullable<ErpLedgerOptions['onEffect']> = ({ operation, subject, answer }) => {
    const at = nowMs();
    const isDone = answer.status < 300;
    if (operation === 'post')
      this.entries.push({
        at,
        key: subject,
        steps: isDone ? ['send', 'arrive', 'answer'] : ['send', 'refuse'],
      });
    if (operation === 'look-up' && isDone) {
      const { entries } = answer.body as { entries: unknown[] };
      this.entries.push({ at, key: subject, steps: [entries.length > 0 ? 'find' : 'miss'] });
    }
    // An entry that is read by its number carries its key.
    const { key } = (operation === 'read' && isDone ? answer.body : {}) as { key?: string };
    if (key !== undefined) this.entries.push({ at, key, steps: ['find'] });
  };

  readonly onStatus = (guid: string, status: string): void => {
    this.statuses.push({ at: nowMs(), guid, status });
  };
}

let offsetMs = performance.timeOrigin;

/**
 * By the wall clock, which the database goes by too, but finer than its milliseconds. The clock that never jumps is put right by it each
 * time: a machine may set its clock in the middle of a test.
 */
function nowMs(): number {
  const elapsedMs = performance.now();
  const wallMs = Date.now();
  offsetMs = Math.min(Math.max(offsetMs, wallMs - elapsedMs), wallMs + 1 - elapsedMs);
  return elapsedMs + offsetMs;
}

/** Before any bridge works on it. */
export async function watchDatabase({ prisma }: TestDatabase): Promise<void> {
  const statements = [
    `CREATE TABLE seen (n bigserial, at timestamptz DEFAULT clock_timestamp(), posting text, fence int, audit bigint)`,
    `CREATE FUNCTION see_claim() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
       INSERT INTO seen (posting, fence) VALUES (NEW.id::text, NEW.fence); RETURN NULL; END $$`,
    `CREATE FUNCTION see_audit() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
       INSERT INTO seen (posting, audit) VALUES (NEW.subject, NEW.id); RETURN NULL; END $$`,
    `CREATE TRIGGER see_claim AFTER UPDATE ON posting FOR EACH ROW WHEN (NEW.fence > OLD.fence) EXECUTE FUNCTION see_claim()`,
    `CREATE TRIGGER see_audit AFTER INSERT ON audit_entry FOR EACH ROW WHEN (NEW.action LIKE 'posting.%') EXECUTE FUNCTION see_audit()`,
  ];
  for (const statement of statements) await prisma.$executeRawUnsafe(statement);
}

interface Seen {
  readonly at: number;
  readonly posting: string;
  readonly fence: number | null;
  readonly action: string | null;
  readonly details: string | null;
}

interface Details {
  readonly from?: string;
  readonly to?: PostingChange['to'];
  readonly outcome?: Extract<PostingChange['attempt'], { act: 'finish' }>['outcome'];
}

/** In the order of time. Documents that were booked with others of their day are told by the entry that they share. */
export async function historyOf({ prisma }: TestDatabase, witnesses: Witnesses): Promise<HistoryStep[]> {
  const rows = await prisma.$queryRawUnsafe<Seen[]>(
    `SELECT extract(epoch FROM s.at)::float8 * 1000 AS at, s.posting, s.fence, a.action, a.details
     FROM seen s LEFT JOIN audit_entry a ON a.id = s.audit ORDER BY s.n`,
  );
  const postings = await prisma.posting.findMany({ include: { document: { select: { guid: true } } } });
  const members = new Set((await prisma.summaryMember.findMany()).map(({ postingId }) => postingId));
  const known = postings
    .filter(({ id }) => !members.has(id))
    .map(({ id, key, kind, document }) => ({ id, key, kind, guid: id, atSource: document.guid }));
  const byId = new Map(known.map((one) => [one.id, one]));
  const byKey = new Map(known.map((one) => [one.key, one]));
  const byGuid = new Map(
    known.filter(({ kind }) => kind === 'invoice' || kind === 'cost').map((one) => [one.atSource, one]),
  );
  const events = [
    ...rows.map((row) => ({ at: row.at, about: byId.get(row.posting), row })),
    ...witnesses.entries.map((told) => ({ at: told.at, about: byKey.get(told.key), told })),
    ...witnesses.statuses.map((word) => ({ at: word.at, about: byGuid.get(word.guid), word })),
  ].sort((one, other) => one.at - other.at);
  let at = 0;
  const history = new History(() => at);
  const holders = new Map<string, string>();
  for (const event of events) {
    if (!event.about) continue;
    at = event.at;
    noteEvent(history, holders, event.about, event);
  }
  return history.steps;
}

/** Its id stands for it in the history: the journals of a day are called the same in every company. */
interface About {
  readonly id: string;
  readonly key: string;
  readonly kind: string;
  readonly guid: string;
}

interface Event {
  readonly row?: Seen;
  readonly told?: Told;
  readonly word?: { readonly status: string };
}

function noteEvent(history: History, holders: Map<string, string>, about: About, event: Event): void {
  const { row, told, word } = event;
  if (row && row.fence !== null) {
    holders.set(about.id, `claim ${String(row.fence)}`);
    history.note('claim', about, holders.get(about.id));
    return;
  }
  // A commit is its holder's, for the database takes no other. So is what leaves, or the specification would not allow it.
  const worker = holders.get(about.id) ?? '';
  if (row?.action) {
    const details = JSON.parse(row.details ?? '{}') as Details;
    history.noteCommit(
      { ...about, state: details.from ?? '' },
      worker,
      changeOf(row.action, about, details),
      about.key,
    );
  }
  for (const step of told?.steps ?? [])
    history.note(step, { guid: about.guid, key: about.key }, step === 'arrive' ? '' : worker);
  const kind = word?.status === 'Posted' ? 'Posted' : 'Decided';
  if (word)
    for (const what of ['say', 'tell'] as const)
      history.note(`${what}${kind}`, { guid: about.guid, key: '' }, worker);
}

/** As far as the audit chain tells it, which is what the specification asks about. */
function changeOf(action: string, { key }: About, { to, outcome }: Details): CommittedStep {
  const short = action.replace('posting.', '');
  const attempt: PostingChange['attempt'] =
    short === 'intent'
      ? { act: 'begin', part: 'main', key, request: '', sendByMs: 0 }
      : short === 'resend'
        ? { act: 'resend', sendByMs: 0 }
        : outcome
          ? { act: 'finish', outcome, message: '' }
          : undefined;
  return {
    action: short,
    ...(to ? { to } : {}),
    ...(attempt ? { attempt } : {}),
    ...(outcome === 'posted' ? { reference: { part: 'main', reference: { id: '' } } } : {}),
  };
}

export function refusedBy(erp: SpecifiedErp, history: readonly HistoryStep[]): readonly string[] {
  return new HistoryChecker(erp).check(history);
}
