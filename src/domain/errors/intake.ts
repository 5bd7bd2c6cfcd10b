// What whoever sends records over HTTP is told.
import type { ErrorTable } from './definition.js';

export const INTAKE_ERRORS = {
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
