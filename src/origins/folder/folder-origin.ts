// A watched folder: files that somebody puts there. A file is read when it has stood unchanged for a while, and again when it changes;
// files are never moved or changed here. What became of each record is appended to a file of the same name in the folder `results`, one
// JSON object a line; a record that is told twice stands there once. What is in a file its reader knows.
import type { Dirent } from 'node:fs';
import { access, lstat, readdir, mkdir } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import type { Clock } from '../../domain/runtime.js';
import type { SubmissionKind } from '../../domain/submission.js';
import { told as toldAs, type Words, told } from '../told.js';
import {
  type NamedAtOrigin,
  type Origin,
  type OriginChanges,
  type OriginProblem,
  type OriginRecord,
  problemAt,
  type Told,
} from '../origin.js';
import {
  type FileReading,
  type FolderReader,
  type Beside,
  type FileFacts,
  fileFacts,
} from './named-files.js';
import { bytesIfThere, readBytes } from './read-table.js';
import { appendToPlainFile, isPlainDirectory, NoPlainFile } from '../../files/plain-file.js';
import type { CreateOrigin, OriginServices } from '../origin-services.js';
import { recordFiles } from './record-files.js';

export interface FolderSettings {
  readonly directory: string;
  /** How long a file must have stood unchanged. */
  readonly stableMs: number;
}

const FILES_A_LOOK = 20;
/** Files that one file names. */
const NAMED_MAX = 1_000;
/** Where the cursor has what is said of the folder itself: no file is called so. */
const OWN_PROBLEMS = '';
/** The place of a problem with what is in the folder and is no file. */
const NO_FILES = '(links)';
const NAMES_SHOWN = 5;
/** Half-written by custom: editors and copiers call theirs so until they are done. */
const UNFINISHED = /^\.|~$|\.(tmp|part|partial|crdownload|filepart|swp)$/i;

interface Present {
  readonly file: string;
  readonly fingerprint: string;
}

interface Seen {
  readonly fingerprint: string;
  readonly since: number;
}

export class FolderOrigin implements Origin {
  readonly name: string;
  readonly #settings: FolderSettings;
  readonly #reader: FolderReader;
  readonly #clock: Clock;
  readonly #seen = new Map<string, Seen>();
  /** File → the files that it named when it was last read. */
  readonly #named = new Map<string, readonly string[]>();
  readonly #turns = new FileTurns();
  readonly #results: Results;

  constructor(name: string, settings: FolderSettings, reader: FolderReader, clock: Clock) {
    this.name = name;
    this.#settings = settings;
    this.#reader = reader;
    this.#clock = clock;
    this.#results = new Results(settings.directory);
  }

