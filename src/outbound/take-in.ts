// Step 1: what an origin has that is new goes on record, with the cursor behind it, before anything is done about it.
import { submissionKey, type SubmissionKind, type SubmissionState } from '../domain/submission.js';
import type { Origin, OriginProblem } from '../origins/origin.js';
import type { FailPoints } from '../sync/fail-points.js';
import type { OriginStore, TakenIn, OutboundTenant } from './stage.js';
import { contentText } from '../origins/content.js';

/** What there is more comes at the next look. */
const LOOKS_MAX = 20;

export async function takeIn(
  store: OriginStore,
  failPoints: FailPoints,
  tenant: Pick<OutboundTenant, 'name' | 'environment' | 'sourceAccount' | 'series' | 'origins'>,
  origin: Origin,
): Promise<TakenIn & { readonly hasAnswered: boolean }> {
  const { environment, sourceAccount } = tenant;
  const series = tenant.series[origin.name] ?? '';
  const sum = { added: 0, changed: 0, late: 0, taken: 0 };
  const origins = [...tenant.origins.keys()];
  let cursor = await store.cursor(tenant.name, origin.name);
  for (let look = 0; look < LOOKS_MAX; look++) {
    const { more, isResting, ...changes } = await origin.changes(cursor);
    if (isResting) return { ...sum, hasAnswered: false };
    if (changes.cursor === cursor && changes.records.length === 0) break;
    const records = changes.records.map((record) => ({
      ...record,
      key: submissionKey({
        environment,
        sourceAccount,
        kind: record.kind,
        series,
        reference: record.reference,
      }),
    }));
    const taken = await store.takeIn(tenant.name, origin.name, { ...changes, records, origins });
    sum.added += taken.added;
    sum.changed += taken.changed;
    sum.late += taken.late;
    sum.taken += taken.taken;
    await failPoints.reach('after-taken-in', { tenantName: tenant.name });
    cursor = changes.cursor;
    if (!more) break;
  }
  return { ...sum, hasAnswered: true };
}

// A record that changes at its origin: whether that may still change what goes to the service, and whether it sets it going again.

/** Nothing of it was sent, or nothing of it stands there any more. */
const OPEN: ReadonlySet<SubmissionState> = new Set(['received', 'held', 'refused', 'skipped', 'withdrawn']);
/** Something of it is under way, or waits for a person. */
const UNDER_WAY: ReadonlySet<SubmissionState> = new Set(['sending', 'unknown', 'parked', 'withdrawing']);

/** Customers and items may always be updated, and hours corrected. */
const KEPT_UP: ReadonlySet<SubmissionKind> = new Set(['customer', 'item', 'hours']);
/** Drafts and orders until an invoice was made of them; of anything else a person hears once it was sent. */
const PREPARED: ReadonlySet<SubmissionKind> = new Set(['draft', 'order']);

export function isPrepared(kind: SubmissionKind): boolean {
  return PREPARED.has(kind);
}

export function mayChange(kind: SubmissionKind, state: SubmissionState): boolean {
  return PREPARED.has(kind) || mayTakeOver(kind, state);
}

/** Another record of the same reference may stand in its place from now on: what was sent of a sale stays that sale. */
function mayTakeOver(kind: SubmissionKind, state: SubmissionState): boolean {
  return KEPT_UP.has(kind) || OPEN.has(state);
}

/** A request of it is under way, and what it was made of is compared with what its origin says when that is done. */
export function isLeftToWork(kind: SubmissionKind, state: SubmissionState): boolean {
  return (isPrepared(kind) || kind === 'invoice') && (state === 'sending' || state === 'unknown');
}

/** All that an origin may say of an invoice that was sent: it is paid by now. */
export function isOnlyPaid(kind: SubmissionKind, before: string, after: string): boolean {
  if (kind !== 'invoice') return false;
  const { mark_paid: was, method_payment: _by, ...rest } = JSON.parse(before) as Payable;
  const { mark_paid: is, method_payment: _now, ...other } = JSON.parse(after) as Payable;
  return was !== true && is === true && contentText(rest) === contentText(other);
}

interface Payable {
  readonly mark_paid?: boolean;
  readonly method_payment?: unknown;
}

