import type { ErrorTable } from './definition.js';

export const STORE_ERRORS = {
  DATABASE_UNREACHABLE: {
    disposition: 'retry',
    meaning: 'The database could not be reached.',
    remedy: 'Check DATABASE_URL and that the server runs.',
  },
} as const satisfies ErrorTable;
