// The text of accounting_message. The person who reads it works in the invoicing service and has never seen ledgerbridge. It has at most 500
// characters and at most 500 bytes, because the API documents do not say which of the two is limited.
import { ACCOUNTING_MESSAGE_MAX } from '../domain/posting.js';
import type { IsoDate } from '../domain/ids.js';
import type { Message } from '../domain/message.js';
import type { ErpReference } from '../erp/erp-adapter.js';
import { cureText, say } from '../language/say.js';

export function postedMessage(main: ErpReference | null, postingDate: IsoDate): string {
  const number = main?.number ?? main?.id ?? 'none';
  return bounded(`Posted to the ledger as entry ${number}, dated ${postingDate}.`);
}

export function skipMessage(why: Message): string {
  return bounded(`Not booked: ${say('en', why)} (${why.code})`);
}

export function rejectMessage(why: Message): string {
  return bounded(`${say('en', why)} ${cureText('en', why.code)} (${why.code})`);
}

/** Without control characters, cut between two characters so that neither limit is exceeded. */
export function bounded(message: string): string {
  const printable = message.replaceAll(/[\p{Cc}\p{Cf}]+/gu, ' ').trim();
  if (Math.max(printable.length, Buffer.byteLength(printable)) <= ACCOUNTING_MESSAGE_MAX) return printable;
  let kept = '';
  let bytes = 0;
  for (const character of printable) {
    bytes += Buffer.byteLength(character);
    if (bytes > ACCOUNTING_MESSAGE_MAX || kept.length + character.length > ACCOUNTING_MESSAGE_MAX) break;
    kept += character;
  }
  return kept;
}
