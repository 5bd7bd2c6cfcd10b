// What was, for the eye: earlier comparisons, and how long documents took. Read by the dashboard only; the store implements it.
import type { TenantName } from '../domain/ids.js';
import type { Message } from '../domain/message.js';
import { say, type Language } from '../language/say.js';

import type { ReconciliationReport } from '../sync/reconcile.js';
import type { Companies } from './access/reach.js';
import type { AuditEntryView } from './views/audit.js';

export interface PastReconciliation {
  readonly id: string;
  readonly tenantName: TenantName;
  readonly from: string;
  readonly to: string;
  readonly startedAt: string;
  readonly finishedAt: string | null;
  readonly clean: boolean | null;
  readonly report: Pick<ReconciliationReport, 'counts' | 'entries' | 'differences'> | null;
}

/** How far back the charts look, in how many steps. */
export const CHART_SPANS = {
  hour: { steps: 60, stepMs: 60_000 },
  day: { steps: 24, stepMs: 3_600_000 },
} as const;
export type ChartSpan = keyof typeof CHART_SPANS;

export interface Pace {
  /** Oldest first, quiet ones included. What came to rest is counted where it rests now. */
  readonly steps: readonly {
    readonly from: string;
    readonly posted: number;
    readonly parked: number;
    readonly rejected: number;
    readonly skipped: number;
  }[];
  /** Of one tenant in one step: the slowest document from being found to being in the books. */
  readonly lag: readonly {
    readonly tenantName: TenantName;
    readonly from: string;
    readonly slowestMs: number;
  }[];
}

export interface History {
  /** Newest first. */
  reconciliations(companies: Companies, limit: number): Promise<readonly PastReconciliation[]>;
  pace(companies: Companies, span: ChartSpan, now: Date): Promise<Pace>;
}

// The facts of an audit entry in one line, as they are called in its JSON.

const CHARACTERS_MAX = 300;

export function auditFacts({ details }: Pick<AuditEntryView, 'details'>, language: Language): string {
  const { said, ...facts } = details;
  if (isMessage(said)) facts['message'] = say(language, said);
  const told = Object.entries(facts).filter(([, value]) => value !== null && value !== '');
  const text = told.map(([name, value]) => `${name}: ${textOf(value)}`).join(', ');
  return text.length > CHARACTERS_MAX ? `${text.slice(0, CHARACTERS_MAX)}…` : text;
}

function isMessage(value: unknown): value is Message {
  return typeof value === 'object' && value !== null && 'code' in value && 'params' in value;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
