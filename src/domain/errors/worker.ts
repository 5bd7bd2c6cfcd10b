import type { ErrorTable } from './definition.js';

export const WORKER_ERRORS = {
  LEASE_LOST: {
    disposition: 'stop',
    meaning: 'Another process took the posting over while this one worked on it.',
    remedy:
      'Nothing: the newer process goes on. If it repeats, look for a blocked event loop or a clock that jumps.',
  },
} as const satisfies ErrorTable;
