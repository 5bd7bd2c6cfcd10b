// What an answer of Tryton means. Application errors come as HTTP 200 with `error: [class, …]`; a transaction that raised one
// was rolled back. The texts are translated and free, so none is read for its meaning: the adapter looks at periods and
// accounts again to say why.
import * as z from 'zod';
import type { HttpResponse } from '../../http/http-client.js';
import { dispositionOf, type FailedSend, type Purpose, transient, unknownYet } from '../erp-http.js';
import { rejected, told } from '../told.js';

export const TRYTON_ERRORS: Readonly<Record<string, 'rejected' | 'transient' | 'auth'>> = {
  UserError: 'rejected',
  // Asks a person "are you sure?"; nobody is there to say so.
  UserWarning: 'rejected',
  ConcurrencyException: 'transient',
  LoginException: 'auth',
};

const userErrorArguments = z.tuple([z.string()]).rest(z.unknown());
const warningArguments = z.tuple([z.string(), z.string()]).rest(z.unknown());

/** Tryton's errors come with 200, so another status is nobody's word on what became of a write. */
export function judgeStatus(response: HttpResponse, purpose: Purpose, now: Date): FailedSend {
  const { status } = response;
  switch (dispositionOf(status, { purpose, isOwn: false })) {
    case 'auth':
      return { outcome: 'auth', ...told('TRYTON_REFUSED', { status }) };
    case 'transient':
      return transient(told('SYSTEM_BUSY', { system: 'Tryton', answer: `HTTP ${status}` }), response, now);
    case 'unknown':
      return unknownYet(told('TRYTON_STATUS', { status }), response, now);
    case 'rejected':
      return rejected('invalid', told('TRYTON_WRONG_ADDRESS', { status }));
  }
}

/** The `error` of an answer. What is not in the table broke inside the server, perhaps while committing. */
export function judgeError(error: readonly unknown[]): FailedSend {
  const [name, details] = error;
  const disposition = TRYTON_ERRORS[String(name)];
  const words = told('SYSTEM_SAYS', { system: 'Tryton', answer: messageOf(String(name), details) });
  if (disposition === undefined)
    return { outcome: 'unknown', ...told('TRYTON_FAILED_INSIDE', { name: String(name).slice(0, 200) }) };
  return disposition === 'rejected' ? rejected('invalid', words) : { outcome: disposition, ...words };
}

function messageOf(name: string, details: unknown): string {
  if (name === 'UserWarning') return warningArguments.safeParse(details).data?.[1] ?? name;
  return userErrorArguments.safeParse(details).data?.[0] ?? name;
}
