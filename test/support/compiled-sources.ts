// The sources as Node reads them by itself. Vitest would transform every module for every project and hand it to every worker;
// compiled once, a worker loads them in a third of the time. Laid out like the clone, with links to what sources look for relative to
// themselves (config, prisma).
import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const TOPS = ['src', 'lab'];
/** What sources read beside themselves. */
const BESIDE = ['config', 'prisma', 'package.json', 'dist'];
const COMPILED = join(ROOT, 'dist-test');

/** Compiles what has changed since the last time, and forgets what is gone. */
export async function compileSources(): Promise<void> {
  const names = TOPS.flatMap((top) => filesOf(ROOT, top));
  const wanted = new Set(names.map(compiledName));
  const kept = TOPS.flatMap((top) => filesOf(COMPILED, top));
  for (const name of kept) if (!wanted.has(name)) rmSync(join(COMPILED, name));
  for (const name of BESIDE) linkTo(name);
  const changed = names.filter((name) => timeOf(join(ROOT, name)) !== timeOf(compiledPath(name)));
  const programs = changed.filter((name) => name.endsWith('.ts'));
  const compiled = await compile(programs);
  for (const name of programs)
    keep(name, (draft) => writeFileSync(draft, compiled.get(compiledPath(name)) ?? ''));
  const others = changed.filter((name) => !name.endsWith('.ts'));
  for (const name of others) keep(name, (draft) => copyFileSync(join(ROOT, name), draft));
}

async function compile(names: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>> {
  const { outputFiles } = await build({
    absWorkingDir: ROOT,
    entryPoints: names.map((name) => join(ROOT, name)),
    outbase: ROOT,
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

function filesOf(root: string, top: string): string[] {
  mkdirSync(join(root, top), { recursive: true });
  return readdirSync(join(root, top), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)));
}

function linkTo(name: string): void {
  try {
    symlinkSync(join('..', name), join(COMPILED, name));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
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
  const { atime, mtime } = statSync(join(ROOT, name));
  utimesSync(draft, atime, mtime);
  renameSync(draft, path);
}

/** Vite's plug-in: whoever imports a source is given the compiled one. */
export const compiledSources = {
  name: 'compiled-sources',
  enforce: 'pre' as const,
  resolveId(wanted: string, importer: string | undefined) {
    // An address that is put together while a test runs comes from the root.
    if (/^\/(src|lab)\//.test(wanted)) return join(COMPILED, wanted);
    if (importer === undefined || !wanted.startsWith('.')) return null;
    const path = resolve(dirname(importer), wanted);
    const isSource = TOPS.some((top) => path.startsWith(join(ROOT, top, '/')));
    return isSource ? join(COMPILED, relative(ROOT, path)) : null;
  },
};

/** They are read by Node, not by Vitest. */
export const COMPILED_SOURCES = /\/dist-test\//;
