// Reads a certificate again, offline: every line against its hash, all of them against the root, the root against the
// signature. It says what differs, and of which document. Of a good one, only one piece at a time is in memory.
import { createHash } from 'node:crypto';
import {
  CERTIFICATE_FORMAT,
  type CertificateHead,
  type CertificateSeal,
  signedText,
  type CertificateProblem,
  leafHash,
  merkleTree,
  RUN_LEAVES,
} from './certificate.js';
import { type CertificateBytes, forEachLine, kindOf, nameOf, parsed, recordOf } from './certificate-text.js';
import { fingerprintOf, isSignedBy } from './signing.js';

export type { CertificateProblem } from './certificate.js';

/** `signed`, `unsigned` and `other-key`: it is whole, as it was sealed; whoever asked for a key got that one, none, another. */
export type CertificateOutcome = 'signed' | 'unsigned' | 'other-key' | 'changed';

export interface CertificateVerification {
  readonly outcome: CertificateOutcome;
  readonly head: CertificateHead | null;
  readonly seal: CertificateSeal | null;
  readonly records: number;
  readonly root: string;
  readonly signedBy: string | null;
  readonly problems: readonly CertificateProblem[];
}

export interface VerifyOptions {
  /** SPKI, base64: who must have signed it. Without it the fingerprint is for a person to compare. */
  readonly publicKey?: string | undefined;
  readonly onProgress?: ((bytes: number) => void) | undefined;
}

const PROBLEMS_MAX = 100;

export async function verifyCertificate(
  from: CertificateBytes,
  options: VerifyOptions = {},
): Promise<CertificateVerification> {
  const reading = new Reading();
  await forEachLine(from, (line) => reading.take(line), options.onProgress);
  const verified = reading.finish(options);
  return reading.needsNames ? named(from, verified) : verified;
}

/** With the documents that it is about, instead of the place where to look for them. */
async function named(
  from: CertificateBytes,
  verified: CertificateVerification,
): Promise<CertificateVerification> {
  const { problems: found, names } = await compareWithIndex(from);
  const told = verified.problems
    .filter(({ code }) => found.length === 0 || code !== 'RUN_DIFFERS')
    .map((problem) =>
      problem.code === 'RECORD_CHANGED'
        ? { ...problem, what: names.get(problem.line) ?? problem.what }
        : problem,
    );
  return { ...verified, problems: [...told, ...found].slice(0, PROBLEMS_MAX) };
}

class Reading {
  readonly #tree = merkleTree();
  readonly #index = createHash('sha256');
  readonly #problems: CertificateProblem[] = [];
  readonly #firstOfRun: string[] = [];
  #headLine: string | null = null;
  #head: CertificateHead | null = null;
  #seal: CertificateSeal | null = null;
  #lines = 0;
  #records = 0;
  #needsNames = false;

  /** The records are not the sealed ones, and the index, which is, says which they are. */
  get needsNames(): boolean {
    return this.#needsNames;
  }

