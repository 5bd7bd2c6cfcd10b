// A posting as a reconciliation sees it.
import type { Guid } from '../../domain/ids.js';
import type { BookedKind, IsoDate } from '../../domain/source-document.js';

export interface LocalPosting {
  readonly id: string;
  readonly key: string;
  /** Its entry is the journal of its day, which stands for itself; only a settlement is its own. */
  readonly isMember: boolean;
  readonly settlementKey: string | null;
  readonly kind: BookedKind;
  readonly guid: Guid;
  readonly number: string;
  readonly state: string;
  readonly issueDate: IsoDate;
  readonly totalIsk: string | null;
  /** It has an entry on record; `reference` is its number, where the ERP gives one. */
  readonly isBooked: boolean;
  readonly reference: string | null;
}
