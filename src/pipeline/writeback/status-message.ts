// accounting_message: read by the person who works in the invoicing service, who has never seen the bridge. At most 500
// characters and 500 bytes, since the documents do not say which is counted; no codes without a sentence, no secrets.
import type { IsoDate } from '../../domain/ids.js';
import { ACCOUNTING_MESSAGE_MAX } from '../../domain/accounting-status.js';
import type { Message } from '../../domain/message.js';
import { cureText, say } from '../../language/say.js';
import type { ErpReference } from '../../erp/erp-adapter.js';

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

/** Control characters out, cut at a character so that neither limit is passed. */
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