  take(line: Buffer): void {
    this.#lines += 1;
    if (this.#headLine === null) this.#takeHead(line.toString('utf8'));
    else if (this.#seal !== null) this.#problem({ code: 'AFTER_THE_SEAL' });
    else {
      switch (kindOf(line)) {
        case 'seal':
          this.#takeSeal(line.subarray('seal '.length));
          break;
        case 'index':
          this.#index.update(line).update('\n');
          break;
        case 'record':
          this.#takeRecord(line);
      }
    }
  }

  finish({ publicKey }: VerifyOptions): CertificateVerification {
    const { root, runs, leaves } = this.#tree.finish();
    if (this.#head !== null) this.#judgeSeal(root, runs, leaves, publicKey);
    const signedBy = this.#seal?.publicKey ?? null;
    return {
      outcome: this.#outcome(signedBy),
      head: this.#head,
      seal: this.#seal,
      records: leaves,
      root,
      signedBy: signedBy === null ? null : fingerprintOf(signedBy),
      problems: this.#problems,
    };
  }

  #outcome(signedBy: string | null): CertificateOutcome {
    if (this.#problems.some(({ code }) => code !== 'NOT_SIGNED' && code !== 'OTHER_KEY')) return 'changed';
    if (signedBy === null) return 'unsigned';
    return this.#problems.length === 0 ? 'signed' : 'other-key';
  }

  #takeHead(text: string): void {
    this.#headLine = text;
    const head = parsed(text) as CertificateHead | null;
    if (head?.format === CERTIFICATE_FORMAT) this.#head = head;
    else this.#problem({ code: 'NOT_A_CERTIFICATE' });
  }

  #takeSeal(text: Buffer): void {
    const seal = parsed(text.toString('utf8')) as CertificateSeal | null;
    if (seal === null) this.#problem({ code: 'RECORD_UNREADABLE', line: this.#lines });
    else this.#seal = seal;
  }

  #takeRecord(line: Buffer): void {
    const { written, record } = recordOf(line);
    const leaf = leafHash(record);
    if (this.#records % RUN_LEAVES === 0) this.#firstOfRun.push(nameOf(record));
    this.#records += 1;
    this.#tree.add(leaf);
    if (written !== leaf.toString('hex'))
      this.#problem({ code: 'RECORD_CHANGED', line: this.#lines, what: nameOf(record) });
  }

  #judgeSeal(root: string, runs: readonly string[], leaves: number, publicKey: string | undefined): void {
    const seal = this.#seal;
    if (seal === null) {
      this.#problem({ code: 'SEAL_MISSING' });
      return;
    }
    const hasIndex = seal.index !== undefined;
    const isIndexWhole = hasIndex && seal.index === this.#index.digest('hex');
    if (hasIndex && !isIndexWhole) this.#problem({ code: 'INDEX_CHANGED' });
    if (seal.records !== leaves)
      this.#problem({ code: 'COUNT_DIFFERS', sealed: seal.records, found: leaves });
    this.#needsNames = isIndexWhole && seal.root !== root;
    if (seal.root !== root) this.#problem(this.#runThatDiffers(seal, runs, leaves));
    else if (seal.runs.join() !== runs.join()) this.#problem({ code: 'ROOT_DIFFERS' });
    this.#judgeSignature(seal, publicKey);
  }

  #runThatDiffers(seal: CertificateSeal, runs: readonly string[], leaves: number): CertificateProblem {
    const at = runs.findIndex((run, index) => run !== seal.runs[index]);
    // Every run that is there is as it was: the last ones are missing.
    if (at === -1 && runs.length === seal.runs.length) return { code: 'ROOT_DIFFERS' };
    const from = (at === -1 ? runs.length : at) * RUN_LEAVES + 1;
    const to = Math.min(from + RUN_LEAVES - 1, Math.max(leaves, seal.records));
    return { code: 'RUN_DIFFERS', from, to, first: this.#firstOfRun[at] ?? '' };
  }

  #judgeSignature(seal: CertificateSeal, publicKey: string | undefined): void {
    const { signature, ...unsigned } = seal;
    if (signature === null && seal.publicKey === null) {
      if (publicKey !== undefined) this.#problem({ code: 'NOT_SIGNED' });
      return;
    }
    const text = signedText(this.#headLine ?? '', unsigned);
    if (signature === null || seal.publicKey === null || !isSignedBy(seal.publicKey, text, signature))
      this.#problem({ code: 'SIGNATURE_WRONG' });
    if (seal.publicKey === null) return;
    if (publicKey !== undefined && publicKey !== seal.publicKey)
      this.#problem({ code: 'OTHER_KEY', fingerprint: fingerprintOf(seal.publicKey) });
  }

  #problem(problem: CertificateProblem): void {
    if (this.#problems.length < PROBLEMS_MAX) this.#problems.push(problem);
  }
}

// Which documents it is about, once the records of a certificate are known not to be those that were sealed. The index in the
// file, which the seal holds the hash of, has the name and the mark of every record; the file is read a second time and held
// against it.

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
