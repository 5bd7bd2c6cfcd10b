// A watched folder: files that somebody puts there. A file is read when it has stood unchanged for a while, and again when it changes;
// files are never moved or changed here. What became of each record is appended to a file of the same name in the folder `results`, one
// JSON object a line; a record that is told twice stands there once. What is in a file its reader knows.
import { access, lstat, mkdir, open, readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Clock } from '../../domain/runtime.js';
import type { SubmissionKind } from '../../domain/submission.js';
import { told as toldAs, type Words } from '../told.js';
import {
  type NamedAtOrigin,
  type Origin,
  type OriginChanges,
  type OriginProblem,
  type OriginRecord,
  problemAt,
  type Told,
} from '../origin.js';
import { FILES_MAX, FileTurns, isLarge, largeFolder, WHOLE_FOLDER } from './file-turns.js';
import type { FileReading, FolderReader } from './folder-reader.js';
import { type Beside, type FileFacts, fileFacts } from './named-files.js';

export interface FolderSettings {
  readonly directory: string;
  /** How long a file must have stood unchanged. */
  readonly stableMs: number;
}

const RESULTS = 'results';
const FILES_A_LOOK = 20;
/** Files that one file names. */
const NAMED_MAX = 1_000;
const BYTES_MAX = 20 * 1024 * 1024;
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

  constructor(name: string, settings: FolderSettings, reader: FolderReader, clock: Clock) {
    this.name = name;
    this.#settings = settings;
    this.#reader = reader;
    this.#clock = clock;
  }

  async changes(cursor: string | null): Promise<OriginChanges> {
    const known = filesOf(cursor);
    const { names, isFull } = await this.#names(known);
    const files = await this.#stable(names, known);
    const isKnown = ({ file, fingerprint }: Present) => known[file]?.split('#')[0] === fingerprint;
    const fresh = files.present.filter((one) => files.stable.has(one.file) && !isKnown(one));
    const isFresh = new Set(fresh.map(({ file }) => file));
    const kept: Record<string, string> = {};
    for (const file of names) if (!isFresh.has(file) && !files.gone.has(file)) keep(kept, file, known[file]);
    const records: OriginRecord[] = [];
    const problems: OriginProblem[] = [...largeFolder(names.length, isFull)];
    const wasLarge = isLarge(Object.keys(known).length);
    const looked: string[] = wasLarge || problems.length > 0 ? [WHOLE_FOLDER] : [];
    for (const { file, fingerprint } of fresh.slice(0, FILES_A_LOOK)) {
      const read = await this.#readFile(file, fingerprint);
      // It changed under our eyes, or a file that it names does: the next look sees it.
      if (read === null) continue;
      // With the files that it names, which are known now.
      const now = (await this.#fingerprint(file)) ?? fingerprint;
      const twin = twinOf(kept, read.identity);
      if (twin === undefined) records.push(...read.records);
      else problems.push(problemAt(`${file}:1`, toldAs('FILE_GOES_ONCE', { twin })));
      problems.push(...read.problems);
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

  async tell(told: Told): Promise<void> {
    const { place, kind, reference, ...facts } = told;
    const directory = join(this.#settings.directory, RESULTS);
    // Not its parents: a folder that is not mounted is away, and nobody would see what was written in its place.
    await mkdir(directory).catch(unless('EEXIST'));
    const path = join(directory, `${fileOf(place)}.jsonl`);
    const line = JSON.stringify({
      kind,
      reference,
      ...facts,
      line: Number(place.slice(place.lastIndexOf(':') + 1)),
    });
    const before = (await readFile(path, 'utf8').catch(unless('ENOENT'))) ?? '';
    if (lastWordOn(told, before) === line) return;
    // A line that a power cut left unfinished stays by itself.
    const gap = before === '' || before.endsWith('\n') ? '' : '\n';
    await appendSurely(path, `${gap}${line}\n`);
  }

  async file(place: string, named?: NamedAtOrigin): Promise<Uint8Array | null> {
    const inside = named?.at;
    const file = named === undefined || inside !== undefined ? fileOf(place) : basename(named.name);
    if (!(await this.#isThere(file))) return null;
    const bytes = await readBytes(join(this.#settings.directory, file));
    if ('said' in bytes) return null;
    return inside === undefined ? bytes : (this.#reader.embedded?.({ name: file, bytes }, inside) ?? null);
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  /** Fails where the folder itself is not there: then nobody knows. */
  async #isThere(file: string): Promise<boolean> {
    await access(this.#settings.directory);
    return (await takeFingerprint(join(this.#settings.directory, file))) !== null;
  }

  /** Names of the files that are there, at most so many: those that are known, and then the first of the others. */
  async #names(
    known: Readonly<Record<string, string>>,
  ): Promise<{ names: readonly string[]; isFull: boolean }> {
    const all = (await readdir(this.#settings.directory)).filter(
      (file) => !UNFINISHED.test(file) && this.#reader.takes(file),
    );
    if (all.length <= FILES_MAX) return { names: all.sort(), isFull: false };
    const [old, others] = [all.filter((file) => file in known), all.filter((file) => !(file in known))];
    return { names: [...old, ...others.sort()].slice(0, FILES_MAX).sort(), isFull: true };
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
      found.set(name, 'said' in read ? read : fileFacts(read));
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
    const bytes = await readBytes(join(directory, file));
    const other = this.#reader.companion?.(file);
    const companion = other === undefined ? null : await bytesIfThere(join(directory, other));
    const changedOn = (await lstat(join(directory, file))).mtime.toISOString().slice(0, 10);
    if (fingerprint !== null && (await this.#fingerprint(file)) !== fingerprint) return null;
    if ('said' in bytes) return { records: [], problems: [problemAt(`${file}:1`, bytes)] };
    if (companion !== null && 'said' in companion)
      return { records: [], problems: [problemAt(`${file}:1`, companion)] };
    const { found, areStable } = await this.#lookBeside(file, bytes);
    // Whoever reads one record alone takes them as they are.
    if (!areStable && fingerprint !== null) return null;
    return this.#reader.read({ name: file, bytes, companion, changedOn, beside: found });
  }
}

/** Under which it is remembered when a file that others name was seen: it may be read for itself as well. */
function beside(name: string): string {
  return `beside ${name}`;
}

function fileOf(place: string): string {
  return basename(place.slice(0, place.lastIndexOf(':')));
}

/** Of a call that may fail so. */
function unless(code: string): (error: unknown) => undefined {
  return (error) => {
    if ((error as { code?: string }).code !== code) throw error;
    return undefined;
  };
}

/** The line that was written last about a record. */
function lastWordOn({ kind, reference }: Told, lines: string): string | undefined {
  const about = `{${JSON.stringify({ kind, reference }).slice(1, -1)},`;
  return lines.split('\n').findLast((line) => line.startsWith(about));
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

async function bytesIfThere(path: string): Promise<Uint8Array | Words | null> {
  return (await takeFingerprint(path)) === null ? null : readBytes(path);
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

/** On the disk before anybody says that the origin knows. */
async function appendSurely(path: string, text: string): Promise<void> {
  const handle = await open(path, 'a');
  try {
    await handle.appendFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Words: it is too large to be read. */
async function readBytes(path: string): Promise<Uint8Array | Words> {
  const handle = await open(path, 'r');
  try {
    const { size } = await handle.stat();
    if (size > BYTES_MAX) return toldAs('FILE_READ_TO', { bytes: size, most: BYTES_MAX });
    return await handle.readFile();
  } finally {
    await handle.close();
  }
}
