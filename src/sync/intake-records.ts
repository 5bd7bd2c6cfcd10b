// What a sweep has on record. The store implements it on PostgreSQL, the simulation in memory.
import type { Guid, TenantName } from '../domain/ids.js';
import type { SourceKind } from '../domain/source-document.js';
import type { ListedDocument } from '../service/invoicing-source.js';
import type { NewIncident } from '../language/incidents/incident-text.js';

export interface CursorRecord {
  readonly fromDate: string;
  readonly fullSweepDue: boolean;
  /** null: never. */
  readonly lastFullSweepAgeMs: number | null;
}

export interface SweepReport {
  readonly mode: 'fast' | 'full';
  readonly pages: number;
  readonly listed: number;
  readonly discovered: number;
  readonly reopened: number;
  readonly problems: number;
  readonly expectedCount: number | null;
  readonly outcome: 'complete' | 'incomplete' | 'failed';
  readonly message: string;
}

export interface BegunSweep {
  readonly id: string;
  /** Changes with every write to the cursor; null: there is none yet. */
  readonly cursorVersion: string | null;
}

/** What the source says of a document that a complete list did not show. */
export interface ReadAgain {
  readonly guid: Guid;
  /** `gone`: it was deleted. */
  readonly status: string;
}

export interface Recorded {
  readonly discovered: number;
  readonly reopened: number;
  /** Known not to be Created, since before the list was read: the list is behind, or the document is new in an old place. */
  readonly contradicted: number;
  readonly incidents: number;
}

export interface IntakeStore {
  cursor(tenantName: TenantName, kind: SourceKind): Promise<CursorRecord | null>;
  /** A full sweep is asked for until it is complete: one that is killed half-way is made again. */
  beginSweep(tenantName: TenantName, kind: SourceKind, mode: 'fast' | 'full'): Promise<BegunSweep>;
  /**
   * Insert-or-ignore, in one transaction, with their wake-ups. Known documents: a deferred one is looked at now, one that we
   * marked Skipped or Error and that is Created again was reopened by a person and begins anew.
   */
  recordListed(
    tenantName: TenantName,
    documents: readonly ListedDocument[],
    keyOf: (document: ListedDocument, generation: number) => string,
    /** How long ago the list began to be read: what we did since then is not contradicted by it. */
    listingAgeMs: number,
  ): Promise<Recorded>;
  /** Only a complete full sweep answers a request for one, and only a request from before it began. */
  finishSweep(
    begun: BegunSweep,
    tenantName: TenantName,
    kind: SourceKind,
    report: SweepReport,
    cursor: { readonly fromDate: string; readonly fullSweepDue: boolean; readonly full: boolean } | null,
  ): Promise<void>;
  /** Now, by the clock that says when a document was listed. */
  moment(): Promise<string>;
  /** How many documents of this kind we hold to be Created at the source; `since`: of those that were listed from that moment on. */
  countWaiting(tenantName: TenantName, kind: SourceKind, since?: string): Promise<number>;
  /** Guids of what rests, is held to be Created, and was not listed since this sweep began; the longest unseen first. */
  unlisted(
    begun: BegunSweep,
    tenantName: TenantName,
    kind: SourceKind,
    limit: number,
  ): Promise<readonly string[]>;
  /**
   * The status goes on record. What waits is looked at now; what is parked, was deleted and cannot be in the books is over; of
   * what is parked and may be in the books a person hears.
   */
  recordReadAgain(
    begun: BegunSweep,
    tenantName: TenantName,
    kind: SourceKind,
    read: readonly ReadAgain[],
  ): Promise<void>;
  openIncident(tenantName: TenantName, incident: NewIncident): Promise<void>;
}
