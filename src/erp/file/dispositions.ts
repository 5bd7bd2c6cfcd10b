// What the file system's answers mean. Rights are the operator's to give; room and handles come back by themselves; only a
// write that could not be undone is unknown.
import { isCoded } from '../../domain/errors/coded-error.js';
import type { AuthFailed, Transient, Unknown } from '../erp-adapter.js';
import { told, wordsOf } from '../told.js';
import { UncertainWrite } from './record-log.js';

const FILE_DISPOSITIONS: Readonly<Record<string, 'auth' | 'transient' | 'unknown'>> = {
  EACCES: 'auth',
  EPERM: 'auth',
  EROFS: 'auth',
  ENOTDIR: 'auth',
  ENOSPC: 'transient',
  EDQUOT: 'transient',
  EFBIG: 'transient',
  EMFILE: 'transient',
  ENFILE: 'transient',
  EBUSY: 'transient',
  ENOENT: 'transient',
  EIO: 'unknown',
};

/** Null: not the file system's doing, so let it be thrown. */
export function writeFailure(error: unknown): Transient | Unknown | AuthFailed | null {
  if (error instanceof UncertainWrite) return { outcome: 'unknown', ...told('WRITE_NOT_UNDONE') };
  if (isCoded(error, 'ERP_FILE_LOCKED')) return { outcome: 'transient', ...wordsOf(error) };
  const code = errnoOf(error);
  const disposition = FILE_DISPOSITIONS[code];
  if (disposition === undefined) return null;
  return { outcome: disposition, ...told('BOOKS_NOT_WRITTEN', { code }) };
}

/** Reading has no effect, so nothing about it is unknown. */
export function readFailure(error: unknown): Transient | AuthFailed | null {
  const failure = writeFailure(error);
  return failure?.outcome === 'unknown' ? { ...failure, outcome: 'transient' } : failure;
}

function errnoOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}
