import type { ErrorTable } from './definition.js';

export const TENANT_ERRORS = {
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
    remedy: 'Correct the variables named in the message; docs/settings.md lists them all.',
  },
} as const satisfies ErrorTable;
