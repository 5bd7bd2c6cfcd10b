// What origins hand over, on record: records, what cannot be read, and the cursor, in one transaction. A record that is known is known:
// it is taken as it is now while nothing of it was sent; one that was sent and changed afterwards is told to a person.
import type { TenantName } from '../domain/ids.js';
import type { SubmissionState } from '../domain/submission.js';
import { storableText } from '../domain/text.js';
import { incident } from '../language/incidents/incident-text.js';
import type { OriginProblem, OriginRecord } from '../origins/origin.js';
import { contentFacts } from '../outbound/content-facts.js';
import {
  type Holder,
  isLeftToWork,
  isOnlyPaid,
  judgePlace,
  mayChange,
  restsOn,
} from '../outbound/take-in.js';
import type { OriginStore, OriginWatch, TakenIn } from '../outbound/stage.js';
import { appendAudit } from './audit.js';
import {
  keepGone,
  keepPlace,
  keepTwin,
  replaceContent,
  settleTwins,
  type TakenFacts,
  tellIfBookedAtBoth,
} from './shared-references.js';
import { newId } from './ids.js';
import { endIncident, openIncident, restateIncident } from './incidents.js';
import type { Db, Tx } from './db.js';
import { keptWords } from '../domain/message.js';
import { message } from '../language/messages.js';

type Keyed = OriginRecord & { readonly key: string };
type Fate = keyof TakenIn | 'known';

export function createOriginStore(db: Db): OriginStore {
  return {
    cursor: (tenantName, origin) => readCursor(db, tenantName, origin),
    takeIn: (tenantName, origin, { records, problems, looked, gone, origins, cursor }) =>
      db.tx(async (tx) => {
        const taken = { added: 0, changed: 0, late: 0, taken: 0 };
        const found = new Set<string>();
        await keepGone(tx, tenantName, origin, gone);
        for (const record of records) {
          const fate = await take(tx, { tenantName, origin, origins, found }, record);
          if (fate !== 'known') taken[fate]++;
        }
        await settleTwins(tx, tenantName, { origin, records, problems, looked, gone, found });
        await keepProblems(tx, tenantName, origin, problems, looked);
        await tx.run`
          INSERT INTO origin_cursor (tenant_name, origin, cursor, looked_at) VALUES (${tenantName}, ${origin}, ${cursor}, now())
          ON CONFLICT (tenant_name, origin) DO UPDATE SET cursor = excluded.cursor, looked_at = now()`;
        return taken;
      }),
  };
}

export async function readCursor(db: Db, tenantName: TenantName, origin: string): Promise<string | null> {
  const [row] = await db.rows<{ cursor: string }>`
    SELECT cursor FROM origin_cursor WHERE tenant_name = ${tenantName} AND origin = ${origin}`;
  return row?.cursor ?? null;
}

interface Taking {
  readonly tenantName: TenantName;
  readonly origin: string;
  readonly origins: readonly string[] | undefined;
  /** Keys of the twins that are found. */
  readonly found: Set<string>;
}

async function take(tx: Tx, taking: Taking, record: Keyed): Promise<Fate> {
  const { tenantName, origin } = taking;
  const { kind, reference, key, place, slot = null } = record;
  const content = storableText(record.content);
  const facts = { ...contentFacts(kind, content), content };
  const added = await tx.run`
    INSERT INTO submission (id, tenant_name, origin, kind, reference, key, place, slot, state, state_since, due_at, content, content_hash, amount,
                            currency, issue_date, counterparty, booked, received_at)
    VALUES (${newId()}::uuid, ${tenantName}, ${origin}, ${kind}, ${storableText(reference)}, ${key}, ${storableText(place)},
            ${slot === null ? null : storableText(slot)}, 'received', now(), now(), ${content}, ${facts.hash}, ${facts.amount}::numeric,
            ${facts.currency}, ${facts.issueDate}, ${storableText(facts.counterparty)}, ${record.booked ?? null}, now())
    ON CONFLICT (key) DO NOTHING`;
  if (added > 0) {
    await audit(tx, tenantName, key, 'submission.received', { kind, reference, origin, place });
    return 'added';
  }
  return takeKnown(tx, taking, record, facts);
}

interface KnownRow extends Holder {
  readonly id: string;
  readonly state: SubmissionState;
  readonly hash: string;
  readonly reason: string | null;
  /** Of invoices. */
  readonly content: string;
}

