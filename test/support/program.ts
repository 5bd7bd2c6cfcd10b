// The program as it is shipped, for tests that run or pack it. `npm ci` has built it; before the tests begin (children.ts) it is
// bundled anew when a source was written since.
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleProgram } from '../../scripts/bundle.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PROGRAM = join(ROOT, 'dist');

/** What Node is given to run it. */
export const SHIPPED = join(ROOT, 'bin/ledgerbridge.js');

/** The directory that it is in. */
export async function builtProgram(): Promise<string> {
  const built = statSync(join(PROGRAM, 'cli/main.js'), { throwIfNoEntry: false });
  const from = ['src', 'lab', 'scripts/bundle.mjs', 'package.json', 'package-lock.json'];
  if (!built || from.some((name) => lastWritten(join(ROOT, name)) > built.mtimeMs))
    await bundleProgram(PROGRAM);
  return PROGRAM;
}

/** A directory is written when a file in it comes or goes. */
function lastWritten(path: string): number {
  const facts = statSync(path);
  if (!facts.isDirectory()) return facts.mtimeMs;
  const inside = readdirSync(path).map((name) => lastWritten(join(path, name)));
  return Math.max(facts.mtimeMs, ...inside);
}
