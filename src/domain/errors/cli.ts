import type { ErrorTable } from './definition.js';

export const CLI_ERRORS = {
  CLI_USAGE: {
    disposition: 'stop',
    exit: 'usage',
    meaning: 'The command line was not understood.',
    remedy: 'Run the command with --help and correct the arguments.',
  },
  EXPORT_UNREADABLE: {
    disposition: 'stop',
    exit: 'usage',
    meaning: 'An export that was to be checked lacks a field.',
    remedy: 'See `ledgerbridge check-outside --help` for the fields of each export, and export again.',
  },
  BENCH_FAILED: {
    disposition: 'stop',
    meaning: 'A benchmark could not be carried through.',
    remedy: 'See what the message says; with --backend redis, redis-server must be installed.',
  },
} as const satisfies ErrorTable;