/** It rests on, with its reason, and goes as it is now when it is set going: a change takes back no person's decision. */
export function restsOn(kind: SubmissionKind, state: SubmissionState, reason: string | null): boolean {
  if (UNDER_WAY.has(state)) return true;
  // Hours that their origin had deleted are back there.
  if (state === 'withdrawn') return kind !== 'hours';
  return state === 'skipped' && reason !== 'DELETED_AT_ORIGIN';
}

// Records of one kind that share a reference. The reference belongs to the record that came first; a record with another content from
// another place is refused with both places and is never sent. The same place may change its record, as may any place where the first
// one is gone and the kind is kept in step.

/** Where the record of a reference came from, as it is on record. */
export interface Holder {
  readonly origin: string;
  /** null: from before slots were on record, or its origin has none; empty: its file is gone. */
  readonly slot: string | null;
  readonly place: string;
}

interface Coming {
  readonly kind: SubmissionKind;
  readonly origin: string;
  readonly slot?: string | undefined;
  readonly place: string;
}

/** What the file of a holder is set to when it is gone. */
export const NO_SLOT = '';

/** Customers and items are kept in step: a new file takes the place of one that is gone. */
const IN_STEP: ReadonlySet<SubmissionKind> = new Set(['customer', 'item']);

/** `adopts`: with the same content, its reference belongs to this place from now on. */
export function judgePlace(
  holder: Holder,
  coming: Coming,
  origins: readonly string[] | undefined,
): { readonly mayReplace: boolean; readonly adopts: boolean } {
  // A customer that only an invoice had named.
  if (holder.origin === '') return { mayReplace: true, adopts: false };
  const isRenamed = origins !== undefined && !origins.includes(holder.origin);
  const isSame =
    (isRenamed || holder.origin === coming.origin) &&
    (coming.slot === undefined || coming.slot === slotOf(holder));
  const isLeft = isRenamed || holder.slot === NO_SLOT;
  return { mayReplace: isSame || (isLeft && IN_STEP.has(coming.kind)), adopts: isLeft };
}

function slotOf({ slot, place }: Holder): string {
  return slot ?? place.slice(0, place.lastIndexOf(':'));
}

/** `a.jsonl#2` is the second record of a reference in that file. */
function fileOf(slot: string): string {
  return slot.replace(/#\d+$/, '');
}

interface Twin extends Holder {
  readonly key: string;
  readonly kind: SubmissionKind;
  readonly hash: string;
  readonly first: Holder & { readonly key: string; readonly state: SubmissionState; readonly hash: string };
}

export interface Looked {
  readonly origin: string;
  readonly records: readonly { readonly key: string; readonly slot?: string | undefined }[];
  readonly problems: readonly OriginProblem[];
  readonly looked: readonly string[];
  readonly gone?: readonly string[] | undefined;
  /** Keys of the twins that this look has found. */
  readonly found: ReadonlySet<string>;
}

/**
 * What a look makes of a record whose reference was taken: `ends`: its place has it no more, or both say the same; `takes-over`: the first
 * place gave the reference up.
 */
export function judgeTwin(twin: Twin, look: Looked): 'stays' | 'ends' | 'takes-over' {
  if (twin.hash === twin.first.hash) return 'ends';
  const isSeen = twin.origin === look.origin && look.looked.includes(fileOf(slotOf(twin)));
  if (isSeen && !look.found.has(twin.key)) return 'ends';
  return isGivenUp(twin, look) && mayTakeOver(twin.kind, twin.first.state) ? 'takes-over' : 'stays';
}

function isGivenUp({ kind, first }: Twin, { origin, records, problems, looked, gone = [] }: Looked): boolean {
  if (first.slot === NO_SLOT) return IN_STEP.has(kind);
  const slot = slotOf(first);
  const file = fileOf(slot);
  if (first.origin !== origin || !looked.includes(file) || gone.includes(file)) return false;
  // A record that cannot be read now may be the one.
  if (problems.some(({ place }) => place === file || place.startsWith(`${file}:`))) return false;
  return !records.some((record) => record.key === first.key && record.slot === slot);
}

/** A person lets a record go in place of the first one, which must not be on its way by itself. */
export function mayTakePlace(kind: SubmissionKind, state: SubmissionState): boolean {
  if (state === 'refused' || state === 'skipped' || state === 'withdrawn') return true;
  return IN_STEP.has(kind) && (state === 'acknowledged' || state === 'received' || state === 'held');
}
