// The port of an origin: where records come from that are to stand at the invoicing service. As small as it can be: what changed
// since a cursor, one record as it is now, and what became of it. Promises of every origin (src/origins/conformance): a record that was listed is
// listed again after a cursor that was not kept; a record that cannot be read is a problem with its place, and spoils no other; telling
// twice is telling once; nothing that is being written is read.
import type { Message, Told as Words } from '../domain/message.js';
import type { SubmissionKind } from '../domain/submission.js';

export interface OriginRecord {
  readonly kind: SubmissionKind;
  /** The origin's own name for it, unique among its kind and never given to another. */
  readonly reference: string;
  /** Where people find it: a file and a line, an address. */
  readonly place: string;
  /**
   * Which of the origin's places has it, whatever line it is on: a change there corrects the record, and the same reference in another
   * slot is another record. Left out: the origin has one record of each reference.
   */
  readonly slot?: string;
  /** As the record schemas have it (origins/content), as JSON with sorted keys: the same content is the same text. */
  readonly content: string;
  /** Whether the origin has it in its books, or the bridge is to book it; left out: the tenant file says (`outgoing.booked`). */
  readonly booked?: 'origin' | 'bridge';
}

/** One record that cannot be read. */
export interface OriginProblem {
  readonly place: string;
  readonly problem: string;
  /** The same as a value, where the words are ours. */
  readonly said?: Message | undefined;
}

export function problemAt(place: string, { message: problem, said }: Words): OriginProblem {
  return said === undefined ? { place, problem } : { place, problem, said };
}

export interface OriginChanges {
  readonly records: readonly OriginRecord[];
  readonly problems: readonly OriginProblem[];
  /** Files that were read whole: the problems given here are all that they have. */
  readonly looked: readonly string[];
  /** Files of the last look that are not there any more. Left out: there are none. */
  readonly gone?: readonly string[];
  /** Kept with the records, and given back at the next look. */
  readonly cursor: string;
  /** There is more: ask again at once. */
  readonly more: boolean;
  /** It was not asked at this look, so that nothing came does not say that it answers. */
  readonly isResting?: true;
}

/** What became of a record. */
export interface Told {
  readonly kind: SubmissionKind;
  readonly reference: string;
  readonly place: string;
  /** `held`: it waits, and `why` says for what; it goes by itself when that is there. */
  readonly state: 'created' | 'refused' | 'skipped' | 'withdrawn' | 'held';
  readonly guid: string | null;
  readonly number: string | null;
  readonly paymentLink: string | null;
  readonly mark: string;
  /** In words, where it was not created. */
  readonly why: string | null;
  /** Fields of which the service has something else, that was kept, and what. Left out: there are none. */
  readonly atService?: Readonly<Record<string, string>>;
}

/** A file beside a record. */
export interface NamedAtOrigin {
  readonly name: string;
  /** Left out: it is known by its version. */
  readonly sha256?: string | undefined;
  /** Where the origin keeps it, where its name alone does not say. */
  readonly at?: string | undefined;
  /** What the origin calls these bytes of it. */
  readonly version?: string | undefined;
}

export interface Origin {
  readonly name: string;
  /**
   * What it has no more when its turn comes is not sent: people cancelled it there. Left out: what was handed over stays so, such as a
   * file that was tidied away. `lines`: nor what has less on its lines by then; the next look hands that over.
   */
  readonly takesBack?: true | 'lines';
  changes(cursor: string | null): Promise<OriginChanges>;
  /**
   * As it is now; null: the origin has it no more; a problem: it has it, and it cannot be read as it stands there now. `cursor`: of the
   * last look, for an origin whose list depends on earlier lists, so that this reads as the next list will.
   */
  read(
    kind: SubmissionKind,
    reference: string,
    place: string,
    cursor?: string | null,
  ): Promise<OriginRecord | OriginProblem | null>;
  tell(told: Told): Promise<void>;
  /**
   * The bytes of the file that stands at this place, or of one that the record at this place names, as they are now; null: it is not
   * there any more, or in another version than the one that is named. Left out: it has no files.
   */
  file?(place: string, named?: NamedAtOrigin): Promise<Uint8Array | null>;
  close(): Promise<void>;
}
