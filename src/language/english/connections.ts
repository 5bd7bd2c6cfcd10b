// What went wrong between the bridge and another system, where the words are ours. What the other side said itself is `answer`, and
// stays in its language.
import type { Message } from '../../domain/message.js';
import type { Say, TextTable } from '../table.js';

export interface Answered {
  system: string;
  answer: string;
}

export const CONNECTIONS = {
  HTTP_HELD: ({ origin, seconds }: { origin: string; seconds: number }) =>
    `${origin} asked for a pause of which ${seconds} s are left`,
  HTTP_TOO_LATE: () => 'the time for the whole call was used up before this request',
  HTTP_ORIGIN_REFUSED: ({ origin }: { origin: string }) =>
    `${origin} is not an origin this connection may talk to`,
  HTTP_NO_CONNECTION: ({ why }: { why: string }) => `no connection (${why})`,
  HTTP_NO_ANSWER: ({ ms }: { ms: number }) => `no complete answer within ${ms} ms`,
  HTTP_STOPPED: ({ ms }: { ms: number }) =>
    `the answer broke off in the middle: nothing more came for ${ms} ms`,
  HTTP_SILENT: ({ why }: { why: string }) => `no answer in time (${why})`,
  HTTP_CANCELLED: () => 'the call was cancelled here',
  HTTP_NOT_OPEN: ({ why }: { why: string }) => `the request was never sent (${why})`,
  HTTP_ENCODED: ({ encoding }: { encoding: string }) =>
    `the answer is encoded as ${encoding}, which was not asked for`,
  HTTP_TOO_LARGE: ({ bytes }: { bytes: number }) => `the answer is larger than ${bytes} bytes`,
  HTTP_NOT_HTTP: ({ why }: { why: string }) => `the answer is not HTTP (${why})`,
  HTTP_BROKE: ({ why }: { why: string }) => `the connection broke (${why})`,
  HTTP_ASKED_FOR_PAUSE: ({ origin, status }: { origin: string; status: number }) =>
    `${origin} answered ${status} and asked for a pause`,

  NO_TOKEN: ({ origin, why }: { origin: string; why: Message }, say: Say) =>
    `${origin} gave no token: ${say(why)}.`,
  ANSWERED_WITHOUT_TOKEN: ({ origin }: { origin: string }) => `${origin} answered without a token.`,
  SCOPES_NOT_GRANTED: ({ origin, scopes }: { origin: string; scopes: string }) =>
    `${origin} does not grant this client the scopes "${scopes}". Add them to the connection there.`,
  NO_SCOPES: () => 'No scope is configured.',
  CLIENT_REFUSED: ({ origin, status }: { origin: string; status: number }) =>
    `${origin} refused the client id or secret (HTTP ${status}). Check both, and that the secret has not expired.`,

  SYSTEM_UNREACHED: ({ system, why }: { system: string; why: Message }, say: Say) =>
    `${system} could not be reached: ${say(why)}`,
  SYSTEM_ANSWER_LOST: ({ system, why }: { system: string; why: Message }, say: Say) =>
    `The answer of ${system} was lost: ${say(why)}`,
  SYSTEM_SAYS: ({ system, answer }: Answered) => `${system}: ${answer}`,
  SYSTEM_BUSY: ({ system, answer }: Answered) => `${system} is busy: ${answer}`,
  SYSTEM_ANSWERED: ({ system, status, answer }: Answered & { status: number }) =>
    `${system} answered ${status}: ${answer}`,
  SYSTEM_UNREADABLE: ({ system, problem, call }: { system: string; problem: string; call?: string }) =>
    `${system} answered ${call === undefined ? '' : `${call} `}in an unknown shape: ${problem}`,
  SYSTEM_NOT_ITSELF: ({ system }: { system: string }) =>
    `Something that is not ${system} answered in its place.`,
  SYSTEM_SHOWS_TOO_MUCH: ({ system, what }: { system: string; what: string }) =>
    `${system} shows more of ${what} than can be read.`,
  SYSTEM_TOOK_NOT_SHOWN: ({ system, key }: { system: string; key: string }) =>
    `${system} took it, but shows nothing under the reference ${key}.`,

  LISTED_A_PART: ({ listed, expected, stopped }: { listed: number; expected: number; stopped: string }) =>
    `listed ${listed} of ${expected} (${stopped})`,
  IDENTITY_SILENT: ({ issuer, answer }: { issuer: string; answer: string }) => `${issuer}: ${answer}`,
} satisfies TextTable;
