// The certificate of a period: a file of lines. The first says whose and what it found; then one line a document with
// everything that belongs to it; the last is the seal, signed. Each line between begins with the hash of what follows, so a
// changed one is named; and the seal holds the Merkle root over all of them, so nothing can be dropped, added or made anew. After
// every run of records stands a line with their names (the index), so that what was dropped can be named too.
import { createHash } from 'node:crypto';
import type { Message } from '../domain/message.js';

export const CERTIFICATE_FORMAT = 'ledgerbridge-certificate/1';

export interface CertificateHead {
  readonly format: typeof CERTIFICATE_FORMAT;
  readonly tenant: string;
  readonly title: string;
  readonly account: string;
  readonly ledger: string;
  readonly from: string;
  readonly to: string;
  readonly madeAt: string;
  readonly madeBy: string;
  readonly program: string;
  /** The certificate before this one of the same tenant; null: this is the first. */
  readonly previous: { readonly root: string; readonly to: string } | null;
}

/** Count and sum of the same things, as three parties see them; null: that party cannot say. */
export interface Compared {
  readonly subject: string;
  readonly source: Tally | null;
  readonly bridge: Tally | null;
  readonly erp: Tally | null;
  readonly agrees: boolean;
}

export interface Tally {
  readonly count: number;
  readonly sum: string;
}

export interface AccountLine {
  readonly account: string;
  readonly bridge: { readonly debit: string; readonly credit: string };
  readonly erp: { readonly debit: string; readonly credit: string } | null;
  readonly agrees: boolean;
}

export interface VatLine {
  readonly vatCode: string;
  /** In percent, by the rules in force; several where a code serves several rates. Empty: no rule says. */
  readonly rates?: readonly string[];
  readonly lines: number;
  readonly debit: string;
  readonly credit: string;
  /** null: the ERP shows no VAT codes. Those made before it was asked have none of these. */
  readonly erp?: { readonly debit: string; readonly credit: string } | null;
  readonly agrees?: boolean;
}

/** One that is not in the books: why, and who decided it. */
export interface SetAside {
  readonly kind: string;
  readonly number: string;
  readonly guid: string;
  readonly state: string;
  readonly amount: string;
  readonly currency: string;
  readonly code: string;
  readonly why: Message | null;
  readonly decidedBy: string;
}

export interface CertificateSummary {
  readonly verdict: 'green' | 'red';
  /** Every one makes it red. */
  readonly differences: readonly Message[];
  readonly documents: readonly Compared[];
  readonly accounts: readonly AccountLine[];
  readonly vat: readonly VatLine[];
  readonly entries: { readonly bridge: number; readonly erp: number | null };
  readonly numbers: {
    readonly first: string;
    readonly last: string;
    readonly missing: readonly string[];
  } | null;
  readonly setAside: readonly SetAside[];
  readonly originals: Readonly<Record<string, number>>;
  readonly audit: { readonly length: string; readonly head: string; readonly whole: boolean };
  /** What nobody here can see. */
  readonly limits: readonly Message[];
}

export interface CertificateSeal {
  readonly records: number;
  readonly root: string;
  readonly runs: readonly string[];
  /** SHA-256 over the lines of the index; those made before there was one have none. */
  readonly index?: string;
  readonly summary: CertificateSummary;
  /** null: no key was set when it was made. */
  readonly publicKey: string | null;
  readonly signature: string | null;
}

/** What is signed: the first line, and everything of the seal but the signature. */
export function signedText(headLine: string, seal: Omit<CertificateSeal, 'signature'>): string {
  return `${headLine}\n${JSON.stringify(seal)}`;
}

// A Merkle tree over records in order, built while they pass by (RFC 6962: leaves and nodes are hashed apart, so neither can be
// passed off as the other). Besides the root, the roots of runs of RUN_LEAVES leaves are kept: where the root differs, they
// say which run the difference is in.

export const RUN_LEAVES = 128;
const RUN_LEVEL = Math.log2(RUN_LEAVES);
const LEAF = Buffer.from([0]);
const NODE = Buffer.from([1]);

export function leafHash(record: string | Uint8Array): Buffer {
  return createHash('sha256').update(LEAF).update(record).digest();
}

function nodeHash(left: Buffer, right: Buffer): Buffer {
  return createHash('sha256').update(NODE).update(left).update(right).digest();
}

interface MerkleTree {
  add(leaf: Buffer): void;
  /** Nothing is added after this. */
  finish(): { readonly root: string; readonly runs: readonly string[]; readonly leaves: number };
}

export function merkleTree(): MerkleTree {
  // One whole subtree a level at most: the binary digits of how many leaves there are.
  const whole: (Buffer | null)[] = [];
  const runs: string[] = [];
  let leaves = 0;
  return {
    add: (leaf) => {
      leaves += 1;
      let hash = leaf;
      let level = 0;
      for (let left = whole[level]; left; left = whole[level]) {
        hash = nodeHash(left, hash);
        whole[level] = null;
        level += 1;
        if (level === RUN_LEVEL) runs.push(hash.toString('hex'));
      }
      whole[level] = hash;
    },
    finish: () => {
      const last = folded(whole.slice(0, RUN_LEVEL));
      if (last) runs.push(last.toString('hex'));
      const root = folded(whole) ?? createHash('sha256').digest();
      return { root: root.toString('hex'), runs, leaves };
    },
  };
}

/** What is left over is joined from the right, the smaller subtrees first. */
function folded(whole: readonly (Buffer | null)[]): Buffer | null {
  let root: Buffer | null = null;
  for (const subtree of whole) if (subtree) root = root ? nodeHash(subtree, root) : subtree;
  return root;
}

// What can be wrong with a certificate.
export type CertificateProblem =
  | { readonly code: 'NOT_A_CERTIFICATE' }
  | { readonly code: 'SEAL_MISSING' }
  /** The bytes of this record are not those that were hashed. */
  | { readonly code: 'RECORD_CHANGED'; readonly line: number; readonly what: string }
  /** It was changed together with its hash. */
  | { readonly code: 'RECORD_MADE_ANEW'; readonly line: number; readonly what: string }
  | { readonly code: 'RECORD_ADDED'; readonly line: number; readonly what: string }
  | { readonly code: 'RECORD_DROPPED'; readonly place: number; readonly what: string }
  | { readonly code: 'RECORD_MOVED'; readonly place: number; readonly what: string }
  | { readonly code: 'RECORD_UNREADABLE'; readonly line: number }
  /** The list of names in the file is not the one that was sealed, so it cannot say which records differ. */
  | { readonly code: 'INDEX_CHANGED' }
  | { readonly code: 'COUNT_DIFFERS'; readonly sealed: number; readonly found: number }
  /** Between these records one was changed together with its hash, dropped, added or moved. */
  | { readonly code: 'RUN_DIFFERS'; readonly from: number; readonly to: number; readonly first: string }
  | { readonly code: 'ROOT_DIFFERS' }
  | { readonly code: 'NOT_SIGNED' }
  | { readonly code: 'SIGNATURE_WRONG' }
  | { readonly code: 'OTHER_KEY'; readonly fingerprint: string }
  | { readonly code: 'AFTER_THE_SEAL' };
