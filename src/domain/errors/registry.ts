// Every coded error of the bridge, one table a room. docs/reference/errors.md is generated from here and a test keeps them equal.
import { DASHBOARD_ERRORS } from './dashboard.js';
import type { ErrorDefinition, ErrorTable } from './definition.js';
import { INVOICING_ERRORS } from './invoicing.js';
import { OPERATIONS_ERRORS } from './operations.js';
import { STORE_ERRORS } from './store.js';

const CLI_ERRORS = {
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

const ERP_ERRORS = {
  ERP_ADAPTER_UNKNOWN: {
    disposition: 'stop',
    meaning: 'The tenant names an ERP adapter that is not registered.',
    remedy: 'Use one of the adapters that `ledgerbridge adapter list` shows.',
  },
  ERP_ADAPTER_MODULE_INVALID: {
    disposition: 'stop',
    meaning:
      'The module named on the command line is no ERP adapter that can be tested, or its bed does not work.',
    remedy:
      'Export a `conformance` target from it whose bed opens and connects, as docs/reference/adapters.md shows.',
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

// What whoever sends records over HTTP is told.

const INTAKE_ERRORS = {
  INTAKE_UNAUTHORIZED: {
    disposition: 'stop',
    status: 401,
    meaning: 'There is no such place for records, or the request is not signed with one of its secrets.',
    remedy:
      'Check tenant and origin in the address, the secret, and that id, time and body are signed as they are sent.',
  },
  INTAKE_STALE: {
    disposition: 'stop',
    status: 401,
    meaning: 'The request is signed, but for another time: it is late, or one of the clocks is wrong.',
    remedy:
      'Set the clock, and sign again with the time of now; the same webhook-id stays the same delivery.',
  },
  INTAKE_KEY_INVALID: {
    disposition: 'stop',
    status: 400,
    meaning: 'The request has no webhook-id that could tell it from another.',
    remedy: 'Give each delivery one, of 1 to 100 letters, digits and the signs . _ ~ : and -, of its own.',
  },
  INTAKE_KEY_REUSED: {
    disposition: 'stop',
    status: 409,
    meaning: 'Another body came under this webhook-id before, and was taken.',
    remedy: 'Send a record that changed under a webhook-id of its own.',
  },
  INTAKE_UNREADABLE: {
    disposition: 'stop',
    status: 422,
    meaning: 'The record cannot be used; nothing of it was kept.',
    remedy: 'Correct what the message names and send it again; the webhook-id may stay the same.',
  },
  INTAKE_TYPE_UNKNOWN: {
    disposition: 'stop',
    status: 415,
    meaning: 'The body is not said to be JSON.',
    remedy: 'Send it with content-type: application/json.',
  },
  INTAKE_TOO_LARGE: {
    disposition: 'stop',
    status: 413,
    meaning: 'The body is larger than any record is.',
    remedy: 'Send one record in a request.',
  },
  INTAKE_TOO_SLOW: {
    disposition: 'stop',
    status: 408,
    meaning: 'The body of the request did not arrive in time; nothing of it was kept.',
    remedy: 'Send the same again over a faster connection, or with smaller files.',
  },
  INTAKE_RATE_LIMITED: {
    disposition: 'rate-limited',
    status: 429,
    meaning: 'More requests came than this place takes.',
    remedy: 'Wait as long as Retry-After says, then send the same again.',
  },
  INTAKE_FULL: {
    disposition: 'rate-limited',
    status: 503,
    meaning: 'So many records wait to be taken up that no more are taken now.',
    remedy:
      'Send the same again later; whoever runs the bridge sees what holds them up with `ledgerbridge outgoing`.',
  },
  INTAKE_NOTHING: {
    disposition: 'stop',
    status: 404,
    meaning: 'Nothing was taken under this webhook-id.',
    remedy: 'Send the record; the same webhook-id is good for it.',
  },
} as const satisfies ErrorTable;

const MAPPING_ERRORS = {
  MAPPING_RULES_INVALID: {
    disposition: 'stop',
    meaning: 'A rules file does not have the shape of tenant rules.',
    remedy: 'Correct the lines named in the message.',
  },
  MAPPING_RULES_UNREADABLE: {
    disposition: 'stop',
    meaning: 'A rules file cannot be read, or is neither JSON nor YAML.',
    remedy: 'Check the path and that the file is UTF-8 text in JSON or YAML.',
  },
  MAPPING_INPUT_UNREADABLE: {
    disposition: 'stop',
    meaning: 'The documents to map cannot be read.',
    remedy: 'Check the path; a batch is one JSON object a line.',
  },
  JOURNAL_INVALID: {
    disposition: 'stop',
    meaning: 'A journal breaks a rule that every journal must keep, such as balancing in ISK.',
    remedy: 'Do not post it. Map the document again, and report it if it happens again.',
  },
  JOURNAL_UNREADABLE: {
    disposition: 'stop',
    meaning: 'A stored journal does not have the shape of a journal.',
    remedy: 'Map the document again; if a backup was restored, check that it is of the same version.',
  },
} as const satisfies ErrorTable;

const SANDBOX_ERRORS = {
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

const TENANT_ERRORS = {
  TENANT_FILE_INVALID: {
    disposition: 'stop',
    exit: 'problems',
    meaning: 'A tenant file has problems.',
    remedy: 'Correct the lines named in the message, then run `ledgerbridge tenant validate`.',
  },
  TENANT_FILES_KEPT: {
    disposition: 'stop',
    status: 403,
    meaning: 'Whoever runs the bridge does not let the pages change tenant files.',
    remedy: 'Change the file by hand, or set LEDGERBRIDGE_TENANT_FILES=editable.',
  },
  TENANT_FILE_REFUSED: {
    disposition: 'stop',
    meaning: 'The tenant file would not be valid with this change, or cannot be written.',
    remedy: 'Correct what the message names; the file is as it was.',
  },
  TENANT_FILE_CHANGED: {
    disposition: 'stop',
    status: 409,
    meaning: 'Somebody else changed the tenant file since it was shown.',
    remedy: 'Look at the change again and save it then.',
  },
  TENANT_UNKNOWN: {
    disposition: 'stop',
    status: 404,
    exit: 'unavailable',
    meaning: 'No tenant file has that name.',
    remedy: 'Look the name up with `ledgerbridge tenant list`.',
  },
  TENANT_EXISTS: {
    disposition: 'stop',
    meaning: 'A tenant file of that name exists already.',
    remedy: 'Edit the file that is there, or choose another name.',
  },
  SECRET_MISSING: {
    disposition: 'pause-tenant',
    meaning: 'A secret that a tenant names is not where the reference points.',
    remedy: 'Set the variable or write the file that the message names; no restart is needed for a file.',
  },
  SECRET_REFERENCE_INVALID: {
    disposition: 'stop',
    meaning: 'A secret was written out where a reference to one belongs.',
    remedy: 'Write env:NAME or file:path instead, and change the secret if it was ever saved.',
  },
  SETTINGS_INVALID: {
    disposition: 'stop',
    exit: 'usage',
    meaning: 'A setting of the bridge (an environment variable) has a value that cannot be used.',
    remedy: 'Correct the variables named in the message; docs/reference/settings.md lists them all.',
  },
} as const satisfies ErrorTable;

const WORKER_ERRORS = {
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

const TABLES = {
  ...CLI_ERRORS,
  ...DASHBOARD_ERRORS,
  ...ERP_ERRORS,
  ...INTAKE_ERRORS,
  ...INVOICING_ERRORS,
  ...MAPPING_ERRORS,
  ...OPERATIONS_ERRORS,
  ...SANDBOX_ERRORS,
  ...STORE_ERRORS,
  ...TENANT_ERRORS,
  ...WORKER_ERRORS,
} as const;

export type ErrorCode = keyof typeof TABLES;
export const ERROR_REGISTRY: Readonly<Record<ErrorCode, ErrorDefinition>> = TABLES;

/** The same tables by room, for docs/reference/errors.md. A code stands in one room only; a test sees to it. */
export const ERROR_ROOMS: Readonly<Record<string, ErrorTable>> = {
  'Command line': CLI_ERRORS,
  Tenants: TENANT_ERRORS,
  'Invoicing service': INVOICING_ERRORS,
  Mapping: MAPPING_ERRORS,
  ERP: ERP_ERRORS,
  Records: STORE_ERRORS,
  Worker: WORKER_ERRORS,
  Operations: OPERATIONS_ERRORS,
  Dashboard: DASHBOARD_ERRORS,
  'Records over HTTP': INTAKE_ERRORS,
  Sandbox: SANDBOX_ERRORS,
};
