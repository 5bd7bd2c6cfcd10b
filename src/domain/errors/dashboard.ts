import type { ErrorTable } from './definition.js';

export const DASHBOARD_ERRORS = {
  USER_NOT_FOUND: {
    disposition: 'stop',
    status: 404,
    meaning: 'Nobody has that login.',
    remedy: 'See who there is with `ledgerbridge user list`.',
  },
  USER_EXISTS: {
    disposition: 'stop',
    meaning: 'Somebody has that login already.',
    remedy: 'Choose another login, or set a new password for the one that exists.',
  },
  LOGIN_INVALID: {
    disposition: 'stop',
    meaning: 'A login has characters that it may not have.',
    remedy: 'Use 2 to 60 characters: letters, digits, dot, hyphen, underscore and @.',
  },
  PASSWORD_WEAK: {
    disposition: 'stop',
    meaning: 'The password is too easily guessed.',
    remedy: 'Use at least 12 characters that are not one word; several words in a row do well.',
  },
  SIGN_IN_BUSY: {
    disposition: 'retry',
    status: 429,
    meaning: 'Too many people are signing in at this moment.',
    remedy: 'Try again in some seconds; if nobody should be signing in, look in the log who knocks.',
  },
  COMPANY_ROLE: {
    disposition: 'stop',
    status: 403,
    meaning: 'What you may do in this company, or in all of them together, is not enough for this.',
    remedy: 'Ask an admin of the bridge for the role; `ledgerbridge user list` shows who has which.',
  },
  USER_STILL_ENABLED: {
    disposition: 'stop',
    meaning: 'A person may still sign in, and is not erased before.',
    remedy: 'Disable them first: `ledgerbridge user revoke LOGIN`.',
  },
  LAST_ADMIN: {
    disposition: 'stop',
    meaning: 'It would leave nobody who can manage users.',
    remedy: 'Make somebody else an admin first.',
  },
  USER_EXTERNAL: {
    disposition: 'stop',
    meaning: 'That person signs in elsewhere, and has password, role and companies from there.',
    remedy: 'Change their groups at the identity provider, or the rules in sign-in.yaml.',
  },
  SECOND_FACTOR_ON: {
    disposition: 'stop',
    meaning: 'A second factor is in use already.',
    remedy: 'Turn it off first, or have it taken away: `ledgerbridge user totp reset`.',
  },
  SECOND_FACTOR_KEY: {
    disposition: 'stop',
    meaning: 'The bridge has no key to keep the secret of a second factor with.',
    remedy: 'Set LEDGERBRIDGE_KEY (make one with `openssl rand -base64 32`) and start the bridge again.',
  },
  SECOND_FACTOR_ELSEWHERE: {
    disposition: 'stop',
    meaning: 'Whoever signs in elsewhere has their second factor there.',
    remedy: 'Ask for it at the identity provider.',
  },
  SIGN_IN_INVALID: {
    disposition: 'stop',
    meaning: 'The file sign-in.yaml cannot be used.',
    remedy: 'Mend the lines that the message names; docs/how-to/dashboard.md has an example.',
  },
  IDENTITY_UNREACHABLE: {
    disposition: 'retry',
    status: 503,
    meaning: 'The identity provider did not answer, or not as it should.',
    remedy:
      'Try again; if it stays so, ask whoever runs it. Accounts of the bridge still work, if they are allowed.',
  },
  PUBLIC_ADDRESS_MISSING: {
    disposition: 'stop',
    meaning: 'The identity provider cannot be told where to send the browser back to.',
    remedy: 'Set LEDGERBRIDGE_PUBLIC_URL to the address that people use, and start the bridge again.',
  },
  SETUP_CODE_WRONG: {
    disposition: 'stop',
    meaning: 'The set-up code is not one that the bridge printed, or it is older than a day.',
    remedy: 'Take the code from the log of the running bridge, or use `ledgerbridge user create`.',
  },
  SETUP_DONE: {
    disposition: 'stop',
    meaning: 'The dashboard has been set up already.',
    remedy: 'Sign in, or ask an admin for an account.',
  },
} as const satisfies ErrorTable;
