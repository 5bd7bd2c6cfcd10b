// Changes at the service are seen too: its customers and items are listed now and then, and one that shows something else than was agreed
// upon, or is listed no more, is taken up again. What becomes of it then is decided where everything else about its kind is.
import type { Search } from '../service/invoicing-target.js';
import { hasServiceChanged, type Agreed, type Agreement, agreeFields } from './agree-fields.js';
import {
  type AgreedStore,
  type SubmissionChange,
  type SubmissionRecord,
  type OutboundTenant,
  type OutboundTiming,
  quietPeriodMs,
} from './stage.js';
import { incident } from '../language/incidents/incident-text.js';
import { shownFields } from './make-request.js';
import { type Advanced, rest, type SubmissionWork } from './submission-work.js';

const RECORDS_MAX = 20_000;

interface Listed {
  readonly guid: string;
  readonly fields: Readonly<Record<string, string>>;
}

type Watched = Pick<OutboundTenant, 'name' | 'target' | 'wish'>;

/** How many are taken up again. */
export async function watchService(
  store: AgreedStore,
  tenant: Watched,
  timing: OutboundTiming,
): Promise<number> {
  const { target, wish } = tenant;
  const customers =
    wish.customers === 'update'
      ? await watchKind(store, tenant, timing, 'customer', () => target.listCustomers())
      : 0;
  return wish.items === 'create-only'
    ? customers
    : customers + (await watchKind(store, tenant, timing, 'item', () => target.listItems('now')));
}

async function watchKind(
  store: AgreedStore,
  { name }: Watched,
  timing: OutboundTiming,
  kind: 'customer' | 'item',
  list: () => Promise<Search<Listed>>,
): Promise<number> {
  // Read first: what is agreed upon while the list is read is not held against a list from before.
  const known = await store.agreed(name, kind, quietPeriodMs(timing), RECORDS_MAX);
  if (known.length === 0) return 0;
  const listed = await list();
  if (listed.outcome === 'incomplete') return 0;
  const shown = new Map(listed.found.map(({ guid, fields }) => [guid, fields]));
  const changed = known.filter(({ guid, agreed, conflicts }) => {
    const fields = shown.get(guid);
    return fields === undefined || hasServiceChanged(agreed, conflicts, fields);
  });
  const ids = changed.map(({ id }) => id);
  return ids.length === 0 ? 0 : store.reopen(name, ids);
}

// What is kept in step on both sides, customers and items alike: who has changed which field, by rule or by a person, and what of it goes on
// record.

type Fields = Readonly<Record<string, string>>;
export type Written = Pick<Agreement, 'write' | 'agreed' | 'conflicts'> & {
  /** What both had of each field before, where something of it was in doubt until now. */
  readonly before?: Agreed;
};

/** What the origin says of it is written, but for what the service has changed, or may keep by rule. */
export function agreeByRule({ claimed, tenant }: SubmissionWork, origin: Fields, service: Fields): Written {
  const { serviceWins = [], originWins = [] } = tenant.wish;
  const arrived = writtenInDoubt(claimed, service);
  const before = { ...claimed.agreed, ...arrived };
  const agreement = agreeFields({
    ...{ origin, service },
    agreed: before,
    decided: claimed.decided ?? {},
    winnerOf: (field) =>
      serviceWins.includes(field) ? 'service' : originWins.includes(field) ? 'origin' : 'person',
  });
  return Object.keys(arrived).length > 0 ? { ...agreement, before } : agreement;
}

/**
 * What we wrote a moment ago may not be shown yet, and what was there before would seem to be somebody's change: it is looked at again once
 * everything is shown. null: what is shown may be judged.
 */
export function waitUntilShown(work: SubmissionWork, service: Fields): Promise<Advanced> | null {
  const { agreed, sentAgoMs } = work.claimed;
  const waitMs = quietPeriodMs(work.stage.timing) - (sentAgoMs ?? Number.POSITIVE_INFINITY);
  if (waitMs <= 0 || agreed === null || !hasServiceChanged(agreed, [], service)) return null;
  return rest(work, { action: 'waits-to-look', dueInMs: Math.ceil(waitMs) });
}

/** Of what is made there: both have the same. */
export function freshly(origin: Fields): Written {
  const agreed = Object.entries(origin).map(([field, value]) => [field, { origin: value, service: value }]);
  return { write: Object.keys(origin), conflicts: [], agreed: Object.fromEntries(agreed) as Agreed };
}

/** What we wrote ourselves and had no answer to is no change at the service. */
function writtenInDoubt({ state, request }: SubmissionRecord, shown: Fields): Agreed {
  if (state !== 'unknown' || request === null) return {};
  const written = Object.entries(shownFields(request.body)).filter(
    ([field, value]) => shown[field] === value,
  );
  return Object.fromEntries(written.map(([field, value]) => [field, { origin: value, service: value }]));
}

export function guidsOf(found: readonly { readonly guid: string }[]): string {
  return found
    .map(({ guid }) => guid)
    .join(', ')
    .slice(0, 400);
}

/** What both agree upon goes on record; what they do not is shown to a person, and keeps nothing else from going on. */
export function settled(
  { claimed }: SubmissionWork,
  { agreed, conflicts }: Written,
): Pick<SubmissionChange, 'fields' | 'incidents'> {
  const { tenantName: tenant, kind, reference, id } = claimed;
  if (conflicts.length === 0) return { fields: { agreed, conflicts } };
  const fields = conflicts.map(({ field }) => field).join(', ');
  const about = { severity: 'warning', fingerprint: id } as const;
  return {
    fields: { agreed, conflicts },
    incidents: [incident('FIELDS_IN_CONFLICT', { tenant, kind, reference, fields }, about)],
  };
}
