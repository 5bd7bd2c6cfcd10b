import type { ErrorTable } from './definition.js';

export const SANDBOX_ERRORS = {
  SANDBOX_PORT_TAKEN: {
    disposition: 'stop',
    meaning: 'The port for the sandbox is in use.',
    remedy: 'Stop the other program or choose another with --port.',
  },
  SANDBOX_OPTION_INVALID: {
    disposition: 'stop',
    meaning: 'An option of the sandbox was not understood.',
    remedy: 'Correct it as the message says; `ledgerbridge sandbox --help` shows every option with examples.',
  },
} as const satisfies ErrorTable;
