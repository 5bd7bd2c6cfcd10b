// A tenant: one company whose documents are carried from one account of the invoicing service into one ledger.
// This is the decoded form; it holds references to secrets, never secrets, so it may be logged and stored.
import type { IsoDate } from '../domain/source-document.js';
import type { MarkField } from '../service/invoicing-target.js';
import type { OriginSettings } from '../origins/origin-settings.js';
import type { TenantRules } from '../pipeline/mapping/rules.js';
import type { Notifications } from './notification-schema.js';
import type { ProblemWords } from './problem-words.js';
import type { TenantSource } from './source-schema.js';

export interface TenantSchedule {
  /** Five or six cron fields, as node-cron reads them. */
  readonly cron: string;
  /** IANA name. */
  readonly timeZone: string;
}

export interface TenantErp {
  /** Name of an adapter in src/erp/registry.ts. */
  readonly adapter: string;
  /** Already accepted by the adapter's own configuration schema. */
  readonly settings: unknown;
}

export interface TenantLimits {
  readonly source: { readonly requestsPerSecond: number; readonly concurrency: number };
  /** null: what the adapter's capabilities say. */
  readonly erp: { readonly postingsPerSecond: number | null };
}

export interface TenantOriginals {
  readonly keep: boolean;
  readonly attach: boolean;
  readonly perSecond: number;
  readonly maxMegabytes: number;
  /** From the end of its year; seven is the least that the law allows. */
  readonly retentionYears: number;
  /** The source is told of the posting only when the originals are where they belong. */
  readonly beforeAcknowledging: boolean;
}

/** The other direction: what is made at the invoicing service. */
export interface TenantOutgoing {
  readonly origins: readonly OriginSettings[];
  /** The field of an invoice that carries our mark. */
  readonly mark: MarkField;
  /** Who books what was made there: the bridge, or nobody, because the origin has. */
  readonly booked: 'bridge' | 'origin';
  readonly customers: 'create-only' | 'update';
  readonly items: 'create-only' | 'update';
  /** Fields of a customer in which the service wins. */
  readonly serviceWins: readonly string[];
  /** Fields of a customer in which the origin wins where both have changed. */
  readonly originWins: readonly string[];
  readonly deactivatedCustomers: 'park' | 'create';
  /** How often changes at the service are looked for. */
  readonly customersEveryMinutes: number;
  readonly settlementDays: number;
  /** Whether AI may read receipts at this account before anything shows them. */
  readonly costAi: boolean;
  readonly perDay: number;
}

/** What a tenant may want two people for. */
export const FOUR_EYES_ACTS = ['plan', 'reversal', 'surely-absent'] as const;
export type FourEyesAct = (typeof FOUR_EYES_ACTS)[number];

export interface Tenant {
  /** Short and stable: rows, logs and commands name the tenant by it. */
  readonly name: string;
  readonly title: string;
  /** With references where the secrets will be; resolveSource makes SourceSettings of it. */
  readonly source: TenantSource;
  /** The first issue date that is the bridge's business; null: the tenant connects but posts nothing. */
  readonly cutOver: IsoDate | null;
  readonly schedule: TenantSchedule;
  readonly erp: TenantErp;
  readonly rules: TenantRules;
  /** Changes exactly when the effective rules change; recorded with every mapped document. */
  readonly rulesVersion: string;
  /** Files the rules were merged from, weakest first; the tenant's own file is the last. */
  readonly rulesFiles: readonly string[];
  readonly limits: TenantLimits;
  /** Share of the workers' time relative to other tenants; 1 unless the file says more. */
  readonly weight: number;
  readonly notifications: Notifications;
  readonly originals: TenantOriginals;
  /** null: nothing is made at the service. */
  readonly outgoing: TenantOutgoing | null;
  /** Acts that are done only when a second person agrees. */
  readonly fourEyes: readonly FourEyesAct[];
  readonly paused: boolean;
  /** Path of the tenant file. Relative paths in it start at its directory. */
  readonly file: string;
}

export interface TenantProblem extends ProblemWords {
  /** A tenant with an error is not loaded; a warning is only said. */
  readonly severity: 'error' | 'warning';
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** Where in the file, as keys joined by dots; empty: the file itself. */
  readonly path: string;
}