  async changes(cursor: string | null): Promise<OriginChanges> {
    const { [OWN_PROBLEMS]: ownBefore = '', ...known } = filesOf(cursor);
    const { names, isFull, others } = await this.#names(known);
    const files = await this.#stable(names, known);
    const isKnown = ({ file, fingerprint }: Present) => known[file]?.split('#')[0] === fingerprint;
    const fresh = files.present.filter((one) => files.stable.has(one.file) && !isKnown(one));
    const isFresh = new Set(fresh.map(({ file }) => file));
    const kept: Record<string, string> = {};
    for (const file of names) if (!isFresh.has(file) && !files.gone.has(file)) keep(kept, file, known[file]);
    const records: OriginRecord[] = [];
    const problems = this.#ownProblems(names.length, isFull, others);
    const own = problems.map(({ place, problem }) => `${place} ${problem}`).join('\n');
    if (own !== '') kept[OWN_PROBLEMS] = own;
    const wasLarge = isLarge(Object.keys(known).length);
    const looked: string[] = wasLarge || own !== ownBefore ? [WHOLE_FOLDER, NO_FILES, RESULTS] : [];
    for (const { file, fingerprint } of fresh.slice(0, FILES_A_LOOK)) {
      const read = await this.#readFile(file, fingerprint);
      // It changed under our eyes, or a file that it names does: the next look sees it.
      if (read === null) continue;
      // With the files that it names, which are known now.
      const now = (await this.#fingerprint(file)) ?? fingerprint;
      const twin = twinOf(kept, read.identity);
      if (twin === undefined) records.push(...read.records);
      const once = twin === undefined ? [] : [problemAt(`${file}:1`, toldAs('FILE_GOES_ONCE', { twin }))];
      const unread = [...once, ...read.problems];
      await this.#results.tellUnread(file, unread);
      problems.push(...unread);
      looked.push(file);
      kept[file] = read.identity === undefined || twin ? now : `${now}#${read.identity}`;
    }
    for (const { file } of fresh.slice(FILES_A_LOOK)) keep(kept, file, known[file]);
    // A file that was put away has no problems any more.
    const there = new Set(names);
    const gone = Object.keys(known).filter((file) => !there.has(file) || files.gone.has(file));
    looked.push(...gone);
    // As many as were looked at are done: the next look begins behind them.
    if (fresh.length <= FILES_A_LOOK) this.#turns.next();
    return { records, problems, looked, gone, cursor: cursorOf(kept), more: fresh.length > FILES_A_LOOK };
  }

  async read(kind: SubmissionKind, reference: string, place: string): Promise<OriginRecord | null> {
    const file = fileOf(place);
    if (!(await this.#isThere(file))) return null;
    const read = await this.#readFile(file, null);
    const called = read?.records.filter((one) => one.kind === kind && one.reference === reference) ?? [];
    return called.find((one) => one.place === place) ?? called[0] ?? null;
  }

  tell(told: Told): Promise<void> {
    return this.#results.tell(fileOf(told.place), told);
  }

  async file(place: string, named?: NamedAtOrigin): Promise<Uint8Array | null> {
    const inside = named?.at;
    const file = named === undefined || inside !== undefined ? fileOf(place) : basename(named.name);
    if (!(await this.#isThere(file))) return null;
    const read = await readBytes(join(this.#settings.directory, file));
    if ('said' in read) return null;
    const { bytes } = read;
    return inside === undefined ? bytes : (this.#reader.embedded?.({ name: file, bytes }, inside) ?? null);
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  /** What is said of the folder itself, and of none of its files. */
  #ownProblems(files: number, isFull: boolean, others: readonly string[]): OriginProblem[] {
    const problems = [...largeFolder(files, isFull)];
    if (others.length > 0) {
      const names = others.slice(0, NAMES_SHOWN).join(', ');
      problems.push(problemAt(NO_FILES, toldAs('NOT_FILES', { count: others.length, names })));
    }
    const { unwritten } = this.#results;
    if (unwritten) problems.push(problemAt(RESULTS, unwritten));
    return problems;
  }

  /** Fails where the folder itself is not there: then nobody knows. */
  async #isThere(file: string): Promise<boolean> {
    await access(this.#settings.directory);
    return (await takeFingerprint(join(this.#settings.directory, file))) !== null;
  }

  /** Names of the files that are there, at most so many: those that are known, and then the first of the others. */
  async #names(
    known: Readonly<Record<string, string>>,
  ): Promise<{ names: readonly string[]; isFull: boolean; others: readonly string[] }> {
    const entries = (await readdir(this.#settings.directory, { withFileTypes: true })).filter(
      ({ name }) => !UNFINISHED.test(name) && this.#reader.takes(name),
    );
    const others = entries
      .filter(isNoFile)
      .map(({ name }) => name)
      .sort();
    const all = entries.map(({ name }) => name);
    if (all.length <= FILES_MAX) return { names: all.sort(), isFull: false, others };
    const [old, fresh] = [all.filter((file) => file in known), all.filter((file) => !(file in known))];
    return { names: [...old, ...fresh.sort()].slice(0, FILES_MAX).sort(), isFull: true, others };
  }

  /** Those whose turn it is, and which of them have stood unchanged for long enough, by our own clock. */
  async #stable(
    names: readonly string[],
    known: Readonly<Record<string, string>>,
  ): Promise<{ present: Present[]; stable: Set<string>; gone: Set<string> }> {
    const present: Present[] = [];
    const [stable, gone] = [new Set<string>(), new Set<string>()];
    for (const file of this.#turns.of(names, (one) => one in known)) {
      const fingerprint = await this.#fingerprint(file);
      if (fingerprint === null) gone.add(file);
      else present.push({ file, fingerprint });
      if (fingerprint !== null && this.#isStable(file, fingerprint)) stable.add(file);
    }
    const there = new Set(names.flatMap((file) => [file, ...(this.#named.get(file) ?? []).map(beside)]));
    for (const file of this.#seen.keys()) if (!there.has(file)) this.#seen.delete(file);
    for (const file of this.#named.keys()) if (!there.has(file)) this.#named.delete(file);
    return { present, stable, gone };
  }

  /** null: it is gone, or is no plain file. What says more of it changes with it. */
  async #fingerprint(file: string): Promise<string | null> {
    const { directory } = this.#settings;
    const own = await takeFingerprint(join(directory, file));
    if (own === null) return null;
    const companion = this.#reader.companion?.(file);
    const more = [...(companion === undefined ? [] : [companion]), ...(this.#named.get(file) ?? [])];
    const all = await Promise.all(more.map((name) => takeFingerprint(join(directory, name))));
    return [own, ...all.map((one) => one ?? '')].join('+');
  }

  /** What stands beside a file and is named in it, and whether all of it has stood unchanged for long enough. */
  async #lookBeside(file: string, bytes: Uint8Array): Promise<{ found: Beside; areStable: boolean }> {
    const names = [...new Set(this.#reader.names?.({ name: file, bytes }) ?? [])].slice(0, NAMED_MAX);
    this.#named.set(file, names);
    const found = new Map<string, FileFacts | Words>();
    let areStable = true;
    for (const name of names) {
      const path = join(this.#settings.directory, name);
      const fingerprint = await takeFingerprint(path);
      if (fingerprint === null) continue;
      if (!this.#isStable(beside(name), fingerprint)) areStable = false;
      const read = await readBytes(path);
      found.set(name, 'said' in read ? read : fileFacts(read.bytes));
    }
    return { found, areStable };
  }

  #isStable(name: string, fingerprint: string): boolean {
    const now = this.#clock.now().getTime();
    const before = this.#seen.get(name);
    const since = before?.fingerprint === fingerprint ? before.since : now;
    this.#seen.set(name, { fingerprint, since });
    return now - since >= this.#settings.stableMs;
  }

  async #readFile(file: string, fingerprint: string | null): Promise<FileReading | null> {
    const { directory } = this.#settings;
    const read = await readBytes(join(directory, file));
    const other = this.#reader.companion?.(file);
    const companion = other === undefined ? null : await bytesIfThere(join(directory, other));
    if (fingerprint !== null && (await this.#fingerprint(file)) !== fingerprint) return null;
    if ('said' in read) return { records: [], problems: [problemAt(`${file}:1`, read)] };
    if (companion !== null && 'said' in companion) {
      const words = toldAs('AT_RECORD', { at: other ?? '', what: companion.said });
      return { records: [], problems: [problemAt(`${file}:1`, words)] };
    }
    const { bytes, changedAt } = read;
    const changedOn = changedAt.toISOString().slice(0, 10);
    const { found, areStable } = await this.#lookBeside(file, bytes);
    // Whoever reads one record alone takes them as they are.
    if (!areStable && fingerprint !== null) return null;
    const beside = { companion: companion?.bytes ?? null, beside: found };
    return this.#reader.read({ name: file, bytes, changedOn, ...beside });
  }
}

/** Under which it is remembered when a file that others name was seen: it may be read for itself as well. */
function beside(name: string): string {
  return `beside ${name}`;
}

function fileOf(place: string): string {
  return basename(place.slice(0, place.lastIndexOf(':')));
}

/** The file that is known to hold the same. */
function twinOf(files: Readonly<Record<string, string>>, identity: string | undefined): string | undefined {
  if (identity === undefined) return undefined;
  return Object.entries(files).find(([, kept]) => kept.endsWith(`#${identity}`))?.[0];
}

async function takeFingerprint(path: string): Promise<string | null> {
  const stat = await lstat(path, { bigint: true }).catch(() => null);
  return stat?.isFile() === true ? `${String(stat.size)}-${String(stat.mtimeNs)}-${String(stat.ino)}` : null;
}

/** Where the file system does not say what it is, it is looked at later. */
function isNoFile(entry: Dirent): boolean {
  return (
    entry.isSymbolicLink() ||
    entry.isFIFO() ||
    entry.isSocket() ||
    entry.isCharacterDevice() ||
    entry.isBlockDevice()
  );
}

function keep(files: Record<string, string>, file: string, fingerprint: string | undefined): void {
  if (fingerprint !== undefined) files[file] = fingerprint;
}

function filesOf(cursor: string | null): Readonly<Record<string, string>> {
  return cursor === null || cursor === '' ? {} : (JSON.parse(cursor) as Record<string, string>);
}

function cursorOf(files: Readonly<Record<string, string>>): string {
  return JSON.stringify(Object.fromEntries(Object.entries(files).sort(([a], [b]) => (a < b ? -1 : 1))));
}

// A folder that is never emptied grows. Each look asks the disk about a bounded number of its files, new ones before those that are known, and
// goes on behind them at the next look, so that every file gets its turn, whatever it is called. Somebody is told when a folder is large.

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

// What became of each record of a watched folder, and what of a file cannot be read, appended to a file of the same name in its folder
// `results`, one JSON object a line; a record that is told twice stands there once. Nothing is written through a link.

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

// A watched folder of CSV, JSON lines and UBL orders, as a tenant file names it.

export const createFolder: CreateOrigin<'folder'> = (settings, services) => {
  const { name, orders, kinds, embedded } = settings;
  const reader = recordFiles(orders, kinds, embedded);
  return new FolderOrigin(name, placeOf(settings, services), reader, services.clock);
};

export function placeOf(
  { directory, stableSeconds }: { readonly directory: string; readonly stableSeconds: number },
  { configDirectory }: Pick<OriginServices, 'configDirectory'>,
): FolderSettings {
  return { directory: resolve(configDirectory, directory), stableMs: stableSeconds * 1_000 };
}
