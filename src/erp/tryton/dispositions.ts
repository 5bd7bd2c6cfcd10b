// What an answer of Tryton means. Application errors come as HTTP 200 with `error: [class, …]`; a transaction that raised one
// was rolled back. The texts are translated and free, so none is read for its meaning: the adapter looks at periods and
// accounts again to say why.
import * as z from 'zod';
import type { HttpResponse } from '../../http/http-client.js';
import { dispositionOf, type FailedSend, type Purpose, transient, unknownYet } from '../http-dispositions.js';

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
  const status = String(response.status);
  switch (dispositionOf(response.status, { purpose, isOwn: false })) {
    case 'auth':
      return {
        outcome: 'auth',
        message: `Tryton refused the user or the password, or its rights (${status}).`,
      };
    case 'transient':
      return transient(`Tryton is busy (${status}).`, response, now);
    case 'unknown':
      return unknownYet(`Tryton, or something in front of it, answered ${status}.`, response, now);
    case 'rejected':
      return {
        outcome: 'rejected',
        code: 'invalid',
        message: `Tryton answered ${status}: check URL and database.`,
      };
  }
}

/** The `error` of an answer. What is not in the table broke inside the server, perhaps while committing. */
export function judgeError(error: readonly unknown[]): FailedSend {
  const [name, details] = error;
  const disposition = TRYTON_ERRORS[String(name)];
  const message = `Tryton: ${messageOf(String(name), details)}`;
  if (disposition === undefined)
    return { outcome: 'unknown', message: `Tryton failed inside: ${String(name).slice(0, 200)}` };
  return disposition === 'rejected'
    ? { outcome: 'rejected', code: 'invalid', message }
    : { outcome: disposition, message };
}

function messageOf(name: string, details: unknown): string {
  if (name === 'UserWarning') return warningArguments.safeParse(details).data?.[1] ?? name;
  return userErrorArguments.safeParse(details).data?.[0] ?? name;
}
