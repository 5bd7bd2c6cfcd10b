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

export class WitnessFile {
  readonly #path: string;
  #file: number;
  #marks: string[];
  #refuted: string[];
  #isDirty = true;
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

  marks(): readonly string[] {
    return this.#marks;
  }

  mark(id: string): void {
    this.#marks = [...this.#marks.slice(-MARKS_MAX + 1), id];
    this.#isDirty = true;
  }

  /** A database was found to have forgotten these; it is known now, and not to be found out again. */
  refute(ids: readonly string[]): void {
    this.#refuted = [...this.#refuted, ...ids].slice(-REFUTED_MAX);
    this.#marks = this.#marks.filter((id) => !ids.includes(id));
    this.#isDirty = true;
    if (!existsSync(this.#path)) {
      closeSync(this.#file);
      this.#file = openSync(this.#path, 'w', PRIVATE_FILE);
    }
    this.write();
  }

  /** What came together goes together: whoever finds it written has nothing left to do. */
  write(): void {
    if (!this.#isDirty) return;
    this.#isDirty = false;
    const text = [...this.#marks, ...this.#refuted.map((id) => `!${id}`)].map((line) => `${line}\n`).join('');
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
