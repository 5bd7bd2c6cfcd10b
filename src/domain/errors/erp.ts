import type { ErrorTable } from './definition.js';

export const ERP_ERRORS = {
  ERP_ADAPTER_UNKNOWN: {
    disposition: 'stop',
    meaning: 'The tenant names an ERP adapter that is not registered.',
    remedy: 'Use one of the adapters that `ledgerbridge adapter list` shows.',
  },
  ERP_LIST_FAILED: {
    disposition: 'retry',
    meaning: 'The entries of a period could not be read from the ERP to the end.',
    remedy: 'Check the connection with `ledgerbridge doctor`; the reconciliation tries again by itself.',
  },
} as const satisfies ErrorTable;
