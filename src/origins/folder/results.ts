// What became of each record of a watched folder, appended to a file of the same name in its folder `results`, one JSON object a line; a
// record that is told twice stands there once. Nothing is written through a link.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { appendToPlainFile, isPlainDirectory, NoPlainFile } from '../../files/plain-file.js';
import type { Told } from '../origin.js';
import { told as toldAs, type Words } from '../told.js';

export const RESULTS = 'results';
/** The end of a file, in which the last word on a record is looked for. */
const TAIL_BYTES = 4 * 1024 * 1024;

export class Results {
  readonly #folder: string;
  /** Files that could not be written, and why. */
  readonly #unwritten = new Map<string, Words>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Why the first of those that could not be written was not. */
  get unwritten(): Words | undefined {
    const [words] = this.#unwritten.values();
    return words;
  }

  async tell(about: string, told: Told): Promise<void> {
    const { place, kind, reference, ...facts } = told;
    const at = { line: Number(place.slice(place.lastIndexOf(':') + 1)) };
    const line = JSON.stringify({ kind, reference, ...facts, ...at });
    const file = `${about}.jsonl`;
    try {
      await this.#append(file, (before) => {
        if (lastWordOn(told, before) === line) return null;
        // A line that a power cut left unfinished stays by itself.
        const gap = before === '' || before.endsWith('\n') ? '' : '\n';
        return `${gap}${line}\n`;
      });
      this.#unwritten.delete(file);
    } catch (error) {
      if (!(error instanceof NoPlainFile)) throw error;
      const words = toldAs('RESULT_NOT_WRITTEN', { file: `${RESULTS}/${file}` });
      this.#unwritten.set(file, words);
      throw new Error(words.message, { cause: error });
    }
  }

  async #append(file: string, toAppend: (before: string) => string | null): Promise<void> {
    const directory = join(this.#folder, RESULTS);
    // Not its parents: a folder that is not mounted is away, and nobody would see what was written in its place.
    await mkdir(directory).catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    });
    await mustBePlain(directory);
    await appendToPlainFile(join(directory, file), TAIL_BYTES, async (tail) => {
      // Once more when the file is open: what was opened through a link is another one.
      await mustBePlain(directory);
      return toAppend(new TextDecoder().decode(tail));
    });
  }
}

async function mustBePlain(directory: string): Promise<void> {
  if (!(await isPlainDirectory(directory))) throw new NoPlainFile(directory);
}

/** The line that was written last about a record. */
function lastWordOn({ kind, reference }: Told, lines: string): string | undefined {
  const about = `{${JSON.stringify({ kind, reference }).slice(1, -1)},`;
  return lines.split('\n').findLast((line) => line.startsWith(about));
}
