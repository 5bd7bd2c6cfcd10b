// What an answer of Xero means. A 200 may hold validation errors; a 400 holds them in `Elements`. They have texts and no
// codes, so the texts are all there is; one that is not in the table is `invalid`, which stops the document as well.
import * as z from 'zod';
import type { HttpResponse } from '../../http/http-client.js';
import { readWireJson } from '../../http/wire-json.js';
import type { Rejected, RejectionCode } from '../erp-adapter.js';
import { NUMBER_TAKEN } from './assumptions.js';
import {
  dispositionOf,
  type FailedSend,
  type HttpDisposition,
  type Purpose,
  transient,
  unknownYet,
} from '../erp-http.js';
import { rejected, told } from '../told.js';

const system = 'Xero';

/** Xero's limits are its own: said before anything is done, and named in a header that no proxy sends. */
const RATE_LIMIT_HEADER = 'x-rate-limit-problem';
const XERO_STATUSES: Readonly<Record<number, HttpDisposition>> = { 429: 'transient' };

export const XERO_TEXTS: readonly { readonly text: RegExp; readonly code: RejectionCode }[] = [
  { text: /lock date|locked period|cannot be before/i, code: 'closed-period' },
  { text: /total debits .* must equal total credits/i, code: 'unbalanced' },
  {
    text: /cannot be used (in|on|for) manual journals|not a valid code for this document/i,
    code: 'blocked-account',
  },
  { text: /account (code|id)?.*(not (found|a recognised|exist)|invalid|removed)/i, code: 'unknown-account' },
  { text: /tracking/i, code: 'unknown-dimension' },
  { text: NUMBER_TAKEN, code: 'duplicate' },
  { text: /TaxType/i, code: 'unknown-vat-code' },
  { text: /contact/i, code: 'unknown-party' },
];

const messages = z.array(z.object({ Message: z.string() }));
const validation = z.object({ ValidationErrors: messages.optional() });
const errorBody = z.object({
  Message: z.string().optional(),
  Detail: z.string().optional(),
  Title: z.string().optional(),
  Elements: z.array(validation).optional(),
  ManualJournals: z.array(validation).optional(),
  Invoices: z.array(validation).optional(),
  CreditNotes: z.array(validation).optional(),
  Contacts: z.array(validation).optional(),
  Payments: z.array(validation).optional(),
  Allocations: z.array(validation).optional(),
});

/** The sentences in an error body, or in a 200 that is one. Empty when there is nothing wrong. */
export function complaintsIn(body: unknown): string[] {
  const parsed = errorBody.safeParse(body);
  if (!parsed.success) return [];
  const { Message, Detail, Title, ...lists } = parsed.data;
  const found = Object.values(lists).flatMap((list = []) =>
    list.flatMap((each) => each.ValidationErrors ?? []),
  );
  if (found.length > 0) return found.map((error) => error.Message);
  return [Message ?? Detail ?? Title].filter((text) => text !== undefined);
}

export function refused(complaints: readonly string[]): Rejected {
  const message = complaints.join(' ');
  const code = XERO_TEXTS.find((row) => row.text.test(message))?.code ?? 'invalid';
  return rejected(code, told('SYSTEM_SAYS', { system, answer: message }));
}

/** 5xx is held under the idempotency key like any other answer; whether the journal exists, a look-up tells. */
export function judge(response: HttpResponse, purpose: Purpose, now: Date): FailedSend {
  const complaints = complaintsIn(readWireJson(response.body));
  const isLimit = response.status === 429 && response.headers[RATE_LIMIT_HEADER] !== undefined;
  const isOwn = isLimit || (response.status !== 429 && complaints.length > 0);
  const { status } = response;
  const message = complaints.length > 0 ? complaints.join(' ') : `HTTP ${status}`;
  switch (dispositionOf(status, { purpose, isOwn, documented: XERO_STATUSES })) {
    case 'auth':
      return { outcome: 'auth', ...told('XERO_REFUSED', { answer: message }) };
    case 'transient':
      return transient(told('SYSTEM_BUSY', { system, answer: message }), response, now);
    case 'unknown':
      return unknownYet(told('SYSTEM_ANSWERED', { system, status, answer: message }), response, now);
    case 'rejected':
      return refused([message]);
  }
}
