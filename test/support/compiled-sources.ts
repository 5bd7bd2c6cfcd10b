// The sources as Node reads them by itself. Vitest would transform every module for every project and hand it to every worker;
// compiled once, a worker loads them in a third of the time. Beside dist and laid out like src, so that whoever looks for files
// relative to itself finds them.
import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const SOURCES = join(ROOT, 'src');
const COMPILED = join(ROOT, 'dist-test');

/** Compiles what has changed since the last time, and forgets what is gone. */
export async function compileSources(): Promise<void> {
  const names = filesOf(SOURCES);
  const wanted = new Set(names.map(compiledName));
  // The programs that tests run stand beside the rooms.
  const rooms = readdirSync(SOURCES);
  const kept = filesOf(COMPILED).filter((name) => rooms.includes(name.split('/')[0] ?? ''));
  for (const name of kept) if (!wanted.has(name)) rmSync(join(COMPILED, name));
  const changed = names.filter((name) => timeOf(join(SOURCES, name)) !== timeOf(compiledPath(name)));
  const programs = changed.filter((name) => name.endsWith('.ts'));
  const compiled = await compile(programs);
  for (const name of programs)
    keep(name, (draft) => writeFileSync(draft, compiled.get(compiledPath(name)) ?? ''));
  const others = changed.filter((name) => !name.endsWith('.ts'));
  for (const name of others) keep(name, (draft) => copyFileSync(join(SOURCES, name), draft));
}

async function compile(names: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>> {
  const { outputFiles } = await build({
    absWorkingDir: ROOT,
    entryPoints: names.map((name) => join(SOURCES, name)),
    outbase: SOURCES,
    outdir: COMPILED,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    sourcemap: 'inline',
    sourcesContent: false,
    write: false,
    logLevel: 'warning',
  });
  return new Map(outputFiles.map((file) => [file.path, file.contents]));
}

function filesOf(directory: string): string[] {
  mkdirSync(directory, { recursive: true });
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(directory.length + 1));
}

const compiledName = (name: string) => name.replace(/\.ts$/, '.js');
const compiledPath = (name: string) => join(COMPILED, compiledName(name));

function timeOf(path: string): number {
  return Math.floor(statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0);
}

/** Whole or not at all: another run may be reading it. */
function keep(name: string, write: (draft: string) => void): void {
  const path = compiledPath(name);
  const draft = `${path}.${String(process.pid)}`;
  mkdirSync(dirname(path), { recursive: true });
  write(draft);
  const { atime, mtime } = statSync(join(SOURCES, name));
  utimesSync(draft, atime, mtime);
  renameSync(draft, path);
}

/** Vite's plug-in: whoever imports a source is given the compiled one. */
export const compiledSources = {
  name: 'compiled-sources',
  enforce: 'pre' as const,
  resolveId(wanted: string, importer: string | undefined) {
    // An address that is put together while a test runs comes from the root.
    if (wanted.startsWith('/src/')) return join(COMPILED, wanted.slice('/src/'.length));
    if (importer === undefined || !wanted.startsWith('.')) return null;
    const path = resolve(dirname(importer), wanted);
    return path.startsWith(`${SOURCES}/`) ? path.replace(SOURCES, COMPILED) : null;
  },
};

/** They are read by Node, not by Vitest. */
export const COMPILED_SOURCES = /\/dist-test\//;
