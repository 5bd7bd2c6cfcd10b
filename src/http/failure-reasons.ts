// What the network's error codes mean for us. Codes only, never message texts.
import type { Told } from '../domain/message.js';
import { told } from '../language/messages.js';
import { ADDRESS_REFUSED } from './allowed-addresses.js';
import type { HttpFailure } from './messages.js';

export type FailureReason = HttpFailure['reason'];

interface Described {
  readonly reason: FailureReason;
  readonly words: Told;
  /** Surely no byte left, whatever the exchange had come to believe. */
  readonly notSent: boolean;
}

// Errors that happen while a connection is made: the request has not left.
const CONNECTING = new Set([
  ADDRESS_REFUSED,
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EADDRNOTAVAIL',
  'UND_ERR_CONNECT_TIMEOUT',
  'CERT_HAS_EXPIRED',
  'CERT_NOT_YET_VALID',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'SELF_SIGNED_CERT_IN_CHAIN',
]);

// Our own client refused the request, or was closed. Only the exchange knows whether the request had begun to leave by then.
const NOT_OPEN = new Set(['UND_ERR_INVALID_ARG', 'UND_ERR_DESTROYED', 'UND_ERR_CLOSED']);

const UNINTELLIGIBLE = new Set(['UND_ERR_HEADERS_OVERFLOW', 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH']);

export function describeFailure(error: Error): Described {
  const code = codeOf(error);
  if (CONNECTING.has(code)) return { reason: 'connect', words: sayConnecting(error, code), notSent: true };
  if (NOT_OPEN.has(code))
    return { reason: 'aborted', words: told('HTTP_NOT_OPEN', { why: error.message }), notSent: false };
  if (code === 'ETIMEDOUT')
    return { reason: 'timeout', words: told('HTTP_SILENT', { why: error.message }), notSent: false };
  // Some parser errors come without their code.
  if (code.startsWith('HPE_') || error.name === 'HTTPParserError' || UNINTELLIGIBLE.has(code)) {
    const words = told('HTTP_NOT_HTTP', { why: code || error.name });
    return { reason: 'invalid-response', words, notSent: false };
  }
  return { reason: 'reset', words: told('HTTP_BROKE', { why: code || error.name }), notSent: false };
}

// A name that resolves to several addresses fails as an AggregateError without a message of its own.
function sayConnecting(error: Error, code: string): Told {
  return told('HTTP_NO_CONNECTION', { why: error.message || code });
}

function codeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : '';
}
