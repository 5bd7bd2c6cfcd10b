// What the explorer needs of a world: what may happen next, what may never be true, and all that its future depends on.
import type { Option, Path, StillKernel } from './path.js';

export interface Deed extends Option {
  act(): void;
}

export interface ExploredWorld {
  readonly kernel: StillKernel;
  prepare(): Promise<void>;
  /** What may happen next, the ordinary first; nothing: the world has come to rest. */
  deeds(): Deed[];
  /** Promises that may not be broken at any moment, and are. */
  unsafe(): string[];
  /** Promises that must be kept when all is quiet, and are not. */
  unkept(): string[];
  /** Everything that its future depends on; times are relative to now. */
  state(): unknown;
}

export type WorldMaker = (path: Path) => ExploredWorld;
