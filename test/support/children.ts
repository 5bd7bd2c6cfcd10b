// Programs that tests run as processes of their own. They are compiled once before the tests of a project begin (a process
// that compiles itself needs four seconds of a processor first), beside dist and laid out like it.
import { fileURLToPath } from 'node:url';
import { bundle, copyAssets } from '../../scripts/bundle.mjs';
import { compileSources } from './compiled-sources.js';
import { builtProgram } from './program.js';

const DIRECTORY = fileURLToPath(new URL('../../dist-test/children', import.meta.url));

const SOURCES = {
  'bridge-child': 'test/support/bridge-child.ts',
  'embedded-holder': 'test/support/embedded-holder.ts',
  'file-poster': 'test/support/erp/file-poster.ts',
  'grant-process': 'test/support/invoicing/grant-process.ts',
  'lock-holder': 'test/support/erp/lock-holder.ts',
  'postgres-minder': 'test/support/postgres-minder.ts',
  'store-process': 'test/support/store-process.ts',
};

export type ChildName = keyof typeof SOURCES;

/** What Node is given to run it. */
export function childProgram(name: ChildName): string {
  return `${DIRECTORY}/${name}.js`;
}

const ready = globalThis as { ledgerbridgeTestPrograms?: Promise<unknown> };

/** Vitest calls this before each project that names this file as its globalSetup; the first does it for all. */
export async function setup(): Promise<void> {
  await (ready.ledgerbridgeTestPrograms ??= Promise.all([
    compileSources(),
    builtProgram(),
    bundle({ entryPoints: SOURCES, outdir: DIRECTORY }).then(() => copyAssets(`${DIRECTORY}/..`)),
  ]));
}
