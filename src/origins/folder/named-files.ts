// Files that a record names: in a folder they stand beside its file, and over HTTP they come in its body. Either way the record keeps
// their names and hashes, and never their bytes.
import { createHash } from 'node:crypto';
import { told, type Words } from '../told.js';
import type { OriginProblem, OriginRecord } from '../origin.js';

/** A name, and no way to another place. */
const PLAIN_NAME = /^[^./\\\p{Cc}][^/\\\p{Cc}]{0,199}$/u;

export interface FileFacts {
  readonly sha256: string;
  readonly bytes: string;
}

/** What stands beside the file; Words: it cannot be read. A name that is missing is not there. */
export type Beside = ReadonlyMap<string, FileFacts | Words>;

/** The names that a record gives, of those that may be looked for. */
export function filesNamedIn(value: unknown): string[] {
  const { files } = (value ?? {}) as { readonly files?: unknown };
  return Array.isArray(files) ? files.filter((name): name is string => isPlainName(name)) : [];
}

export function isPlainName(name: unknown): name is string {
  return typeof name === 'string' && PLAIN_NAME.test(name);
}

/** The record with what is known of its files; or why it cannot be used. */
export function withFilesBeside(value: unknown, beside: Beside): { readonly value: unknown } | Words {
  const { files } = (value ?? {}) as { readonly files?: unknown };
  if (!Array.isArray(files)) return { value };
  const found: object[] = [];
  for (const name of files as readonly unknown[]) {
    if (!isPlainName(name)) return told('FILE_NAME_UNFIT', { name: written(name) });
    const facts = beside.get(name);
    if (facts === undefined) return told('WAITS_FOR_FILE', { file: name });
    if ('said' in facts) return told('AT_RECORD', { at: name, what: facts.said });
    found.push({ name, ...facts });
  }
  return { value: { ...(value as object), files: found } };
}

export interface GivenFile {
  readonly sha256: string;
  readonly content: Uint8Array;
}

const NOT_BASE64 = /[^A-Za-z0-9+/]/;

/** null: it is none. By one look at each sign, since it may be millions of them. */
export function bytesIn(base64: string): Buffer | null {
  const signs = base64.replace(/={1,2}$/, '');
  if (base64.length % 4 !== 0 || NOT_BASE64.test(signs)) return null;
  return Buffer.from(base64, 'base64');
}

/** Likewise, where each comes with its bytes as base64. */
export function withFilesGiven(
  value: unknown,
): { readonly value: unknown; readonly files: readonly GivenFile[] } | Words {
  const { files } = (value ?? {}) as { readonly files?: unknown };
  if (!Array.isArray(files)) return { value, files: [] };
  const found: object[] = [];
  const given: GivenFile[] = [];
  for (const one of files as readonly unknown[]) {
    const { name, content } = (one ?? {}) as { readonly name?: unknown; readonly content?: unknown };
    if (!isPlainName(name)) return told('FILE_NAME_UNFIT', { name: written(name) });
    const bytes = typeof content === 'string' ? bytesIn(content) : null;
    if (bytes === null) return told('FILE_NO_BASE64', { file: name });
    const facts = fileFacts(bytes);
    found.push({ name, ...facts });
    given.push({ sha256: facts.sha256, content: bytes });
  }
  return { value: { ...(value as object), files: found }, files: given };
}

export function fileFacts(bytes: Uint8Array): FileFacts {
  return { sha256: createHash('sha256').update(bytes).digest('hex'), bytes: String(bytes.byteLength) };
}

function written(name: unknown): string {
  return typeof name === 'string' ? name.slice(0, 80) : '';
}

// What is in the files of a watched folder.

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
