// Records of one kind that share a reference. The reference belongs to the record that came first; a record with another content from
// another place is refused with both places and is never sent. The same place may change its record, as may any place where the first
// one is gone and the kind is kept in step.
import type { SubmissionKind, SubmissionState } from '../domain/submission.js';
import type { OriginProblem } from '../origins/origin.js';
import { mayTakeOver } from './late-change.js';

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

export interface Twin extends Holder {
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
