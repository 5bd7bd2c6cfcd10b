// Reads a certificate again, offline: every line against its hash, all of them against the root, the root against the
// signature. It says what differs, and of which document. Of a good one, only one piece at a time is in memory.
import { createHash } from 'node:crypto';
import { CERTIFICATE_FORMAT, type CertificateHead, type CertificateSeal, signedText } from './certificate.js';
import { type CertificateBytes, forEachLine, kindOf, nameOf, parsed, recordOf } from './certificate-lines.js';
import type { CertificateProblem } from './certificate-problem.js';
import { compareWithIndex } from './compare-with-index.js';
import { leafHash, merkleTree, RUN_LEAVES } from './merkle.js';
import { fingerprintOf, isSignedBy } from './signing.js';

export type { CertificateProblem } from './certificate-problem.js';

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
