// What an ERP must be able to do to be an origin: list what changed, read it as records, be told. Each ERP has a folder beside this file.
import type { SubmissionKind } from '../../domain/submission.js';
import type { Told as Words } from '../../domain/message.js';
import type { OriginProblem, OriginRecord, Told } from '../origin.js';

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
