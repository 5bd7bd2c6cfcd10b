// What is rehearsed, and what comes of it.
import type { Guid, TenantName } from '../../domain/ids.js';
import type { SourceKind } from '../../domain/source-document.js';
import type { TenantRules } from '../../pipeline/mapping/rules.js';

export interface RehearsalOptions {
  /** What they would be; left out: those in force, against the journals on record. */
  readonly rules?: TenantRules | undefined;
  readonly since?: string | undefined;
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

export interface Rehearsal {
  readonly tenant: TenantName;
  readonly examined: number;
  readonly same: number;
  readonly changed: number;
  /** Their journal on record came from look-ups or other rules: both sides were mapped without. */
  readonly withoutLookUps: number;
  readonly accounts: readonly AccountChange[];
  /** The first of them; `changed` counts all. */
  readonly documents: readonly DocumentChange[];
}

export interface AccountChange {
  readonly account: string;
  readonly before: string;
  readonly after: string;
}

export interface DocumentChange {
  readonly kind: SourceKind;
  readonly number: string;
  readonly guid: Guid;
  readonly state: string;
  readonly before: string;
  readonly after: string;
  readonly accounts: readonly AccountChange[];
}
