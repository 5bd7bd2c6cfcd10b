import type { ErrorTable } from './definition.js';

export const INVOICING_ERRORS = {
  SOURCE_UNREACHABLE: {
    disposition: 'retry',
    meaning: 'The invoicing service could not be reached.',
    remedy: 'Check the base URL and the network; the bridge tries again by itself.',
  },
} as const satisfies ErrorTable;
