// A document at the simulated service.
import type { Guid, IsoDate } from '../../src/domain/ids.js';
import type { SourceKind } from '../../src/domain/source-document.js';

export interface SimulatedDocument {
  readonly guid: Guid;
  readonly kind: SourceKind;
  readonly number: string;
  amount: number;
  issueDate: IsoDate;
  /** Of a cost; the rules know 2093. */
  costCode: string;
  accountingStatus: string;
  status: string;
  deleted: boolean;
  /** Rises with every edit, and stands in the description. */
  version: number;
  /** Of each version, the first one first. */
  readonly amounts: number[];
  /** Half of it has come in by a claim. */
  isHalfPaid?: boolean;
  /** Of a credit note: guid of the invoice that it takes back. */
  readonly credits?: string;
  /** What stands in that field, which carries the mark of what we made. */
  readonly booking?: string;
  /** It was made through the API, or by a template: nobody edits or deletes what was issued. */
  readonly isMade?: true;
  /** Its record cannot be read; lists show it all the same. */
  isGarbled?: boolean;
  /** Net of its one line; another number makes it contradict itself. */
  net: number;
}
