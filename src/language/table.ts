// The shape of the tables: a code, and a function from its parameters to a sentence. The English table is where a code and its
// parameters are declared; the other languages satisfy its type, so that the compiler names whatever they lack.
import type { Message } from '../domain/message.js';

/** A message inside another one is said in the same language. */
export type Say = (message: Message) => string;

export type TextRow = (params: never, say: Say) => string;
export type TextTable = Readonly<Record<string, TextRow>>;

export interface ReasonRow {
  /** The same on every document. */
  readonly says: string;
  /** What this one document adds to it. */
  readonly detail?: TextRow;
  /** What is missing or wrong, worded the same on every document: problems are grouped by the English one. */
  readonly about?: TextRow;
  /** What to do about it. */
  readonly cure: string;
}
export type ReasonTable = Readonly<Record<string, ReasonRow>>;

export type NoteTable = Readonly<Record<string, Omit<ReasonRow, 'about' | 'cure'>>>;

type GivenTo<Row> = Row extends (params: infer Given, ...rest: never[]) => string
  ? unknown extends Given
    ? object
    : Given
  : object;

export type ParamsOf<Row> = Row extends TextRow
  ? GivenTo<Row>
  : (Row extends { detail: infer Detail } ? GivenTo<Detail> : object) &
      (Row extends { about: infer About } ? GivenTo<About> : object);

/** Parameters may be left out where a message has none, or only optional ones. */
export type Given<Row> = object extends ParamsOf<Row> ? [params?: ParamsOf<Row>] : [params: ParamsOf<Row>];

type SameRow<Row> = (params: GivenTo<Row>, say: Say) => string;

export type Translated<Table extends TextTable> = { readonly [Code in keyof Table]: SameRow<Table[Code]> };

/** Every part that the English row has, and no other. */
export type TranslatedReasons<Table> = {
  readonly [Code in keyof Table]: {
    readonly [Part in keyof Table[Code]]: Table[Code][Part] extends string
      ? string
      : SameRow<Table[Code][Part]>;
  };
};
