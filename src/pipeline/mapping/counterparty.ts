// The kennitala of the other side. Neither its shape nor its check digit stops a document: both are warnings.
import type { Message } from '../../domain/message.js';
import { plainKennitala, readKennitala } from '../../domain/kennitala.js';
import { warning } from './outcome.js';

export interface CheckedKennitala {
  /** Ten digits where it has the shape, else as it came. */
  readonly kennitala: string;
  readonly warnings: readonly Message[];
}

/** `isNeeded`: a receivable or payable line stands on it, so that a missing one deserves a warning too. */
export function checkKennitala(written: string, isNeeded: boolean): CheckedKennitala {
  const plain = plainKennitala(written);
  const read = readKennitala(plain);
  if (!read.format) {
    const isWorthSaying = plain !== '' || isNeeded;
    return {
      kennitala: plain,
      warnings: isWorthSaying ? [warning('KENNITALA_FORMAT', { written: written.trim() })] : [],
    };
  }
  return {
    kennitala: read.digits,
    warnings: read.checksum ? [] : [warning('KENNITALA_CHECKSUM', { kennitala: read.digits })],
  };
}
