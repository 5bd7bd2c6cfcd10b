// What an answer of dkPlus means. dk gives `{Message}` and no codes, so the texts are all there is to tell a closed
// period from an unknown account; a text that is not in the table is `invalid`, which stops the document as well.
import * as z from 'zod';
import type { HttpResponse } from '../../http/http-client.js';
import { readWireJson } from '../../http/wire-json.js';
import type { RejectionCode } from '../erp-adapter.js';
import { dispositionOf, type FailedSend, type Purpose, transient, unknownYet } from '../http-dispositions.js';
import { rejected, told } from '../told.js';

const system = 'dkPlus';

export const DKPLUS_MESSAGES: readonly { readonly text: RegExp; readonly code: RejectionCode }[] = [
  { text: /period|tímabil/i, code: 'closed-period' },
  { text: /account .* (closed|blocked)|lokaður/i, code: 'blocked-account' },
  { text: /account .* not (found|exist)|reikningur .* (finnst|er) ekki/i, code: 'unknown-account' },
  { text: /customer|vendor|viðskiptamaður|lánardrottinn/i, code: 'unknown-party' },
  { text: /dim(ension)? ?1|vídd/i, code: 'unknown-dimension' },
  { text: /balance|stemm/i, code: 'unbalanced' },
];

const errorBody = z.object({ Message: z.string() });

/** The message of an error body, whatever the status it came with. */
export function errorMessage(body: unknown): string | undefined {
  const parsed = errorBody.safeParse(body);
  return parsed.success ? parsed.data.Message : undefined;
}

export function refused(message: string): FailedSend {
  const code = DKPLUS_MESSAGES.find((row) => row.text.test(message))?.code ?? 'invalid';
  return rejected(code, told('SYSTEM_SAYS', { system, answer: message }));
}

/** With `{Message}` and a status below 500 dk itself refuses; it documents no limit of requests, so 429 is not its word. */
export function judge(response: HttpResponse, purpose: Purpose, now: Date): FailedSend {
  const said = errorMessage(readWireJson(response.body));
  const { status } = response;
  const message = said ?? `HTTP ${status}`;
  switch (dispositionOf(status, { purpose, isOwn: said !== undefined })) {
    case 'auth':
      return { outcome: 'auth', ...told('DKPLUS_REFUSED', { answer: message }) };
    case 'transient':
      return transient(told('SYSTEM_BUSY', { system, answer: message }), response, now);
    case 'unknown':
      return unknownYet(told('SYSTEM_ANSWERED', { system, status, answer: message }), response, now);
    case 'rejected':
      return refused(message);
  }
}
