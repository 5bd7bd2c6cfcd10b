// Whose books these are, written into the directory once. Two tenants that were pointed at one directory by mistake are
// told so before the first entry.
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { Rejected } from '../erp-adapter.js';
import { replaceFile } from './durable-file.js';

const ownerSchema = z.object({ ledger: z.string(), company: z.string() });

/** Null when the books are this company's, or nobody's yet and now this company's. */
export async function claimBooks(
  directory: string,
  ledger: string,
  company: string,
): Promise<Rejected | null> {
  const path = join(directory, 'ledger.json');
  const owner = await readOwner(path);
  if (owner === null) {
    await mkdir(directory, { recursive: true });
    await replaceFile(path, [`${JSON.stringify({ ledger, company }, null, 2)}\n`]);
    return null;
  }
  if (owner.ledger === ledger && owner.company === company) return null;
  return {
    outcome: 'rejected',
    code: 'wrong-company',
    message: `${directory} holds the books of ${owner.company} (${owner.ledger}), not of ${company} (${ledger}).`,
  };
}

async function readOwner(path: string): Promise<z.infer<typeof ownerSchema> | null> {
  try {
    return ownerSchema.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}
