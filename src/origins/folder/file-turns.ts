// A folder that is never emptied grows. Each look asks the disk about a bounded number of its files, new ones before those that are known, and
// goes on behind them at the next look, so that every file gets its turn, whatever it is called. Somebody is told when a folder is large.
import { told } from '../told.js';
import { type OriginProblem, problemAt } from '../origin.js';

/** Files of a folder that are kept in mind; what is beyond them is told, and waits until there are fewer. */
export const FILES_MAX = 100_000;
const LARGE = 10_000;
const NEW_A_LOOK = 2_000;
const KNOWN_A_LOOK = 5_000;

/** The place of a problem that is of no single file. */
export const WHOLE_FOLDER = '.';

export class FileTurns {
  #newFrom = '';
  #knownFrom = '';
  #newNext = '';
  #knownNext = '';

  /** Of these names, in order, those whose turn it is. */
  of(names: readonly string[], isKnown: (name: string) => boolean): readonly string[] {
    const [known, others] = [names.filter(isKnown), names.filter((name) => !isKnown(name))];
    const newTurn = turnOf(others, this.#newFrom, NEW_A_LOOK);
    const knownTurn = turnOf(known, this.#knownFrom, KNOWN_A_LOOK);
    this.#newNext = newTurn.next;
    this.#knownNext = knownTurn.next;
    return [...newTurn.names, ...knownTurn.names];
  }

  /** The next look is at those behind them. */
  next(): void {
    this.#newFrom = this.#newNext;
    this.#knownFrom = this.#knownNext;
  }
}

/** So many from a name on, and from the first one again behind the last. */
function turnOf(names: readonly string[], from: string, most: number) {
  if (names.length <= most) return { names, next: '' };
  const begin = Math.max(
    names.findIndex((name) => name >= from),
    0,
  );
  const turn = [...names.slice(begin), ...names.slice(0, begin)];
  return { names: turn.slice(0, most), next: turn[most] ?? '' };
}

export function isLarge(files: number): boolean {
  return files > LARGE;
}

export function largeFolder(files: number, isFull: boolean): readonly OriginProblem[] {
  if (!isLarge(files)) return [];
  const words = isFull ? told('FOLDER_FULL', { most: FILES_MAX }) : told('FOLDER_LARGE', { files });
  return [problemAt(WHOLE_FOLDER, words)];
}
