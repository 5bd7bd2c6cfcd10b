// What the closing of a period reads and keeps.
import type { Guid, IsoDate, TenantName } from '../../domain/ids.js';
import type { BookedKind } from '../../domain/source-document.js';
import type { JournalJson } from '../../domain/journal-json.js';
import type { Message } from '../../domain/message.js';
import type { CertificateHead, CertificateSummary } from '../../certificate/certificate.js';
import type { CreditNoteReader } from '../../sync/reconcile.js';
import type { Companies } from '../access/reach.js';
import type { Act } from '../act.js';
import type { Period } from '../connected-tenants.js';

/** A document with everything on record that belongs to it. */
export interface ClosingDocument {
  readonly postingId: string;
  readonly kind: BookedKind;
  readonly guid: Guid;
  readonly number: string;
  readonly issueDate: IsoDate;
  readonly amount: string;
  readonly currency: string;
  readonly sourceStatus: string;
  readonly contentHash: string | null;
  /** SHA-256 of the record as the source handed it over. */
  readonly snapshotHash: string | null;
  readonly key: string;
  /** Of the journal of its day, where it was booked with others. */
  readonly summaryKey: string | null;
  /** Of the journal of a day: what undid parts of it. */
  readonly undone: readonly UndonePart[];
  readonly generation: number;
  readonly state: string;
  readonly reason: Message | null;
  readonly journal: string | null;
  readonly settlement: string | null;
  readonly postingDate: IsoDate | null;
  readonly erpNumber: string | null;
  readonly settlementNumber: string | null;
  /** Who last decided about it; the bridge's own part where no person did. */
  readonly decidedBy: string;
  readonly originals: readonly ClosingOriginal[];
  /** Place in the audit chain and hash of every entry about it. */
  readonly audit: readonly string[];
  /** Booked by hand and marked so: no entry of it stands under a key of ours. */
  readonly bookedElsewhere: boolean;
}

export interface UndonePart {
  readonly key: string;
  readonly journal: JournalJson;
}

export interface ClosingOriginal {
  readonly role: string;
  readonly state: string;
  readonly reason: string | null;
  readonly sha256: string | null;
  readonly size: number | null;
  readonly erpFileName: string | null;
  readonly generation: number;
  /** The day since which the law no longer wants it kept; only on those. */
  readonly expired?: string;
}

export interface CertificateRow {
  readonly id: string;
  readonly tenantName: TenantName;
  readonly from: string;
  readonly to: string;
  readonly madeAt: string;
  readonly madeBy: string;
  readonly verdict: 'green' | 'red';
  readonly root: string;
  readonly records: number;
  readonly publicKey: string | null;
  readonly file: string;
  readonly summary: CertificateSummary;
  /** null: made before it was kept. */
  readonly head: CertificateHead | null;
  /** Documents of the period that came, changed or moved since; 0: it still says what is. */
  readonly changedSince: number;
  /** A later one covers the whole period: what changed since is in that one. */
  readonly superseded: boolean;
}

export interface NewCertificate {
  readonly tenantName: TenantName;
  readonly from: string;
  readonly to: string;
  readonly madeAt: string;
  readonly root: string;
  readonly records: number;
  readonly publicKey: string | null;
  readonly signature: string | null;
  readonly file: string;
  readonly summary: CertificateSummary;
  readonly head: CertificateHead;
}

export interface ClosingRecords extends CreditNoteReader {
  /** Issued in the period, or booked in it; by id, in pages. */
  documents(
    tenant: TenantName,
    period: Period,
    after: string | null,
    limit: number,
  ): Promise<readonly ClosingDocument[]>;
  /** The record that the document was booked from, as JSON text; null: it was not kept. */
  snapshot(postingId: string): Promise<string | null>;
  /** Which of these numbers belong to an invoice of any period. */
  knownNumbers(tenant: TenantName, numbers: readonly string[]): Promise<ReadonlySet<string>>;
  audit(
    tenant: TenantName,
  ): Promise<{ readonly length: string; readonly head: string; readonly whole: boolean }>;
  /** The day on which the records were put back to an earlier state, while posts still look into the ERP first; null: not lately. */
  restoredOn(): Promise<string | null>;
  certificates(companies: Companies, limit: number): Promise<readonly CertificateRow[]>;
  certificate(id: string): Promise<CertificateRow | null>;
  /** The last one of the tenant, whatever it covers. */
  previous(tenant: TenantName): Promise<{ readonly root: string; readonly to: string } | null>;
  /** null: another one was made meanwhile, so that this one does not follow the last; nothing was written. */
  save(act: Act, certificate: NewCertificate): Promise<string | null>;
}
