import type { ErrorTable } from './definition.js';

export const ERP_ERRORS = {
  ERP_ADAPTER_UNKNOWN: {
    disposition: 'stop',
    meaning: 'The tenant names an ERP adapter that is not registered.',
    remedy: 'Use one of the adapters that `ledgerbridge adapter list` shows.',
  },
  ERP_ADAPTER_MODULE_INVALID: {
    disposition: 'stop',
    meaning:
      'The module named on the command line is no ERP adapter that can be tested, or its bed does not work.',
    remedy: 'Export a `conformance` target from it whose bed opens and connects, as docs/adapters.md shows.',
  },
  ERP_LIST_FAILED: {
    disposition: 'retry',
    meaning: 'The entries of a period could not be read from the ERP to the end.',
    remedy: 'Check the connection with `ledgerbridge doctor`; the reconciliation tries again by itself.',
  },
  ERP_ORIGIN_FAILED: {
    disposition: 'retry',
    meaning: 'The ERP could not be asked what has changed there, or be told what became of it.',
    remedy:
      'Check the connection with `ledgerbridge doctor`; it is asked again by itself, less often while it does not answer.',
  },
  ERP_ORIGIN_LACKS: {
    disposition: 'stop',
    meaning: 'The ERP of this tenant cannot hand over what an origin of the type `erp` is to hand over.',
    remedy: 'Take it out of `hands` in the tenant file, or use another origin for it.',
  },
  ERP_FILE_DAMAGED: {
    disposition: 'stop',
    meaning: 'A record in the middle of the journal files is not what was written.',
    remedy:
      'Restore the file named in the message from a backup; nothing is written to these books until then.',
  },
  ERP_FILE_FULL: {
    disposition: 'stop',
    meaning: 'The journal files of this tenant hold as many entries as one directory may.',
    remedy: 'Start new books for the tenant: another `ledger` name and directory in its configuration.',
  },
  ERP_FILE_LOCKED: {
    disposition: 'retry',
    meaning: 'Another process has held the journal files for too long.',
    remedy: 'Look for a process that hangs on the same directory; a crashed one is recognised by itself.',
  },
} as const satisfies ErrorTable;
