import type { ErrorTable } from './definition.js';

export const CLI_ERRORS = {
  CLI_USAGE: {
    disposition: 'stop',
    meaning: 'The command line was not understood.',
    remedy: 'Run the command with --help and correct the arguments.',
  },
} as const satisfies ErrorTable;
