// Which documents it is about, once the records of a certificate are known not to be those that were sealed. The index in the
// file, which the seal holds the hash of, has the name and the mark of every record; the file is read a second time and held
// against it.
import type { CertificateProblem } from './certificate-problem.js';
import { type CertificateBytes, forEachLine, kindOf, nameOf, parsed, recordOf } from './certificate-lines.js';
import { leafHash } from './merkle.js';

/** The first digits of the hash of a record: enough to tell records apart; the root says whether they are the sealed ones. */
const MARK_CHARACTERS = 16;

export type IndexEntry = readonly [name: string, mark: string];

export function markOf(hash: string): string {
  return hash.slice(0, MARK_CHARACTERS);
}

interface Found {
  readonly name: string;
  readonly line: number;
}

export interface Compared {
  readonly problems: readonly CertificateProblem[];
  /** Line of a record whose bytes were changed → what it was called when it was sealed. */
  readonly names: ReadonlyMap<number, string>;
}

export async function compareWithIndex(from: CertificateBytes): Promise<Compared> {
  const sealed = await readIndex(from);
  const open = new Map<string, number[]>();
  for (const [place, [, mark]] of sealed.entries()) open.set(mark, [...(open.get(mark) ?? []), place]);
  const strangers: Found[] = [];
  const order: number[] = [];
  const names = new Map<number, string>();
  let line = 0;
  await forEachLine(from, (bytes) => {
    line += 1;
    if (line === 1 || kindOf(bytes) !== 'record') return;
    const { written, record } = recordOf(bytes);
    const leaf = leafHash(record).toString('hex');
    // One whose bytes differ from the hash before them is named already; that hash says which record it was.
    const place = open.get(markOf(leaf))?.shift() ?? open.get(markOf(written))?.shift();
    if (place === undefined) {
      if (written === leaf) strangers.push({ name: nameOf(record), line });
      return;
    }
    order.push(place);
    if (written !== leaf) names.set(line, nameAt(sealed, place));
  });
  const dropped = [...open.values()].flat().sort((one, other) => one - other);
  const problems = namesOf(dropped, strangers, sealed);
  return { names, problems: problems.length > 0 ? problems : moved(order, sealed) };
}

/** A stranger under the name of one that is missing was made anew; others were added, and what is left was dropped. */
function namesOf(
  dropped: readonly number[],
  strangers: readonly Found[],
  sealed: readonly IndexEntry[],
): CertificateProblem[] {
  const missing = new Map(dropped.map((place) => [nameAt(sealed, place), place]));
  const problems: CertificateProblem[] = [];
  for (const { name, line } of strangers) {
    const isAnew = missing.delete(name);
    problems.push({ code: isAnew ? 'RECORD_MADE_ANEW' : 'RECORD_ADDED', line, what: name });
  }
  for (const [what, place] of missing) problems.push({ code: 'RECORD_DROPPED', what, place: place + 1 });
  return problems;
}

function moved(order: readonly number[], sealed: readonly IndexEntry[]): CertificateProblem[] {
  const at = order.findIndex((place, index) => place !== index);
  return at === -1 ? [] : [{ code: 'RECORD_MOVED', what: nameAt(sealed, at), place: at + 1 }];
}

function nameAt(sealed: readonly IndexEntry[], place: number): string {
  return sealed[place]?.[0] ?? '';
}

async function readIndex(from: CertificateBytes): Promise<IndexEntry[]> {
  const sealed: IndexEntry[] = [];
  await forEachLine(from, (line) => {
    if (kindOf(line) !== 'index') return;
    for (const entry of (parsed(line.toString('utf8', 'index '.length)) ?? []) as IndexEntry[])
      sealed.push(entry);
  });
  return sealed;
}
