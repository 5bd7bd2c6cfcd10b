// A Merkle tree over records in order, built while they pass by (RFC 6962: leaves and nodes are hashed apart, so neither can be
// passed off as the other). Besides the root, the roots of runs of RUN_LEAVES leaves are kept: where the root differs, they
// say which run the difference is in.
import { createHash } from 'node:crypto';

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

export interface MerkleTree {
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
