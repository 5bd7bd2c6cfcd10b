// What became of each record of a watched folder, and what of a file cannot be read, appended to a file of the same name in its folder
// `results`, one JSON object a line; a record that is told twice stands there once. Nothing is written through a link.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { appendToPlainFile, isPlainDirectory, NoPlainFile } from '../../files/plain-file.js';
import type { OriginProblem, Told } from '../origin.js';
import { told as toldAs, type Words } from '../told.js';

export const RESULTS = 'results';
/** The end of a file, in which the last word on a record is looked for. */
const TAIL_BYTES = 4 * 1024 * 1024;
/** Of one file: whoever has more of them mends the first ones first. All are under `outgoing problems`. */
const UNREAD_MAX = 100;
const WHY_CHARACTERS_MAX = 1_000;

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

  tell(about: string, told: Told): Promise<void> {
    const { place, kind, reference, ...facts } = told;
    const line = JSON.stringify({ kind, reference, ...facts, line: lineOf(place) });
    return this.#add(about, [{ line, about: aboutRecord(told) }]);
  }

  /** Nothing is read any later because this cannot be written: the problems are on record as well. */
  async tellUnread(about: string, problems: readonly OriginProblem[]): Promise<void> {
    const lines = problems.slice(0, UNREAD_MAX).map(({ place, problem }) => {
      const at = { state: 'unread', line: lineOf(place) };
      return {
        line: JSON.stringify({ ...at, why: problem.slice(0, WHY_CHARACTERS_MAX) }),
        about: opening(at),
      };
    });
    if (lines.length > 0) await this.#add(about, lines).catch(() => undefined);
  }

  async #add(about: string, lines: readonly Line[]): Promise<void> {
    const file = `${about}.jsonl`;
    try {
      await this.#append(file, (before) => {
        const known = before.split('\n');
        const news = lines.filter((one) => lastWord(one, known) !== one.line);
        if (news.length === 0) return null;
        // A line that a power cut left unfinished stays by itself.
        const gap = before === '' || before.endsWith('\n') ? '' : '\n';
        return `${gap}${news.map(({ line }) => `${line}\n`).join('')}`;
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

interface Line {
  readonly line: string;
  /** How each line about the same begins. */
  readonly about: string;
}

function aboutRecord({ kind, reference }: Told): string {
  return opening({ kind, reference });
}

function opening(fields: object): string {
  return `{${JSON.stringify(fields).slice(1, -1)},`;
}

/** The line that was written last about the same. */
function lastWord({ about }: Line, lines: readonly string[]): string | undefined {
  return lines.findLast((line) => line.startsWith(about));
}

function lineOf(place: string): number {
  return Number(place.slice(place.lastIndexOf(':') + 1));
}
