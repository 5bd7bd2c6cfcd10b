import type { ErrorTable } from './definition.js';

export const OPERATIONS_ERRORS = {
  DOCUMENT_NOT_FOUND: {
    disposition: 'stop',
    meaning: 'No document has that id or guid.',
    remedy: 'Search for it with `ledgerbridge documents`.',
  },
  DOCUMENT_AMBIGUOUS: {
    disposition: 'stop',
    meaning: 'More than one document fits what was given.',
    remedy: 'Use the id or the guid, or name the tenant too.',
  },
  QUERY_INVALID: {
    disposition: 'stop',
    meaning: 'A search or a list was asked for in a way that is not understood.',
    remedy: 'Correct the filter that the message names; pages go on with the `next` of the page before.',
  },
} as const satisfies ErrorTable;
