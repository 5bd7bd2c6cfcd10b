// What an answer of Uniconta means. It refuses with a text or `{Message}` and a status below 500; which text means what is assumed, so
// what could be refused is looked up before anything is sent.
import { z } from 'zod';
import type { HttpResponse } from '../../http/http-client.js';
import { readWireJson } from '../../http/wire-json.js';
import type { RejectionCode } from '../erp-adapter.js';
import { dispositionOf, type FailedSend, type Purpose, transient, unknownYet } from '../http-dispositions.js';
import { rejected, told } from '../told.js';

const system = 'Uniconta';

const MESSAGES: readonly { readonly text: RegExp; readonly code: RejectionCode }[] = [
  { text: /closed|period/i, code: 'closed-period' },
  { text: /debtor|creditor/i, code: 'unknown-party' },
  { text: /account/i, code: 'unknown-account' },
  { text: /dim/i, code: 'unknown-dimension' },
];

const errorBody = z.object({ Message: z.string() });

/** The message of an error body, whatever the status it came with. */
export function errorMessage(body: unknown): string | undefined {
  const parsed = errorBody.safeParse(body);
  return parsed.success ? parsed.data.Message : undefined;
}

export function refused(message: string): FailedSend {
  const code = MESSAGES.find((row) => row.text.test(message))?.code ?? 'invalid';
  return rejected(code, told('SYSTEM_SAYS', { system, answer: message }));
}

export function judge(response: HttpResponse, purpose: Purpose, now: Date): FailedSend {
  const said = errorMessage(readWireJson(response.body));
  const { status } = response;
  const message = said ?? `HTTP ${status}`;
  switch (dispositionOf(status, { purpose, isOwn: said !== undefined })) {
    case 'auth':
      return { outcome: 'auth', ...told('UNICONTA_REFUSED', { answer: message }) };
    case 'transient':
      return transient(told('SYSTEM_BUSY', { system, answer: message }), response, now);
    case 'unknown':
      return unknownYet(told('SYSTEM_ANSWERED', { system, status, answer: message }), response, now);
    case 'rejected':
      return refused(message);
  }
}
