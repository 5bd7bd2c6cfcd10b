// Records kept in the order of a day or instant, ties by their id, so that a page is a slice and a date filter two binary
// searches. Insertion and removal move pointers within one array: some 50 µs at 100,000 records.

export interface Ordered {
  readonly id: number;
}

export class DateOrder<R extends Ordered> {
  readonly #key: (record: R) => string;
  #rows: R[] = [];

  constructor(key: (record: R) => string) {
    this.#key = key;
  }

  get size(): number {
    return this.#rows.length;
  }

  load(records: readonly R[]): void {
    this.#rows = [...this.#rows, ...records].sort((a, b) => this.#compare(a, this.#key(b), b.id));
  }

  insert(record: R): void {
    this.#rows.splice(this.#position(this.#key(record), record.id), 0, record);
  }

  /** The record's key must still be the one it was inserted under. */
  remove(record: R): void {
    const position = this.#position(this.#key(record), record.id);
    if (this.#rows[position] === record) this.#rows.splice(position, 1);
  }

  /** Positions [start, end) of the records from one day to another, both inclusive. */
  range(from: string | null, to: string | null): { start: number; end: number } {
    const start = from === null ? 0 : this.#position(from, -1);
    // "~" sorts behind every digit and blank, so the whole last day belongs to the range.
    const end = to === null ? this.#rows.length : this.#position(`${to}~`, -1);
    return { start, end: Math.max(start, end) };
  }

  at(position: number): R | undefined {
    return this.#rows[position];
  }

  slice(start: number, end: number): R[] {
    return this.#rows.slice(start, end);
  }

  compare(a: R, b: R): number {
    return this.#compare(a, this.#key(b), b.id);
  }

  #compare(record: R, key: string, id: number): number {
    const own = this.#key(record);
    if (own !== key) return own < key ? -1 : 1;
    return record.id - id;
  }

  /** Where a record with this key and id stands, or would stand. */
  #position(key: string, id: number): number {
    let low = 0;
    let high = this.#rows.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const row = this.#rows[middle];
      if (row !== undefined && this.#compare(row, key, id) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
