// What is on record of a summary and of the documents in it. The store implements it on PostgreSQL, the simulation in memory.
import type { Guid, PostingKey, TenantName } from '../../domain/ids.js';
import type { Reason } from '../../domain/message.js';
import type { IsoDate, SourceKind } from '../../domain/source-document.js';
import type { ErpReference } from '../../erp/erp-adapter.js';
import type { SummaryName } from '../mapping/summarise.js';

/** A document that was read after its day was closed, and waits to be put together with the others of it. */
export interface ReadyDocument {
  readonly postingId: string;
  readonly fence: number;
  readonly kind: SourceKind;
  readonly guid: Guid;
  readonly number: string;
  readonly key: PostingKey;
  readonly journal: string;
}

/** One that is in a summary. */
export type SummaryMember = Omit<ReadyDocument, 'fence'>;

/** Of a document: the summary that it is in. */
export interface MemberOf {
  readonly postingId: string;
  readonly key: PostingKey;
}

/** Where a document goes when its summary was refused. */
export interface Released {
  readonly postingId: string;
  readonly to: 'held' | 'parked' | 'mapped';
  readonly reason: Reason;
  readonly dueInMs: number | null;
}

/**
 * What becomes of the documents of a summary, in the commit that says what becomes of the summary itself. `take`: they are fixed,
 * each as it was read, or nothing at all is committed (SUMMARY_CHANGED). `posted`: its entry is theirs, and each is told to the source
 * by itself. `tell`: they stay, and say why. `release`: nothing of it is in the books, nor on its way there.
 */
export type MembersChange =
  | {
      readonly act: 'take';
      readonly documents: readonly ReadyDocument[];
      readonly reason: Reason;
    }
  | { readonly act: 'posted'; readonly reference: ErpReference; readonly message: string }
  | { readonly act: 'tell'; readonly reason: Reason }
  | { readonly act: 'release'; readonly documents: readonly Released[] };

export interface NewSummary extends SummaryName {
  readonly key: PostingKey;
  readonly number: string;
}

export interface SummaryStore {
  /**
   * Days with documents that are ready, while no summary of theirs is under way and none of theirs is about to be read; with the number
   * of the next summary, which is that of the last one where nothing came of it. One that waits for a person keeps the next from being
   * begun only where the database was restored: it may hold what was forgotten.
   */
  ready(tenantName: TenantName, limit: number): Promise<readonly SummaryName[]>;
  /** Insert or begin anew, with their wake-ups; how many. */
  begin(tenantName: TenantName, summaries: readonly NewSummary[]): Promise<number>;
}

export interface SummaryReader {
  /** Those that nobody has claimed; the first ones by their number. */
  readyDocuments(
    tenantName: TenantName,
    kind: SourceKind,
    day: IsoDate,
    limit: number,
  ): Promise<readonly ReadyDocument[]>;
  /** In the order in which they were taken. */
  summaryMembers(summaryId: string): Promise<readonly SummaryMember[]>;
}
