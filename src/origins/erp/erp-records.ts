// What an ERP must be able to do to be an origin: list what changed, read it as records, be told. Each ERP does it in its own folder (`src/erp/*/origin`).
import type { SubmissionKind } from '../../domain/submission.js';
import type { Told as Words } from '../../domain/message.js';
import { type OriginProblem, type OriginRecord, problemAt, type Told } from '../origin.js';
import { contentText, readContent } from '../../outbound/content.js';
import { CodedError } from '../../domain/errors/coded-error.js';
import type { Answer } from '../../erp/answer.js';

/** One thing of the ERP that was changed. */
export interface Listed {
  readonly id: string;
  /** When, by the ERP's clock: ISO without a zone, so that text sorts as time. */
  readonly at: string;
  /** Where the list goes on after it. */
  readonly position: string;
}

/** What one thing became. An invoice comes after its customer; what is none of ours becomes nothing. */
export interface Reading {
  readonly id: string;
  readonly records: readonly OriginRecord[];
  readonly problems: readonly OriginProblem[];
  /** Its place: the problems given here are all that it has. */
  readonly looked: string;
}

/** The things of one kind, in an order of their own that a page can be continued in. */
export interface ErpFeed {
  /** In the cursor, so it never changes. */
  readonly name: string;
  readonly kinds: readonly SubmissionKind[];
  /** What else its records are made of. Where that has changed everything is read again, which changes nothing of what is the same. */
  readonly basis?: string;
  /** Its stamps are to the second: what has the newest one may have changed again under it. */
  readonly isCoarse?: true;
  /** Changed at `since` or later, behind `after`; null: from the beginning. */
  list(since: string | null, after: string | null): Promise<ErpPage>;
  read(ids: readonly string[]): Promise<readonly Reading[]>;
  /** The id of what is called so; null: it is not there. */
  find(reference: string): Promise<string | null>;
}

export interface ErpPage {
  readonly entries: readonly Listed[];
  /** There are more behind the last one. */
  readonly isFull: boolean;
}

/** Something that people have put beside a document. */
export interface ErpFile {
  /** The document that it stands beside, by the id that its feed has. */
  readonly of: string;
  readonly name: string;
  /** null: it is no file, but a link to one. */
  readonly bytes: number | null;
  readonly at: string;
  /** Other bytes are another version. */
  readonly version: string;
}

/** null: it is gone, or another version by now. */
export type ReadErpFile = (named: Pick<ErpFile, 'at' | 'version'>) => Promise<Uint8Array | null>;

export interface ErpRecords {
  readonly feeds: readonly ErpFeed[];
  /** Left out: it hands out none. */
  readonly file?: ReadErpFile;
  /** What is not installed there and is needed for what it hands over, in words. */
  missing(): Promise<readonly Words[]>;
  /** What is set there so that something would happen twice, in words; left out: nothing that it knows of. */
  doubts?(): Promise<readonly Words[]>;
  /** Twice is once. */
  tell(told: Told): Promise<void>;
  close(): Promise<void>;
}

// A record as the port has it, from what an ERP says; or what keeps it from being one.

export interface ErpRecord {
  readonly kind: SubmissionKind;
  readonly reference: string;
  readonly value: unknown;
  /** Where it has a place of its own. */
  readonly place?: string;
  /** Whether the ERP has it in its books, or the bridge is to book it; left out: the tenant file says. */
  readonly booked?: 'origin' | 'bridge';
}

/** Of all records of one thing; one that cannot be read keeps the others of it back too. */
export function asReading(id: number | string, place: string, all: readonly ErpRecord[]): Reading {
  const records: OriginRecord[] = [];
  for (const { kind, reference, value, booked, place: own = place } of all) {
    const read = readContent(kind, value);
    if (read.outcome === 'problem') return unfit(id, place, read.words);
    const content = contentText(read.content);
    records.push({ kind, reference, place: own, content, ...(booked === undefined ? {} : { booked }) });
  }
  return { id: String(id), records, problems: [], looked: place };
}

export function unfit(id: number | string, place: string, words: Words): Reading {
  return { id: String(id), records: [], problems: [problemAt(place, words)], looked: place };
}

// What an ERP answers when it is read as an origin; whatever else it says is an error, and the look is repeated later.

export function answered<T>(answer: Answer<T>): T {
  if (answer.outcome === 'ok') return answer.value;
  const { message, said } = answer;
  throw new CodedError('ERP_ORIGIN_FAILED', message, said === undefined ? {} : { said });
}

// What an ERP says, without what it leaves empty: an empty field says nothing.

export function given(fields: Readonly<Record<string, string | null | undefined>>): Record<string, string> {
  const filled: Record<string, string> = {};
  for (const [name, value] of Object.entries(fields)) {
    const text = value?.trim() ?? '';
    if (text !== '') filled[name] = text;
  }
  return filled;
}

// What became of a record, in the few lines that an ERP can hold anywhere; the mark in them tells them from what people write.

export function noteOf({ kind, state, number, guid, paymentLink, why, mark, atService = {} }: Told): string {
  const lines = [
    `${kind} ${number ?? ''}`.trim() + `: ${state}`,
    why,
    guid === null ? null : `guid ${guid}`,
    paymentLink === null ? null : `payment link ${paymentLink}`,
    ...Object.entries(atService).map(([field, value]) => `${field} at the service: ${value.slice(0, 200)}`),
    `mark ${mark}`,
  ];
  return lines.filter((line) => line !== null).join('\n');
}

// At the service a kennitala is one customer; an ERP may have several with it. None of them speaks for it then, or each would overwrite what
// another has said: a person decides, by mending it in the ERP. Invoices of any of them go out all the same, each with its own customer, who is
// taken as it is where the service has the kennitala already.

/** Kennitala → what the ERP calls those that have it, where there are several. */
export type Twins = ReadonlyMap<string, string>;

export function twinsAmong(
  all: readonly { readonly record: ErpRecord | null; readonly name: string }[],
): Twins {
  const named = new Map<string, string[]>();
  for (const { record, name } of all)
    if (record !== null)
      named.set(record.reference, [...(named.get(record.reference) ?? []), name.slice(0, 80)]);
  const several = [...named].filter(([, names]) => names.length > 1);
  return new Map(several.map(([kennitala, names]) => [kennitala, names.slice(0, 10).join(', ')]));
}

/** What is sold, behind whom it was sold to. */
export function sold(sale: ErpRecord, customer: ErpRecord, twins: Twins): ErpRecord[] {
  if (!twins.has(customer.reference)) return [customer, sale];
  return [{ ...sale, value: { ...(sale.value as object), customer: customer.value } }];
}
