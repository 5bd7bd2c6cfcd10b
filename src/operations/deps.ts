// What the operations are given: records, connected tenants, a clock. Every act takes these, so they stand below all acts.
import type { TenantName } from '../domain/ids.js';
import type { Clock } from '../domain/runtime.js';
import type { Language } from '../language/say.js';
import type { ReconciliationReport } from '../sync/reconcile.js';
import type { PostingStore } from '../sync/posting-records.js';
import type { EditedFile, FileEdit } from '../tenants/edit-tenant-file.js';
import type { Reach } from './access/reach.js';
import type { Closing } from './closing/closing.js';
import type { ConnectedTenants, KnownTenants, Period } from './connected-tenants.js';
import type { OutgoingDeps } from './outgoing/deps.js';
import type { OperationRecords, ReadRecords } from './records.js';
import type { Rehearsal, RehearsalOptions } from './rehearsal/rehearsal.js';
import type { ChannelTrial, PlanView } from './views/act.js';

export type { ConnectedTenants, Period } from './connected-tenants.js';

/** Tenant files that people may change from the pages; tenants/edit-tenant-file.ts. */
export interface TenantFiles {
  edit(tenant: TenantName, edits: readonly FileEdit[]): Promise<EditedFile>;
  save(tenant: TenantName, edited: EditedFile): Promise<void>;
}

export interface QueuesAway {
  readonly since: string;
  readonly reason: string;
}

/** What reading needs of it. */
export interface ReadingDeps {
  readonly records: ReadRecords;
  readonly connections: KnownTenants;
  readonly clock: Clock;
  /** Why the store of the queues wakes nobody; null, or left out where PostgreSQL is that store: it does. */
  readonly queuesAway?: () => Promise<QueuesAway | null>;
  /** In which people are told. */
  readonly language: Language;
}

export interface OperationsDeps extends ReadingDeps {
  readonly connections: ConnectedTenants;
  /** null: whoever runs the bridge keeps the files to themselves. */
  readonly files: TenantFiles | null;
  readonly records: OperationRecords;
  /** Of a person who is confined to some companies (access/confine.ts). */
  readonly reach?: Reach;
  /** The pipeline's own records, with the person as the one who acts. */
  readonly postings: (actor: string) => PostingStore;
  readonly reconcile: (tenant: TenantName, period: Period) => Promise<ReconciliationReport>;
  /** Who looks at which document is in the audit; left out: it is not. */
  readonly auditsReads?: boolean;
  /** Names this process where it takes a run upon itself. */
  readonly owner: string;
  /** A test message to the channels of a tenant, or to those that hear of all. */
  readonly tryChannels: (tenant: TenantName | null) => Promise<readonly ChannelTrial[]>;
  readonly closing: Closing;
  /** The other direction. */
  readonly outgoing: OutgoingDeps;
  /** What other rules would make of everything on record; reads only. */
  readonly rehearse: (tenant: TenantName, options: RehearsalOptions) => Promise<Rehearsal>;
  /** Made lately in this process, by language and tenant; without journals. */
  readonly plans?: Map<string, { readonly plan: PlanView; readonly madeAt: number }>;
  /** Something became due: the dispatcher of this process, if there is one, looks at once. */
  readonly poke: () => void;
}
