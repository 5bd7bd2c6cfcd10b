// What is on record of a booked document and of its releases. The store implements it on PostgreSQL, the simulation in memory.
import type { Guid, PostingKey, TenantName } from '../../domain/ids.js';
import type { PostingState } from '../../domain/posting.js';
import type { IsoDate, SourceKind } from '../../domain/source-document.js';

export interface KnownRelease {
  readonly postingId: string;
  readonly guid: Guid;
  readonly state: PostingState;
  readonly isBooked: boolean;
}

export interface BookedDocument {
  readonly state: PostingState;
  /** Somebody has claimed it, or a reversal of it was sent. */
  readonly isBusy: boolean;
  readonly generation: number;
  readonly journal: string | null;
  readonly contentHash: string | null;
  readonly snapshot: string | null;
  readonly number: string;
  readonly counterpartyName: string;
  readonly counterpartyKennitala: string;
  readonly releases: readonly KnownRelease[];
}

/** The entry of a document, by its generation, and a day on which part of it is released. */
export interface ReleaseName {
  readonly kind: SourceKind;
  readonly guid: Guid;
  readonly generation: number;
  readonly day: IsoDate;
}

export interface DueRelease extends ReleaseName {
  readonly number: string;
  readonly counterpartyName: string;
  readonly counterpartyKennitala: string;
}

export interface NewRelease extends DueRelease {
  readonly key: PostingKey;
}

export interface ReleaseStore {
  /** Days that have come, of documents in the books that the source was told of, for which nothing was begun. */
  due(tenantName: TenantName, today: IsoDate, limit: number): Promise<readonly DueRelease[]>;
  /** Insert or ignore, with their wake-ups; how many were new. */
  begin(tenantName: TenantName, releases: readonly NewRelease[]): Promise<number>;
}

/** It says all that a release is, so a database that forgot one begins the same one again, under the same key. */
export function releaseGuid({ kind, guid, generation, day }: ReleaseName): string {
  return [guid, kind, generation, day].join('.');
}

export function readReleaseGuid(text: string): ReleaseName {
  const parts = text.split('.');
  const [kind, generation, day] = parts.slice(-3);
  return {
    kind: kind === 'cost' ? 'cost' : 'invoice',
    guid: parts.slice(0, -3).join('.'),
    generation: Number(generation),
    day: day ?? '',
  };
}
