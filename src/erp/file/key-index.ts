// Where each key's record stands, in some 30 bytes a key and no objects: a million entries fit in 32 MB. It is only a hint;
// the reader opens the record and compares the key, so two keys with one hash cost a read and never a wrong answer.
import { createHash } from 'node:crypto';
import { CodedError } from '../../domain/errors/coded-error.js';

const SLOTS_FIRST = 1 << 12;
const KEYS_MAX = 4_000_000;
const OFFSET_LIMIT = 2 ** 36;

export interface Place {
  readonly month: string;
  readonly offset: number;
}

export class KeyIndex {
  #hashes = new BigUint64Array(SLOTS_FIRST);
  /** Month number × 2^36 + offset, plus one: zero is an empty slot. Exact below 2^53. */
  #places = new Float64Array(SLOTS_FIRST);
  #size = 0;
  readonly #months: string[] = [];

  get size(): number {
    return this.#size;
  }

  add(key: string, place: Place): void {
    if (this.#size >= KEYS_MAX)
      throw new CodedError(
        'ERP_FILE_FULL',
        `These books hold ${String(KEYS_MAX)} entries, the most that one directory may have.`,
      );
    if (this.#size * 2 >= this.#hashes.length) this.#grow();
    this.#put(hashOf(key), this.#monthNumber(place.month) * OFFSET_LIMIT + place.offset + 1);
    this.#size++;
  }

  /** Every place where that key may stand, oldest first. */
  places(key: string): Place[] {
    const hash = hashOf(key);
    const mask = this.#hashes.length - 1;
    const found: Place[] = [];
    for (let slot = Number(hash & BigInt(mask)); this.#places[slot] !== 0; slot = (slot + 1) & mask) {
      if (this.#hashes[slot] === hash) found.push(this.#placeAt(slot));
    }
    return found;
  }

  clear(): void {
    this.#hashes = new BigUint64Array(SLOTS_FIRST);
    this.#places = new Float64Array(SLOTS_FIRST);
    this.#size = 0;
  }

  #placeAt(slot: number): Place {
    const packed = (this.#places[slot] ?? 0) - 1;
    return {
      month: this.#months[Math.floor(packed / OFFSET_LIMIT)] ?? '',
      offset: packed % OFFSET_LIMIT,
    };
  }

  #put(hash: bigint, packed: number): void {
    const mask = this.#hashes.length - 1;
    let slot = Number(hash & BigInt(mask));
    while (this.#places[slot] !== 0) slot = (slot + 1) & mask;
    this.#hashes[slot] = hash;
    this.#places[slot] = packed;
  }

  #grow(): void {
    const hashes = this.#hashes;
    const places = this.#places;
    this.#hashes = new BigUint64Array(hashes.length * 2);
    this.#places = new Float64Array(places.length * 2);
    for (let slot = 0; slot < places.length; slot++) {
      const packed = places[slot] ?? 0;
      if (packed !== 0) this.#put(hashes[slot] ?? 0n, packed);
    }
  }

  #monthNumber(month: string): number {
    const known = this.#months.indexOf(month);
    return known === -1 ? this.#months.push(month) - 1 : known;
  }
}

function hashOf(key: string): bigint {
  return createHash('sha256').update(key).digest().readBigUInt64BE(0);
}
