// Writes a certificate line by line while it is made, so that its size does not matter.
import { open } from 'node:fs/promises';
import { PRIVATE_FILE } from '../domain/private-files.js';
import {
  type CertificateHead,
  type CertificateSeal,
  type CertificateSummary,
  signedText,
} from './certificate.js';
import { leafHash, merkleTree } from './merkle.js';
import type { Signer } from './signing.js';

export interface CertificateWriter {
  /** Canonical JSON of one record, on one line. */
  add(record: string): Promise<void>;
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
  let buffered = `${headLine}\n`;
  const flush = async () => {
    await handle.appendFile(buffered);
    buffered = '';
  };
  return {
    add: async (record) => {
      const leaf = leafHash(record);
      tree.add(leaf);
      buffered += `${leaf.toString('hex')} ${record}\n`;
      if (buffered.length > BUFFER_CHARACTERS) await flush();
    },
    seal: async (summary) => {
      const { root, runs, leaves } = tree.finish();
      const unsigned = { records: leaves, root, runs, summary, publicKey: signer?.publicKey ?? null };
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
