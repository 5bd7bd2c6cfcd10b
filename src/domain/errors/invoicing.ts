// What can go wrong between us and the invoicing service. The rule behind the dispositions: a read may be repeated; a write
// that was not explicitly refused may have happened, so its effect is looked up before anything else.
import type { ErrorTable } from './definition.js';

export const INVOICING_ERRORS = {
  SOURCE_UNREACHABLE: {
    disposition: 'retry',
    meaning: 'The invoicing service could not be reached.',
    remedy: 'Check the base URL and the network; the bridge tries again by itself.',
  },
  SOURCE_NO_ANSWER: {
    disposition: 'retry',
    meaning: 'The invoicing service did not answer a question completely and in time.',
    remedy: 'Nothing: the bridge asks again. If it lasts, ask the operator of the service.',
  },
  SOURCE_EFFECT_UNKNOWN: {
    disposition: 'look-up',
    meaning: 'A change was sent to the invoicing service and no clear answer came back.',
    remedy: 'The bridge reads the document back before it does anything else. By hand: look at the document.',
  },
  SOURCE_UNAVAILABLE: {
    disposition: 'retry',
    meaning: 'The invoicing service says that it cannot serve right now.',
    remedy: 'Nothing: the bridge tries again. In development, check the maintenance code as well.',
  },
  SOURCE_RATE_LIMITED: {
    disposition: 'rate-limited',
    meaning: 'The invoicing service asked for fewer calls.',
    remedy: 'Nothing: the bridge waits as long as it was told to and sends fewer calls at once.',
  },
  SOURCE_CIRCUIT_OPEN: {
    disposition: 'retry',
    meaning: 'The last calls of this tenant all failed, so the bridge pauses before it tries the next one.',
    remedy: 'Nothing: a trial call follows by itself. The reason is in the errors before this one.',
  },
  SOURCE_CREDENTIALS_REFUSED: {
    disposition: 'pause-tenant',
    meaning: 'The invoicing service does not accept the user name and API key, or the token.',
    remedy:
      'Check the secrets of the tenant and the environment they belong to, then run `ledgerbridge tenant check`.',
  },
  SOURCE_FORBIDDEN: {
    disposition: 'pause-tenant',
    meaning: 'The account or its grant does not allow this call (scope or plan).',
    remedy:
      'Grant the scope that the message names with `ledgerbridge auth login`, or have the plan changed.',
  },
  SOURCE_WRONG_ACCOUNT: {
    disposition: 'pause-tenant',
    meaning: 'The credentials open another account than the tenant file names.',
    remedy: 'Correct registrationNo or the credentials of the tenant; nothing was read or written.',
  },
  SOURCE_ACCOUNT_UNKNOWN: {
    disposition: 'pause-tenant',
    meaning: 'The grant works but does not let the bridge learn whose account it is.',
    remedy: 'Write registrationNo into the tenant file, or grant the scope dashboard_data as well.',
  },
  SOURCE_NEEDS_CONSENT: {
    disposition: 'pause-tenant',
    meaning:
      'There is no usable grant: it was never given, was revoked, ran out, or its last refresh was lost.',
    remedy: 'A person who may sign in to the account runs `ledgerbridge auth login <tenant>`.',
  },
  SOURCE_GRANT_BUSY: {
    disposition: 'retry',
    meaning: 'Another process is refreshing the tokens and has not finished in time.',
    remedy: 'Nothing: the bridge reads the grant again shortly.',
  },
  SOURCE_GRANT_UNREADABLE: {
    disposition: 'pause-tenant',
    meaning: 'The stored tokens cannot be decrypted with the keys given.',
    remedy:
      'Give the key they were sealed with as an older key, or sign in again with `ledgerbridge auth login`.',
  },
  SOURCE_TOKEN_KEY_INVALID: {
    disposition: 'stop',
    meaning: 'The key that encrypts tokens at rest is missing or is not 32 bytes.',
    remedy: 'Set LEDGERBRIDGE_KEY to 32 random bytes in base64: `openssl rand -base64 32`.',
  },
  SOURCE_LOGIN_FAILED: {
    disposition: 'stop',
    meaning: 'The sign-in did not end with a usable code.',
    remedy:
      'Run `ledgerbridge auth login` again and finish within ten minutes; the message says what was wrong.',
  },
  SOURCE_REFUSED: {
    disposition: 'stop',
    meaning: 'The invoicing service explicitly refused the call.',
    remedy: 'Read its message; repeating the same call will be refused again.',
  },
  SOURCE_ENDPOINT_MISSING: {
    disposition: 'stop',
    meaning: 'There is no such address at the invoicing service.',
    remedy: 'Check the base URL (without /api/v1) and that it is the service and not its website.',
  },
  SOURCE_REDIRECTED: {
    disposition: 'stop',
    meaning: 'The invoicing service answered with a redirect, which the bridge never follows.',
    remedy:
      'Write the final base URL into the tenant file (https, right host name, no path of a login page).',
  },
  SOURCE_UNREADABLE: {
    disposition: 'retry',
    meaning: 'The answer is not what the documents describe (HTML, truncated, or of another shape).',
    remedy: 'The bridge asks again; if it lasts, compare the answer with docs/reference/invoicing-api.md.',
  },
  SOURCE_TOO_LARGE: {
    disposition: 'stop',
    meaning: 'The answer is larger than the bridge is willing to read.',
    remedy: 'Ask for less (a smaller page or a shorter period); a single oversized document needs a person.',
  },
  SOURCE_CANCELLED: {
    disposition: 'retry',
    meaning: 'The call was cancelled here, for instance because the bridge is stopping.',
    remedy: 'Nothing: it is repeated after the start.',
  },
  SOURCE_PARAMETERS_INVALID: {
    disposition: 'stop',
    meaning: 'The parameters of the call do not fit the endpoint; nothing was sent.',
    remedy: 'Correct the parameter that the message names; `ledgerbridge api --list` shows them.',
  },
  SOURCE_WRITE_RULE: {
    disposition: 'stop',
    meaning: 'The body breaks a write rule of the service; nothing was sent.',
    remedy: 'Correct what the message names. The rules are listed in docs/reference/invoicing-api.md.',
  },
  SOURCE_SETTINGS_INVALID: {
    disposition: 'stop',
    meaning: 'The connection to the invoicing service is not configured in a way that may be used.',
    remedy: 'Correct the `source` part of the tenant file as the message says.',
  },
} as const satisfies ErrorTable;
