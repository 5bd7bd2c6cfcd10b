// What kept a call to the invoicing service from its answer, in our words.
import type { Message } from '../../domain/message.js';
import type { Say, TextTable } from '../table.js';

export const SOURCE = {
  CALL_FAILED: ({ call, answer, why }: { call: string; answer: Message; why?: Message }, say: Say) =>
    `${call}: ${say(answer)}.${why === undefined ? '' : ` ${say(why)}`}`,
  CODE_WORKED_BEFORE: () =>
    'The maintenance code worked before on this connection, so this is probably an outage.',
  CODE_PROBABLY_WRONG: () =>
    'In development a 503 most likely means that the maintenance code is wrong; it may also be an outage.',
  OUTAGE_OR_DEVELOPMENT: () =>
    'This is an outage, or baseUrl is the development environment, which wants a maintenance code.',
  PROBABLY_A_PROXY: () => 'Probably a maintenance page, a proxy, or a wrong base URL.',
  REDIRECTS_NOT_FOLLOWED: () => 'Redirects are never followed.',
  NOT_A_JSON_OBJECT: ({ type }: { type: string }) => `the answer is not a JSON object (${type})`,
  CALL_TOO_LATE: () => 'it waited for its turn past the moment until which it may leave',
  CALL_LEFT_ALONE: ({ call }: { call: string }) =>
    `${call} was not sent: the last calls failed, and the service is left alone for a while.`,
  CALL_CANCELLED: ({ call }: { call: string }) => `${call} was cancelled while it waited.`,
  CALL_PAUSED: ({ call }: { call: string }) => `${call} was not sent: the service asked for a pause.`,
  CALL_CROWDED: ({ call }: { call: string }) => `${call} was not sent: too many calls are waiting already.`,
  SCOPE_NOT_GRANTED: ({ call, scope }: { call: string; scope: string }) =>
    `${call} was not sent: the grant does not include the scope ${scope}.`,
  ACCOUNT_OF_OTHER: ({ name }: { name: string }) =>
    `The credentials open the account of ${name || 'somebody else'}.`,
  ACCOUNT_CHANGED: ({ tenant, known, opened }: { tenant: string; known: string; opened: string }) =>
    `The credentials of ${tenant} open the account ${opened}, but its documents came from ${known}.`,
  HELLO_REFUSED: ({ answer }: { answer: string }) => `The service refused to say hello: ${answer}.`,
  EVERY_CALL_REFUSED: ({ answer }: { answer: string }) => `The service refuses every call: ${answer}.`,
  SERVICE_REFUSED: ({ answer }: { answer: string }) => `The service refused: ${answer}.`,
  ACCOUNT_NOT_TOLD: () => 'The grant does not include dashboard_data, which tells whose account it is.',
  KEY_ENDPOINT_ONLY: () =>
    'This endpoint takes the user name and API key of the account, and this tenant signs in with OAuth.',
  CREDENTIALS_CHANGE: () =>
    'The tokens were replaced again and again while it was asked whose account they open.',
  REFRESH_BUSY: () => 'Another process holds the refresh of this grant and does not finish.',
  REFRESH_LEASE_LOST: () => 'The lease on this grant was lost before the refresh began.',
  REFRESH_UNANSWERED: ({ why }: { why: Message }, say: Say) =>
    `The token refresh was not clearly answered: ${say(why)}`,
  NEEDS_CONSENT: ({ tenant, why }: { tenant: string; why: Message }, say: Say) =>
    `${tenant} needs consent: ${say(why)}.`,
  NOBODY_CONSENTED: () => 'Nobody has consented to this connection yet',
  GRANT_LOST: () => 'The grant was lost or refused',
  GRANT_REVOKED: () => 'The grant was revoked',
  REFRESH_REFUSED: ({ answer, wasLost }: { answer: string; wasLost: boolean }) =>
    `The service refused to refresh the tokens${wasLost ? ', after an earlier refresh whose answer was lost' : ''} (${answer})`,
} satisfies TextTable;