async function takeKnown(
  tx: Tx,
  { tenantName, origin, origins, found }: Taking,
  record: Keyed,
  facts: TakenFacts,
): Promise<Fate> {
  const { kind, reference, key, place, slot } = record;
  const [known] = await tx.rows<KnownRow>`
    SELECT id, state, content_hash AS hash, origin, slot, place, reason, CASE WHEN kind = 'invoice' THEN content ELSE '{}' END AS content FROM submission
    WHERE key = ${key} AND tenant_name = ${tenantName} FOR UPDATE`;
  // The same account is connected twice: what the other tenant has is not sent by this one as well.
  if (!known) {
    const twice = incident(
      'ACCOUNT_CONNECTED_TWICE',
      { tenant: tenantName, count: 1 },
      { severity: 'critical', fingerprint: tenantName },
    );
    await openIncident(tx, { tenantName }, twice);
    return 'known';
  }
  // A customer that only an invoice had named now has an origin that says what it is.
  const isNamed = kind === 'customer' && known.origin === '';
  const isKnown = known.hash === facts.hash && !isNamed;
  const { mayReplace, adopts } = judgePlace(known, { kind, origin, slot, place }, origins);
  if (!isKnown && !mayReplace) {
    found.add(await keepTwin(tx, { tenantName, origin, first: known }, record, facts));
    return 'taken';
  }
  await keepBooked(tx, tenantName, record);
  if (isKnown) {
    if (adopts) await keepPlace(tx, known.id, origin, record);
    return 'known';
  }
  if (!mayChange(kind, known.state) && !isOnlyPaid(kind, known.content, facts.content)) {
    const about = { tenant: tenantName, kind, reference };
    const fingerprint = `${known.id}:${facts.hash.slice(0, 12)}`;
    await openIncident(
      tx,
      { tenantName },
      incident('SUBMISSION_CHANGED', about, { severity: 'warning', fingerprint }),
    );
    return 'late';
  }
  // What rests by somebody's decision rests on, with its reason; when it is set going again, it goes as it is now. Whoever names what was
  // skipped hears so.
  const rests = restsOn(kind, known.state, known.reason);
  const isLeft = isLeftToWork(kind, known.state);
  await replaceContent(tx, known.id, { ...facts, place, slot: slot ?? null, origin, rests, isLeft });
  await audit(tx, tenantName, known.id, 'submission.changed', { kind, reference, origin, from: known.state });
  return 'changed';
}

/**
 * Whose books it is in may change at any time, and is not what the service was told. Who posts at the origin what the bridge has booked
 * has it in the books twice.
 */
async function keepBooked(
  tx: Tx,
  tenantName: TenantName,
  { key, booked, kind, reference }: Keyed,
): Promise<void> {
  if (booked === undefined) return;
  const [changed] = await tx.rows<{ id: string }>`
    UPDATE submission SET booked = ${booked}
    WHERE key = ${key} AND tenant_name = ${tenantName} AND booked IS DISTINCT FROM ${booked} RETURNING id`;
  if (changed) await tellIfBookedAtBoth(tx, { id: changed.id, tenantName, kind, reference });
}

function audit(
  tx: Tx,
  tenantName: TenantName,
  subject: string,
  action: string,
  details: Readonly<Record<string, unknown>>,
): Promise<void> {
  return appendAudit(tx, { tenantName, actor: 'worker', action, subject, details });
}

// What cannot be read of an origin, on record, and the incident that names it: it says how many there are now, and ends with the last.

/** Those of the last look: what was mended is no problem any more. */
export async function keepProblems(
  tx: Tx,
  tenantName: TenantName,
  origin: string,
  problems: readonly OriginProblem[],
  looked: readonly string[],
): Promise<void> {
  const mended = await tx.run`
    DELETE FROM origin_problem p USING unnest(${[...looked]}::text[]) AS looked(at)
    WHERE p.tenant_name = ${tenantName} AND p.origin = ${origin} AND (p.place = looked.at OR starts_with(p.place, looked.at || ':'))`;
  for (const { place, problem, said } of problems)
    await tx.run`
      INSERT INTO origin_problem (tenant_name, origin, place, problem, seen_at)
      VALUES (${tenantName}, ${origin}, ${storableText(place)}, ${storableText(keptWords({ message: problem, said }, 1_000))}, now())
      ON CONFLICT (tenant_name, origin, place) DO UPDATE SET problem = excluded.problem, seen_at = now()`;
  if (mended === 0 && problems.length === 0) return;
  const [row] = await tx.rows<{ count: number; place: string; problem: string }>`
    SELECT (count(*) OVER ())::int AS count, place, problem FROM origin_problem
    WHERE tenant_name = ${tenantName} AND origin = ${origin} ORDER BY seen_at DESC, place LIMIT 1`;
  const fingerprint = `${tenantName}:${origin}`;
  if (!row) return endIncident(tx, `ORIGIN_PROBLEMS:${fingerprint}`, message('ORIGIN_READABLE'));
  const about = {
    ...{ tenant: tenantName, origin, count: row.count },
    ...{ first: row.place, what: row.problem },
  };
  const told = incident('ORIGIN_PROBLEMS', about, { severity: 'warning', fingerprint });
  if (problems.length > 0) await openIncident(tx, { tenantName }, told);
  else await restateIncident(tx, told);
}

// An origin that cannot be looked at, as an incident that its next answer resolves.

const fingerprintOf = (tenantName: string, origin: string) => `${tenantName}:${origin}`;

export function createOriginWatch(db: Db): OriginWatch {
  return {
    silent: (tenantName, origin, words) =>
      db.tx((tx) =>
        openIncident(
          tx,
          { tenantName },
          incident(
            'ORIGIN_SILENT',
            { tenant: tenantName, origin, what: keptWords(words, 300) },
            { severity: 'warning', fingerprint: fingerprintOf(tenantName, origin) },
          ),
        ),
      ),
    answers: (tenantName, origin) =>
      endIncident(db, `ORIGIN_SILENT:${fingerprintOf(tenantName, origin)}`, message('ORIGIN_ANSWERS')),
  };
}
