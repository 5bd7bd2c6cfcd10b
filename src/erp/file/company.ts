// Whose books these are, written into the directory once, under its lock. Two tenants that were pointed at one directory by
// mistake are told so before the first entry, also when both come at once.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import type { Rejected } from '../erp-adapter.js';
import { rejected, told } from '../told.js';
import { replaceFile } from './durable-file.js';

const ownerSchema = z.object({ ledger: z.string(), company: z.string() });

type Owner = z.infer<typeof ownerSchema>;

/** Null when the books are this company's, or nobody's yet and now this company's. `alone`: nobody else writes meanwhile. */
export async function claimBooks(
  directory: string,
  { ledger, company }: Owner,
  alone: <T>(work: () => Promise<T>) => Promise<T>,
): Promise<Rejected | null> {
  const path = join(directory, 'ledger.json');
  const owner = (await readOwner(path)) ?? (await alone(() => becomeOwner(path, { ledger, company })));
  if (owner.ledger === ledger && owner.company === company) return null;
  const words = told('OTHER_DIRECTORY', { directory, ...owner, wanted: company, wantedLedger: ledger });
  return rejected('wrong-company', words);
}

/** Unless somebody was quicker. */
async function becomeOwner(path: string, me: Owner): Promise<Owner> {
  const owner = await readOwner(path);
  if (owner === null) await replaceFile(path, [`${JSON.stringify(me, null, 2)}\n`]);
  return owner ?? me;
}

async function readOwner(path: string): Promise<Owner | null> {
  try {
    return ownerSchema.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}
