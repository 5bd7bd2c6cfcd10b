// Writes a certificate line by line while it is made, so that its size does not matter.
import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { PRIVATE_FILE } from '../domain/private-files.js';
import {
  type CertificateHead,
  type CertificateSeal,
  type CertificateSummary,
  signedText,
  leafHash,
  merkleTree,
  RUN_LEAVES,
} from './certificate.js';
import { type IndexEntry, markOf } from './verify-certificate.js';
import type { Signer } from './signing.js';

export interface CertificateWriter {
  /** Canonical JSON of one record, on one line, and what a person calls it. */
  add(record: string, name: string): Promise<void>;
  seal(summary: CertificateSummary): Promise<CertificateSeal>;
  /** Ends it without a seal. */
  abandon(): Promise<void>;
}

const BUFFER_CHARACTERS = 1_000_000;

export async function writeCertificate(
  path: string,
  head: CertificateHead,
  signer: Signer | null,
): Promise<CertificateWriter> {
  const handle = await open(path, 'wx', PRIVATE_FILE);
  const headLine = JSON.stringify(head);
  const tree = merkleTree();
  const index = createHash('sha256');
  let run: IndexEntry[] = [];
  let buffered = `${headLine}\n`;
  const endRun = () => {
    if (run.length === 0) return;
    const line = `index ${JSON.stringify(run)}\n`;
    index.update(line);
    buffered += line;
    run = [];
  };
  const flush = async () => {
    await handle.appendFile(buffered);
    buffered = '';
  };
  return {
    add: async (record, name) => {
      const leaf = leafHash(record);
      const hash = leaf.toString('hex');
      tree.add(leaf);
      buffered += `${hash} ${record}\n`;
      run.push([name, markOf(hash)]);
      if (run.length === RUN_LEAVES) endRun();
      if (buffered.length > BUFFER_CHARACTERS) await flush();
    },
    seal: async (summary) => {
      endRun();
      const { root, runs, leaves } = tree.finish();
      const sealed = { records: leaves, root, runs, index: index.digest('hex'), summary };
      const unsigned = { ...sealed, publicKey: signer?.publicKey ?? null };
      const signature = signer ? signer.sign(signedText(headLine, unsigned)) : null;
      const seal: CertificateSeal = { ...unsigned, signature };
      buffered += `seal ${JSON.stringify(seal)}\n`;
      await flush();
      await handle.sync();
      await handle.close();
      return seal;
    },
    abandon: () => handle.close(),
  };
}
