// A change of a posting that an act of a person makes.
import type { TenantName } from '../domain/ids.js';
import type { PostingState } from '../domain/posting.js';
import type { Reason } from '../domain/message.js';

export interface Move {
  readonly postingId: string;
  readonly tenantName: TenantName;
  readonly from: PostingState;
  readonly fence: number;
  /** null: stays where it is. */
  readonly to: PostingState | null;
  /** When to look again; null: only an event or a person. */
  readonly dueInMs: number | null;
  /** null clears it. */
  readonly why: Reason | null;
  /** A status to write at the source. */
  readonly writeBack?: { readonly wanted: 'Skipped' | 'Error' | 'Posted'; readonly message: string };
}
