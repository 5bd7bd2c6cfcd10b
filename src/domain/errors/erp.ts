import type { ErrorTable } from './definition.js';

export const ERP_ERRORS = {
  ERP_ADAPTER_UNKNOWN: {
    disposition: 'stop',
    meaning: 'The tenant names an ERP adapter that is not registered.',
    remedy: 'Use one of the adapters that `ledgerbridge adapter list` shows.',
  },
} as const satisfies ErrorTable;
