// What the witness knows, in a file of each process: ids of the latest attempts, one a line, and `!` before those that a database
// was already found to have forgotten. It is written before their requests leave, and left to the operating system: it outlives the
// process, which is enough, since a machine that is lost takes no sleeping sender with it.
import {
  closeSync,
  existsSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { PRIVATE_DIRECTORY, PRIVATE_FILE } from '../domain/private-files.js';

/** As many as may be under way at once, and some. */
const MARKS_MAX = 64;
const REFUTED_MAX = 1_000;
const FILES_MAX = 100;
const DAY_MS = 86_400_000;
/** So long a restored database is looked after anyway; what is older proves nothing. */
const OLD_MS = 90 * DAY_MS;
const MARK = /^!?[0-9a-f-]{36}$/;
/** Of a mark and the end of its line: each has its place in the file, and is written without the others. */
const LINE_BYTES = 37;

export class WitnessFile {
  readonly #path: string;
  #file: number;
  /** A ring, once there are as many as are kept. */
  #marks: string[];
  #oldest = 0;
  #refuted: string[];
  /** Places of the marks that the file lacks yet; `all`: it is written anew. */
  #unwritten: number[] | 'all' = 'all';
  #isClosed = false;

  /** Takes over what every process wrote that ever ran here. */
  constructor(directory: string, name: string, now: number) {
    mkdirSync(directory, { recursive: true, mode: PRIVATE_DIRECTORY });
    this.#path = join(directory, name.replaceAll(/[^\w.-]/g, '-'));
    const earlier = filesIn(directory).filter(({ changedAt }) => now - changedAt < OLD_MS);
    const lines = earlier
      .flatMap(({ path }) => readFileSync(path, 'utf8').split('\n'))
      .filter((line) => MARK.test(line));
    this.#refuted = lines.filter((line) => line.startsWith('!')).map((line) => line.slice(1));
    this.#marks = [...new Set(lines)].filter(
      (line) => !line.startsWith('!') && !this.#refuted.includes(line),
    );
    this.#file = openSync(this.#path, 'w', PRIVATE_FILE);
    this.write();
    // What has not written for a day has ended, or writes its file anew.
    for (const { path, changedAt } of earlier)
      if (path !== this.#path && now - changedAt > DAY_MS) rmSync(path, { force: true });
  }

  /** As they are now, the oldest first. */
  marks(): readonly string[] {
    return [...this.#marks.slice(this.#oldest), ...this.#marks.slice(0, this.#oldest)];
  }

  mark(id: string): void {
    if (this.#marks.length !== MARKS_MAX) {
      this.#keep([...this.marks().slice(1 - MARKS_MAX), id]);
      return;
    }
    this.#marks[this.#oldest] = id;
    if (this.#unwritten !== 'all') this.#unwritten.push(this.#oldest);
    this.#oldest = (this.#oldest + 1) % MARKS_MAX;
  }

  /** A database was found to have forgotten these; it is known now, and not to be found out again. */
  refute(ids: readonly string[]): void {
    this.#refuted = [...this.#refuted, ...ids].slice(-REFUTED_MAX);
    this.#keep(this.marks().filter((id) => !ids.includes(id)));
    if (!existsSync(this.#path)) {
      closeSync(this.#file);
      this.#file = openSync(this.#path, 'w', PRIVATE_FILE);
    }
    this.write();
  }

  #keep(marks: string[]): void {
    this.#marks = marks;
    this.#oldest = 0;
    this.#unwritten = 'all';
  }

  /** What came together goes together: whoever finds it written has nothing left to do. */
  write(): void {
    const unwritten = this.#unwritten;
    this.#unwritten = [];
    if (unwritten === 'all') this.#writeAll();
    else for (const at of unwritten) writeSync(this.#file, `${this.#marks[at] ?? ''}\n`, at * LINE_BYTES);
  }

  #writeAll(): void {
    const lines = [...this.#marks, ...this.#refuted.map((id) => `!${id}`)];
    const text = lines.map((line) => `${line}\n`).join('');
    writeSync(this.#file, text, 0);
    ftruncateSync(this.#file, Buffer.byteLength(text));
  }

  /** A bridge may be closed more than once. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    closeSync(this.#file);
  }
}

/** The latest ones. */
function filesIn(directory: string): { readonly path: string; readonly changedAt: number }[] {
  return readdirSync(directory)
    .map((name) => join(directory, name))
    .map((path) => ({ path, changedAt: statSync(path).mtimeMs }))
    .sort((a, b) => b.changedAt - a.changedAt)
    .slice(0, FILES_MAX);
}
