// The kennitala of the other side. Neither its shape nor its check digit stops a document: both are warnings.
import type { Message } from '../../domain/message.js';
import { readKennitala } from '../../domain/kennitala.js';
import { warning } from './outcome.js';

export interface CheckedKennitala {
  /** Ten digits where it has the shape, else as it came. */
  readonly kennitala: string;
  readonly warnings: readonly Message[];
}

/** `isNeeded`: a receivable or payable line stands on it, so that a missing one deserves a warning too. */
export function checkKennitala(written: string, isNeeded: boolean): CheckedKennitala {
  const trimmed = written.trim();
  const read = readKennitala(trimmed);
  if (!read.format) {
    const isWorthSaying = trimmed !== '' || isNeeded;
    return {
      kennitala: trimmed,
      warnings: isWorthSaying ? [warning('KENNITALA_FORMAT', { written: trimmed })] : [],
    };
  }
  return {
    kennitala: read.digits,
    warnings: read.checksum ? [] : [warning('KENNITALA_CHECKSUM', { kennitala: read.digits })],
  };
}
