// What the stage that carries originals works with, and what a tenant wishes of it.
import type { Runtime } from '../../domain/runtime.js';
import type { FailPoints } from '../fail-points.js';
import type { PostTiming } from '../../sync/work.js';
import type { OriginalRecords, OriginalVault } from './records.js';

export interface OriginalsStage {
  readonly runtime: Runtime;
  readonly records: OriginalRecords;
  readonly vault: OriginalVault;
  readonly failPoints: FailPoints;
  readonly timing: PostTiming;
}

export interface OriginalsWish {
  /** false: they are kept here, and the ERP gets none. */
  readonly attach: boolean;
  readonly bytesMax: number;
}
