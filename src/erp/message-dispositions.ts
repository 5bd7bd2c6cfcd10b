// What an answer means where an ERP refuses with `{Message}` and no codes: the texts are all there is to tell a closed period from an
// unknown account. A text that is not in the table is `invalid`, which stops the document as well.
import * as z from 'zod';
import type { HttpResponse } from '../http/http-client.js';
import { readWireJson } from '../http/wire-json.js';
import type { RejectionCode } from './erp-adapter.js';
import { dispositionOf, type FailedSend, type Purpose, transient, unknownYet } from './http-dispositions.js';
import { rejected, told, type Told } from './told.js';

export interface MessageDispositions {
  /** The message of an error body, whatever the status it came with. */
  readonly errorMessage: (body: unknown) => string | undefined;
  readonly refused: (message: string) => FailedSend;
  readonly judge: (response: HttpResponse, purpose: Purpose, now: Date) => FailedSend;
}

export interface RefusalTexts {
  readonly system: string;
  /** The first that fits counts. */
  readonly texts: readonly { readonly text: RegExp; readonly code: RejectionCode }[];
  /** The connection itself is refused. */
  readonly noEntry: (answer: string) => Told;
}

const errorBody = z.object({ Message: z.string() });

/** With `{Message}` and a status below 500 it is the ERP itself that refuses; 429 is not its word unless it documents a limit. */
export function messageDispositions({ system, texts, noEntry }: RefusalTexts): MessageDispositions {
  const errorMessage = (body: unknown) => {
    const parsed = errorBody.safeParse(body);
    return parsed.success ? parsed.data.Message : undefined;
  };
  const refused = (answer: string) => {
    const code = texts.find(({ text }) => text.test(answer))?.code ?? 'invalid';
    return rejected(code, told('SYSTEM_SAYS', { system, answer }));
  };
  return {
    errorMessage,
    refused,
    judge(response, purpose, now) {
      const said = errorMessage(readWireJson(response.body));
      const { status } = response;
      const answer = said ?? `HTTP ${status}`;
      switch (dispositionOf(status, { purpose, isOwn: said !== undefined })) {
        case 'auth':
          return { outcome: 'auth', ...noEntry(answer) };
        case 'transient':
          return transient(told('SYSTEM_BUSY', { system, answer }), response, now);
        case 'unknown':
          return unknownYet(told('SYSTEM_ANSWERED', { system, status, answer }), response, now);
        case 'rejected':
          return refused(answer);
      }
    },
  };
}
