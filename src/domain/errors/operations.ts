import type { ErrorTable } from './definition.js';

export const OPERATIONS_ERRORS = {
  DOCUMENT_NOT_FOUND: {
    disposition: 'stop',
    meaning: 'No document has that id or guid.',
    remedy: 'Search for it with `ledgerbridge documents`.',
  },
} as const satisfies ErrorTable;
