// What an error of Odoo means. Odoo names the Python exception; the transaction of a failed call is rolled back, so an
// error that Odoo itself reports surely had no effect. An answer that is not Odoo's leaves the outcome of a write open.
import * as z from 'zod';
import type { HttpResponse } from '../../http/http-client.js';
import { readWireJson } from '../../http/wire-json.js';
import {
  dispositionOf,
  type FailedSend,
  type HttpDisposition,
  type Purpose,
  transient,
  unknownYet,
} from '../http-dispositions.js';
import { rejected, told } from '../told.js';

const system = 'Odoo';

/** Verified names (odoo.exceptions, werkzeug, psycopg2). A name that is not here is taken as `rejected`. */
export const ODOO_EXCEPTIONS: Readonly<Record<string, HttpDisposition>> = {
  'odoo.exceptions.AccessDenied': 'auth',
  'odoo.exceptions.AccessError': 'auth',
  'odoo.http.SessionExpiredException': 'auth',
  'werkzeug.exceptions.Unauthorized': 'auth',
  'werkzeug.exceptions.Forbidden': 'auth',
  'odoo.exceptions.LockError': 'transient',
  'odoo.exceptions.ConcurrencyError': 'transient',
  'psycopg2.errors.SerializationFailure': 'transient',
  'psycopg2.errors.LockNotAvailable': 'transient',
  'psycopg2.errors.DeadlockDetected': 'transient',
  // The connection to the database broke, perhaps while the transaction was committed.
  'psycopg2.OperationalError': 'unknown',
  'psycopg2.InterfaceError': 'unknown',
  'odoo.exceptions.UserError': 'rejected',
  'odoo.exceptions.ValidationError': 'rejected',
  'odoo.exceptions.RedirectWarning': 'rejected',
  'odoo.exceptions.MissingError': 'rejected',
};

const exceptionBody = z.object({ name: z.string(), message: z.string(), debug: z.string() });
const rpcBody = z.object({
  error: z.object({
    message: z.string(),
    data: z.object({ name: z.string(), message: z.string() }).optional(),
  }),
});

export interface OdooError {
  readonly name: string;
  readonly message: string;
}

/** The error in a body of either protocol, or undefined when the body is none. Bodies may be an object or a bare string. */
export function errorIn(body: unknown): OdooError | undefined {
  const exception = exceptionBody.safeParse(body);
  if (exception.success) return exception.data;
  const rpc = rpcBody.safeParse(body);
  if (rpc.success) return rpc.data.error.data ?? { name: '', message: rpc.data.error.message };
  return undefined;
}

export function judgeError(error: OdooError): FailedSend {
  const disposition = ODOO_EXCEPTIONS[error.name] ?? 'rejected';
  switch (disposition) {
    case 'auth':
      return { outcome: 'auth', ...told('ODOO_REFUSED_RIGHT', { answer: error.message }) };
    case 'transient':
      return { outcome: 'transient', ...told('ODOO_CONFLICT', { answer: error.message }) };
    case 'unknown':
      return { outcome: 'unknown', ...told('SYSTEM_SAYS', { system, answer: error.message }) };
    case 'rejected':
      return rejected('invalid', told('SYSTEM_SAYS', { system, answer: error.message }));
  }
}

/** Odoo itself never answers with these: nginx and the like do, whatever the body looks like. */
const GATEWAY_STATUSES: ReadonlySet<number> = new Set([408, 429, 502, 503, 504]);

/** An answer outside 2xx. */
export function judge(response: HttpResponse, purpose: Purpose, now: Date): FailedSend {
  const body = readWireJson(response.body);
  const error = errorIn(body);
  if (error && !GATEWAY_STATUSES.has(response.status)) return judgeError(error);
  const text = typeof body === 'string' ? body : `HTTP ${response.status}`;
  // A bare JSON string is how Odoo says what went wrong before a method was called.
  switch (dispositionOf(response.status, { purpose, isOwn: typeof body === 'string' })) {
    case 'auth':
      return { outcome: 'auth', ...told('ODOO_REFUSED_KEY', { answer: text }) };
    case 'transient':
      return transient(told('SYSTEM_BUSY', { system, answer: text }), response, now);
    case 'unknown':
      return unknownYet(
        told('SYSTEM_ANSWERED', { system, status: response.status, answer: text }),
        response,
        now,
      );
    case 'rejected':
      return rejected('invalid', told('SYSTEM_SAYS', { system, answer: text }));
  }
}
