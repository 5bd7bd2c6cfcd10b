import type { ErrorTable } from './definition.js';

export const WORKER_ERRORS = {
  LEASE_LOST: {
    disposition: 'stop',
    status: 409,
    meaning: 'Another process took the posting over while this one worked on it.',
    remedy:
      'Nothing: the newer process goes on. If it repeats, look for a blocked event loop or a clock that jumps.',
  },
  SUMMARY_CHANGED: {
    disposition: 'stop',
    status: 409,
    meaning: 'A document that was about to be booked with the others of its day was moved meanwhile.',
    remedy: 'Nothing: the documents that are ready then are put together.',
  },
  SOURCE_ACCOUNT_CHANGED: {
    disposition: 'pause-tenant',
    meaning: 'The credentials of a tenant belong to another account than its documents came from.',
    remedy: 'Restore the credentials, or connect the other account under a new tenant name.',
  },
  TENANT_NOT_CONNECTED: {
    disposition: 'retry',
    status: 404,
    meaning: 'A tenant has work but is not loaded in this process.',
    remedy: 'Check its file with `ledgerbridge tenant validate`; its documents wait until it loads.',
  },
  QUEUE_UNREACHABLE: {
    disposition: 'retry',
    exit: 'unavailable',
    meaning: 'The queue store could not be reached.',
    remedy: 'Check REDIS_URL and that Redis runs; nothing is lost, the database holds all work.',
  },
} as const satisfies ErrorTable;
