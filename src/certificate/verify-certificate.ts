// Reads a certificate again, offline: every line against its hash, all of them against the root, the root against the
// signature. It says what differs, and of which document.
import { createReadStream } from 'node:fs';
import { CERTIFICATE_FORMAT, type CertificateHead, type CertificateSeal, signedText } from './certificate.js';
import { leafHash, merkleTree, RUN_LEAVES } from './merkle.js';
import { fingerprintOf, isSignedBy } from './signing.js';

export type CertificateProblem =
  | { readonly code: 'NOT_A_CERTIFICATE' }
  | { readonly code: 'SEAL_MISSING' }
  /** The bytes of this record are not those that were hashed. */
  | { readonly code: 'RECORD_CHANGED'; readonly line: number; readonly what: string }
  | { readonly code: 'RECORD_UNREADABLE'; readonly line: number }
  | { readonly code: 'COUNT_DIFFERS'; readonly sealed: number; readonly found: number }
  /** Between these records one was changed together with its hash, dropped, added or moved. */
  | { readonly code: 'RUN_DIFFERS'; readonly from: number; readonly to: number; readonly first: string }
  | { readonly code: 'ROOT_DIFFERS' }
  | { readonly code: 'NOT_SIGNED' }
  | { readonly code: 'SIGNATURE_WRONG' }
  | { readonly code: 'OTHER_KEY'; readonly fingerprint: string }
  | { readonly code: 'AFTER_THE_SEAL' };

export interface CertificateVerification {
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
const HASH_CHARACTERS = 64;
const LINE_BYTES_MAX = 64 * 1024 * 1024;
const NEWLINE = 0x0a;

export async function verifyCertificate(
  path: string,
  options: VerifyOptions = {},
): Promise<CertificateVerification> {
  const reading = new Reading();
  for await (const line of linesOf(path, options.onProgress)) reading.take(line);
  return reading.finish(options);
}

class Reading {
  readonly #tree = merkleTree();
  readonly #problems: CertificateProblem[] = [];
  readonly #firstOfRun: string[] = [];
  #headLine: string | null = null;
  #head: CertificateHead | null = null;
  #seal: CertificateSeal | null = null;
  #lines = 0;
  #records = 0;

  take(line: Buffer): void {
    this.#lines += 1;
    if (this.#headLine === null) this.#takeHead(line.toString('utf8'));
    else if (this.#seal !== null) this.#problem({ code: 'AFTER_THE_SEAL' });
    else if (line.subarray(0, 5).toString('latin1') === 'seal ') this.#takeSeal(line.subarray(5));
    else this.#takeRecord(line);
  }

  finish({ publicKey }: VerifyOptions): CertificateVerification {
    const { root, runs, leaves } = this.#tree.finish();
    if (this.#head !== null) this.#judgeSeal(root, runs, leaves, publicKey);
    const signedBy = this.#seal?.publicKey ?? null;
    return {
      head: this.#head,
      seal: this.#seal,
      records: leaves,
      root,
      signedBy: signedBy === null ? null : fingerprintOf(signedBy),
      problems: this.#problems,
    };
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
    const record = line.subarray(HASH_CHARACTERS + 1);
    const leaf = leafHash(record);
    if (this.#records % RUN_LEAVES === 0) this.#firstOfRun.push(nameOf(record));
    this.#records += 1;
    this.#tree.add(leaf);
    const isNamed = line[HASH_CHARACTERS] === 0x20;
    if (isNamed && line.toString('latin1', 0, HASH_CHARACTERS) === leaf.toString('hex')) return;
    this.#problem({ code: 'RECORD_CHANGED', line: this.#lines, what: nameOf(record) });
  }

  #judgeSeal(root: string, runs: readonly string[], leaves: number, publicKey: string | undefined): void {
    const seal = this.#seal;
    if (seal === null) {
      this.#problem({ code: 'SEAL_MISSING' });
      return;
    }
    if (seal.records !== leaves)
      this.#problem({ code: 'COUNT_DIFFERS', sealed: seal.records, found: leaves });
    if (seal.root !== root) {
      const at = runs.findIndex((run, index) => run !== seal.runs[index]);
      const from = Math.max(at, 0) * RUN_LEAVES + 1;
      if (at === -1) this.#problem({ code: 'ROOT_DIFFERS' });
      else
        this.#problem({
          code: 'RUN_DIFFERS',
          from,
          to: Math.min(from + RUN_LEAVES - 1, Math.max(leaves, seal.records)),
          first: this.#firstOfRun[at] ?? '',
        });
    } else if (seal.runs.join() !== runs.join()) this.#problem({ code: 'ROOT_DIFFERS' });
    this.#judgeSignature(seal, publicKey);
  }

  #judgeSignature(seal: CertificateSeal, publicKey: string | undefined): void {
    if (seal.signature === null || seal.publicKey === null) {
      this.#problem({ code: 'NOT_SIGNED' });
      return;
    }
    const { signature, ...unsigned } = seal;
    if (!isSignedBy(seal.publicKey, signedText(this.#headLine ?? '', unsigned), signature))
      this.#problem({ code: 'SIGNATURE_WRONG' });
    if (publicKey !== undefined && publicKey !== seal.publicKey)
      this.#problem({ code: 'OTHER_KEY', fingerprint: fingerprintOf(seal.publicKey) });
  }

  #problem(problem: CertificateProblem): void {
    if (this.#problems.length < PROBLEMS_MAX) this.#problems.push(problem);
  }
}

/** What a person would call it: the kind and number of the document. */
function nameOf(record: Buffer): string {
  const value = parsed(record.toString('utf8')) as Readonly<Record<string, unknown>> | null;
  const document = (value?.['document'] ?? value) as Readonly<Record<string, unknown>> | null;
  const parts = [document?.['kind'], document?.['number'], document?.['guid'], value?.['key']];
  const named = parts.filter((part): part is string => typeof part === 'string' && part !== '').join(' ');
  return named === '' ? record.toString('utf8', 0, 80) : named;
}

function parsed(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' ? value : null;
  } catch {
    return null;
  }
}

/** Bytes, not characters: what was hashed is bytes. */
async function* linesOf(path: string, onProgress?: (bytes: number) => void): AsyncIterable<Buffer> {
  let rest: Buffer = Buffer.alloc(0);
  let read = 0;
  for await (const piece of createReadStream(path, { highWaterMark: 1024 * 1024 })) {
    const chunk = piece as Buffer;
    read += chunk.length;
    onProgress?.(read);
    const data = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let start = 0;
    for (let end = data.indexOf(NEWLINE); end !== -1; end = data.indexOf(NEWLINE, start)) {
      yield data.subarray(start, end);
      start = end + 1;
    }
    rest = data.subarray(start);
    if (rest.length > LINE_BYTES_MAX) break;
  }
  if (rest.length > 0) yield rest;
}
