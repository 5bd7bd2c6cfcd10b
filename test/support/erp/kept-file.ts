import { createHash } from 'node:crypto';
import type { KeptFile } from '../../../lab/kit/conformance/target.js';

/** What a bed says of a file that it found in the ERP. */
export function keptFile(fileName: string, content: Uint8Array): KeptFile {
  return { fileName, sha256: createHash('sha256').update(content).digest('hex') };
}
