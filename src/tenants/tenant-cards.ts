// What a question about the records needs of the tenant files, kept beside the data so that a command need not load the parser and the
// schemas to read them again. The files decide: a card counts only while every file that it was made of is untouched, by the same
// program. Holds no secret, as the files hold none.
import { readdirSync, statSync } from 'node:fs';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PRIVATE_FILE } from '../domain/private-files.js';
import type { Tenant } from './tenant.js';

export type TenantCard = Pick<
  Tenant,
  'name' | 'title' | 'paused' | 'cutOver' | 'schedule' | 'erp' | 'file'
> & {
  /** null: nothing goes out. */
  readonly outgoing: { readonly perDay: number } | null;
};

interface Kept {
  /** By path; null: it was not there. */
  readonly stamps: Readonly<Record<string, string | null>>;
  readonly cards: readonly TenantCard[];
}

const FILE = 'tenant-cards.json';

/** null: there are none, or something changed since. */
export async function keptCards(
  dataDirectory: string,
  tenantsDirectory: string,
): Promise<readonly TenantCard[] | null> {
  try {
    const { stamps, cards } = JSON.parse(await readFile(join(dataDirectory, FILE), 'utf8')) as Kept;
    const now = stampsOf(tenantsDirectory, Object.keys(stamps));
    const names = Object.keys(now);
    const isSame =
      names.length === Object.keys(stamps).length && names.every((path) => now[path] === stamps[path]);
    return isSame ? cards : null;
  } catch {
    // Never kept, or by a version that wrote something else.
    return null;
  }
}

export async function keepCards(
  dataDirectory: string,
  tenantsDirectory: string,
  { tenants, rulesFiles }: { readonly tenants: readonly Tenant[]; readonly rulesFiles: readonly string[] },
): Promise<void> {
  const cards = tenants.map(
    ({ name, title, paused, cutOver, schedule, erp, file, outgoing }): TenantCard => ({
      ...{ name, title, paused, cutOver, schedule, file },
      erp: { adapter: erp.adapter, settings: erp.settings },
      outgoing: outgoing && { perDay: outgoing.perDay },
    }),
  );
  const kept: Kept = { stamps: stampsOf(tenantsDirectory, rulesFiles), cards };
  const path = join(dataDirectory, FILE);
  try {
    await writeFile(`${path}.${String(process.pid)}`, JSON.stringify(kept), { mode: PRIVATE_FILE });
    await rename(`${path}.${String(process.pid)}`, path);
  } catch {
    // Whoever asks may not be the one who may write here: then the files are read each time.
  }
}

/** Of the directory and what is in it, of the files that tenants extend, and of the program that understood them. */
function stampsOf(directory: string, others: readonly string[]): Record<string, string | null> {
  const listed = readdirSync(directory)
    .filter((name) => name.endsWith('.yaml'))
    .map((name) => join(directory, name));
  const paths = new Set([fileURLToPath(import.meta.url), ...listed, ...others]);
  return Object.fromEntries([...paths].map((path) => [path, stampOf(path)]));
}

function stampOf(path: string): string | null {
  const found = statSync(path, { throwIfNoEntry: false });
  return found ? `${String(found.mtimeMs)} ${String(found.ctimeMs)} ${String(found.size)}` : null;
}
