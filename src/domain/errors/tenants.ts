import type { ErrorTable } from './definition.js';

export const TENANT_ERRORS = {
  TENANT_FILE_INVALID: {
    disposition: 'stop',
    meaning: 'A tenant file has problems.',
    remedy: 'Correct the lines named in the message, then run `ledgerbridge tenant validate`.',
  },
} as const satisfies ErrorTable;
