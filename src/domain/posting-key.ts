// The identity of one entry in one ledger. Content is not in it: an edited document keeps its key, so it cannot be posted
// beside its older self. `generation` rises only after an operator reversed the entry.
import type { Guid, PostingKey } from './ids.js';
import { createHash } from 'node:crypto';
import type { BookedKind } from './source-document.js';

export interface PostingIdentity {
  readonly environment: 'production' | 'development';
  /** The source account (its registration number), not the tenant's name: the same account connected twice is one. */
  readonly sourceAccount: string;
  readonly kind: BookedKind;
  readonly guid: Guid;
  /** What the adapter says identifies the ledger it writes to (company, database, file). */
  readonly ledger: string;
  readonly generation: number;
}

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const KEY_CHARACTERS = 19;

/** The first character of a key says what is booked under it; S is what follows a document, D the documents of a day. */
const KEY_LETTERS = {
  invoice: 'I',
  cost: 'C',
  payment: 'S',
  release: 'S',
  summary: 'D',
  settlement: 'S',
  reversal: 'R',
} as const;
export const POSTING_KEY_LETTERS: readonly string[] = [...new Set(Object.values(KEY_LETTERS))];
const POSTING_KEY = new RegExp(`^[${POSTING_KEY_LETTERS.join('')}][${BASE32}]{${KEY_CHARACTERS}}$`);

/** Keys of entries that are tried and undone. No document has one: whoever lists entries under our keys leaves them out. */
const TRIAL_KEY = new RegExp(`^T[${BASE32}]{${KEY_CHARACTERS}}$`);

export function trialKey(random: Uint8Array): PostingKey {
  const characters = [...random].map((byte) => BASE32.charAt(byte % BASE32.length));
  return `T${characters.join('')}`.slice(0, KEY_CHARACTERS + 1);
}

export function isTrialKey(text: string): boolean {
  return TRIAL_KEY.test(text);
}

/** Whether a text that an ERP shows can be a key of ours at all. */
export function isPostingKey(text: string): boolean {
  return POSTING_KEY.test(text);
}

/**
 * Twenty upper-case characters, I or C first: fits Business Central's Code[20], the narrowest of the ERPs.
 * 19 base32 characters are 95 bits; a million documents collide with a chance of about 1e-17.
 */
export function postingKey(identity: PostingIdentity): PostingKey {
  const { environment, sourceAccount, kind, guid, ledger, generation } = identity;
  const where = ['ledgerbridge/posting/1', environment, sourceAccount];
  const what = [kind, guid.toLowerCase(), ledger, String(generation)];
  return KEY_LETTERS[kind] + framedKey([...where, ...what]);
}

/** A document's settlement and the reversal of its entry are entries of their own, with keys of their own. */
export function settlementKey(key: PostingKey): PostingKey {
  return KEY_LETTERS.settlement + framedKey(['ledgerbridge/settlement/1', key]);
}

/** Or of a payment or a release, which have the same letter. */
export function isSettlementKey(key: string): boolean {
  return key.startsWith(KEY_LETTERS.settlement);
}

/** Of the entry under the key, or of its settlement: of this generation, since a repost has another key. */
export function isReversalOf(key: PostingKey, reversal: string): boolean {
  return reversal === reversalKey(key) || reversal === reversalKey(settlementKey(key));
}

export function reversalKey(key: PostingKey): PostingKey {
  return KEY_LETTERS.reversal + framedKey(['ledgerbridge/reversal/1', key]);
}

/** Each part with its length in front, so that no part can run into the next. */
export function framedKey(parts: readonly string[]): string {
  const framed = parts.map((part) => `${Buffer.byteLength(part)}:${part}`).join('|');
  const digest = createHash('sha256').update(framed).digest();
  let characters = '';
  for (let index = 0; index < KEY_CHARACTERS; index++)
    characters += BASE32.charAt(fiveBits(digest, index * 5));
  return characters;
}

function fiveBits(bytes: Buffer, bitOffset: number): number {
  const word = bytes.readUInt16BE(bitOffset >> 3);
  return (word >> (11 - (bitOffset & 7))) & 31;
}
