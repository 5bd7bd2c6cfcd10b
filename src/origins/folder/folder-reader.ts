// What is in the files of a watched folder.
import type { OriginProblem, OriginRecord } from '../origin.js';
import type { Beside } from './named-files.js';

export interface FileToRead {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** Another file beside it that says more of it; null: there is none. */
  readonly companion: Uint8Array | null;
  /** The day on which it was last changed. */
  readonly changedOn: string;
  /** Files that its records name, as far as they are there. */
  readonly beside?: Beside;
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
  /** Files that its records name. */
  names?(file: Pick<FileToRead, 'name' | 'bytes'>): readonly string[];
  /** The bytes of a file that is inside this one; null: it is not. */
  embedded?(file: Pick<FileToRead, 'name' | 'bytes'>, at: string): Uint8Array | null;
  read(file: FileToRead): FileReading;
}
