// What an answer of dkPlus means. dk gives `{Message}` and no codes, so the texts are all there is to tell a closed
// period from an unknown account; a text that is not in the table is `invalid`, which stops the document as well.
import * as z from 'zod';
import type { HttpResponse } from '../../http/http-client.js';
import { readWireJson } from '../../http/wire-json.js';
import type { RejectionCode } from '../erp-adapter.js';
import { dispositionOf, type FailedSend, type Purpose, transient, unknownYet } from '../http-dispositions.js';

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
  return { outcome: 'rejected', code, message: `dkPlus: ${message}` };
}

/** With `{Message}` and a status below 500 dk itself refuses; it documents no limit of requests, so 429 is not its word. */
export function judge(response: HttpResponse, purpose: Purpose, now: Date): FailedSend {
  const said = errorMessage(readWireJson(response.body));
  const message = said ?? `HTTP ${response.status}`;
  switch (dispositionOf(response.status, { purpose, isOwn: said !== undefined })) {
    case 'auth':
      return {
        outcome: 'auth',
        message: `dkPlus refused the token (${message}). Check that it is whole and not revoked.`,
      };
    case 'transient':
      return transient(`dkPlus is busy: ${message}`, response, now);
    case 'unknown':
      return unknownYet(`dkPlus answered ${response.status}: ${message}`, response, now);
    case 'rejected':
      return refused(message);
  }
}
