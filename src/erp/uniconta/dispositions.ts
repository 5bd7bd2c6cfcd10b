// What an answer of Uniconta means. It refuses with a text or `{Message}` and a status below 500; which text means what is assumed, so
// what could be refused is looked up before anything is sent.
import { z } from 'zod';
import type { HttpResponse } from '../../http/http-client.js';
import { readWireJson } from '../../http/wire-json.js';
import type { RejectionCode } from '../erp-adapter.js';
import { dispositionOf, type FailedSend, type Purpose, transient, unknownYet } from '../http-dispositions.js';

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
  return { outcome: 'rejected', code, message: `Uniconta: ${message}` };
}

export function judge(response: HttpResponse, purpose: Purpose, now: Date): FailedSend {
  const said = errorMessage(readWireJson(response.body));
  const message = said ?? `HTTP ${response.status}`;
  switch (dispositionOf(response.status, { purpose, isOwn: said !== undefined })) {
    case 'auth':
      return {
        outcome: 'auth',
        message: `Uniconta refused the user (${message}). Check name, password and company.`,
      };
    case 'transient':
      return transient(`Uniconta is busy: ${message}`, response, now);
    case 'unknown':
      return unknownYet(`Uniconta answered ${response.status}: ${message}`, response, now);
    case 'rejected':
      return refused(message);
  }
}
