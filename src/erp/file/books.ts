// The files that people and programs read: written from the records, one format beside the other. They follow the record and
// never lead it. A file that does not end with the last record (a crash came in between, or somebody edited it) is written
// anew from the record; what somebody edited is set aside, not thrown away.
import { copyFile, open, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { PRIVATE_FILE } from '../../domain/private-files.js';
import type { Clock } from '../../domain/runtime.js';
import type { ErpLog } from '../erp-adapter.js';
import { type LedgerRecord, readRecords, replaceFile } from './records.js';
import type { BookFormat, Vocabulary } from './formats/book-format.js';

export interface Month {
  readonly name: string;
  readonly last: LedgerRecord;
}

export class Books {
  readonly #directory: string;
  readonly #formats: readonly BookFormat[];
  readonly #clock: Clock;
  readonly #log: ErpLog;

  constructor(directory: string, formats: readonly BookFormat[], clock: Clock, log: ErpLog) {
    this.#directory = directory;
    this.#formats = formats;
    this.#clock = clock;
    this.#log = log;
  }

  /** Under the lock, after the records are durable. */
  async append(month: string, records: readonly LedgerRecord[]): Promise<void> {
    for (const format of this.#formats) {
      const path = this.#path(month, format);
      const handle = await open(path, 'a', PRIVATE_FILE);
      try {
        const isNew = (await handle.stat()).size === 0;
        const text = records.map((record) => format.entry(record)).join('');
        await handle.appendFile(isNew ? format.head + text : text);
        await handle.datasync();
      } finally {
        await handle.close();
      }
    }
  }

  /** Under the lock: declarations come before their first use, and a month is included once its file is there. */
  async declare(vocabulary: Vocabulary, months: readonly string[]): Promise<void> {
    for (const format of this.#formats) {
      const text = format.main(vocabulary, [...months].sort());
      const path = join(this.#directory, `ledger.${format.extension}`);
      if (text === null || (await readText(path)) === text) continue;
      for (const month of months) await (await open(this.#path(month, format), 'a', PRIVATE_FILE)).close();
      await replaceFile(path, [text]);
    }
  }

  /** Under the lock: brings every format of that month up to its last record. */
  async repair(month: Month): Promise<void> {
    for (const format of this.#formats) {
      const path = this.#path(month.name, format);
      const expected = Buffer.from(format.entry(month.last));
      if ((await readTail(path, expected.length)).equals(expected)) continue;
      await this.#rewrite(month.name, format, path);
    }
  }

  async #rewrite(month: string, format: BookFormat, path: string): Promise<void> {
    const before = await readText(path);
    if (before !== null && !(await this.#isBeginning(before, month, format)))
      await this.#setAside(path, month);
    await replaceFile(path, this.#render(month, format));
  }

  async #isBeginning(text: string, month: string, format: BookFormat): Promise<boolean> {
    let compared = 0;
    for await (const piece of this.#render(month, format)) {
      if (compared >= text.length) return true;
      const rest = text.slice(compared, compared + piece.length);
      if (!piece.startsWith(rest)) return false;
      compared += piece.length;
    }
    return compared >= text.length;
  }

  async *#render(month: string, format: BookFormat): AsyncGenerator<string> {
    yield format.head;
    const source = join(this.#directory, `${month}.jsonl`);
    for await (const { record } of readRecords(source)) yield format.entry(record);
  }

  async #setAside(path: string, month: string): Promise<void> {
    const aside = `${path}.set-aside-${this.#clock.now().toISOString().replace(/[:.]/g, '')}`;
    await copyFile(path, aside);
    this.#log.warn(
      { month, aside },
      'a book did not match its record; it was written anew and the old one set aside',
    );
  }

  #path(month: string, format: BookFormat): string {
    return join(this.#directory, `${month}.${format.extension}`);
  }
}

async function readTail(path: string, bytes: number): Promise<Buffer> {
  try {
    const { size } = await stat(path);
    const handle = await open(path, 'r');
    try {
      const length = Math.min(bytes, size);
      const { buffer } = await handle.read(Buffer.alloc(length), 0, length, size - length);
      return buffer;
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (isMissing(error)) return Buffer.alloc(0);
    throw error;
  }
}

async function readText(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
