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
  LAST_ADMIN: {
    disposition: 'stop',
    meaning: 'It would leave nobody who can manage users.',
    remedy: 'Make somebody else an admin first.',
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
