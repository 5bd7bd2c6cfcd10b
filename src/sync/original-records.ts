// What is on record of original files. A store promises: `commit` is one transaction, a compare-and-set on (id, fence), refused with false if another
// process has the original by now. All times are those of the database.
import type { Guid, TenantName } from '../domain/ids.js';
import type { OriginalReason, OriginalRole, OriginalState } from '../domain/original.js';
import type { SourceKind } from '../domain/source-document.js';
import type { ErpReference } from '../erp/erp-adapter.js';

export interface OriginalRecord {
  readonly id: string;
  readonly tenantName: TenantName;
  readonly postingId: string;
  readonly generation: number;
  readonly kind: SourceKind;
  readonly guid: Guid;
  /** Of the document, for people and for the name of the file in the ERP. */
  readonly documentNo: string;
  readonly role: OriginalRole;
  readonly state: OriginalState;
  readonly fence: number;
  readonly tries: number;
  readonly sha256: string | null;
  readonly contentType: string | null;
  readonly size: number | null;
  /** Of the entry that it belongs to. */
  readonly reference: ErpReference;
  /** How long ago it was last sent, by the database's clock; null: never. */
  readonly sentAgoMs: number | null;
  /** How long ago the database was put back to an earlier state; null: not lately. What was sent before may be forgotten. */
  readonly restoredAgoMs: number | null;
}

export interface StoredFile {
  readonly sha256: string;
  readonly size: number;
  readonly contentType: string;
  /** As the source called it: for people, never a path. */
  readonly sourceName: string;
}

export interface OriginalChange {
  /** Left out: it stays where it is. */
  readonly to?: OriginalState;
  readonly reason?: { readonly code: OriginalReason; readonly detail: string } | null;
  readonly file?: StoredFile;
  readonly tries?: number;
  /** When it is looked at again; null: only a person moves it. */
  readonly dueInMs: number | null;
  /** About to be sent under this name. */
  readonly sending?: { readonly fileName: string };
  /** The lease is kept: the same work goes on with it. */
  readonly keep?: boolean;
  /** What came with it: the e-invoice that was fetched together with the file of a cost. */
  readonly beside?: {
    readonly role: OriginalRole;
    readonly file: StoredFile | null;
    readonly reason: { readonly code: OriginalReason; readonly detail: string } | null;
  };
}

export interface OriginalRecords {
  /** false: somebody else has it by now; nothing was written. */
  commit(claimed: OriginalRecord, change: OriginalChange): Promise<boolean>;
}

/** Files by the hash of their bytes. What is in it under a hash has that hash, or `read` says that it has not. */
export interface OriginalVault {
  put(content: Uint8Array): Promise<{ readonly sha256: string; readonly size: number }>;
  read(sha256: string): Promise<VaultReading>;
}

export type VaultReading =
  | { readonly outcome: 'whole'; readonly content: Uint8Array }
  | { readonly outcome: 'changed' }
  | { readonly outcome: 'missing' };
