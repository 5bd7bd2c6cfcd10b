import type { ErrorTable } from './definition.js';

export const SANDBOX_ERRORS = {
  SANDBOX_PORT_TAKEN: {
    disposition: 'stop',
    meaning: 'The port for the sandbox is in use.',
    remedy: 'Stop the other program or choose another with --port.',
  },
} as const satisfies ErrorTable;
