import type { ErrorTable } from './definition.js';

export const MAPPING_ERRORS = {
  MAPPING_RULES_INVALID: {
    disposition: 'stop',
    meaning: 'A rules file does not have the shape of tenant rules.',
    remedy: 'Correct the lines named in the message.',
  },
} as const satisfies ErrorTable;
