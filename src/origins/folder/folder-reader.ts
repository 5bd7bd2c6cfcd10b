// What is in the files of a watched folder.
import type { OriginProblem, OriginRecord } from '../origin.js';

export interface FileToRead {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** Another file beside it that says more of it; null: there is none. */
  readonly companion: Uint8Array | null;
  /** The day on which it was last changed. */
  readonly changedOn: string;
}

export interface FileReading {
  readonly records: readonly OriginRecord[];
  readonly problems: readonly OriginProblem[];
  /** Two files with the same identity are one, whatever they are called. */
  readonly identity?: string;
}

export interface FolderReader {
  takes(file: string): boolean;
  companion?(file: string): string;
  read(file: FileToRead): FileReading;
}
