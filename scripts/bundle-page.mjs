// dist/simulator.html: the simulator in one page that opens from a file, with the real pipeline in it. What Node gives it is here in a
// few lines: hashes, the rules, and the turn after all promises.
import { build } from 'esbuild';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { parse } from 'yaml';

const root = fileURLToPath(new URL('..', import.meta.url));
const page = `${root}/lab/proof/page/assets`;

const SHIMS = {
  'node:crypto': `export { createHash, hash } from '${page}/hash.js';`,
  'node:buffer': `export const constants = {}; export const Buffer = undefined; export const isUtf8 = () => true;`,
  'node:util': `export const inspect = { custom: Symbol('inspect') };`,
  'node:fs': `export const readFileSync = () => RULES_JSON;`,
  yaml: `export const parse = JSON.parse;`,
};

const shims = {
  name: 'shims',
  setup(builder) {
    builder.onResolve({ filter: /^(node:|yaml$)/ }, ({ path }) => ({ path, namespace: 'shim' }));
    builder.onLoad({ filter: /.*/, namespace: 'shim' }, ({ path }) => {
      if (!(path in SHIMS)) throw new Error(`${path} is not there in a browser`);
      return { contents: SHIMS[path], resolveDir: root };
    });
    // Of the languages of a library, one.
    builder.onLoad({ filter: /zod\/v4\/locales\/index\.js$/ }, () => ({
      contents: `export { default as en } from './en.js';`,
      resolveDir: `${root}/node_modules/zod/v4/locales`,
    }));
  },
};

export async function bundlePage(outfile) {
  const rules = JSON.stringify(parse(readFileSync(`${root}/config/rules/default.yaml`, 'utf8')));
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: [`${page}/page.js`],
    bundle: true,
    minify: true,
    format: 'iife',
    platform: 'browser',
    target: 'es2022',
    write: false,
    metafile: true,
    define: {
      RULES_JSON: JSON.stringify(rules),
      'import.meta.url': '"file:///simulator.html"',
      setImmediate: 'nextTurn',
      'process.nextTick': 'nextTurn',
    },
    inject: [`${page}/next-turn.js`],
    plugins: [shims],
    logLevel: 'warning',
  });
  const script = gzipSync(outputFiles[0].contents, { level: 9 }).toString('base64');
  const style = readFileSync(`${page}/page.css`, 'utf8');
  const html = readFileSync(`${page}/page.html`, 'utf8')
    .replace('/* style */', () => style)
    .replace('/* script */', () => script);
  writeFileSync(outfile, html);
  return metafile;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const metafile = await bundlePage(`${root}/dist/simulator.html`);
  if (process.argv.includes('--sizes')) {
    const [{ inputs }] = Object.values(metafile.outputs);
    const sizes = Object.entries(inputs).map(([path, { bytesInOutput }]) => [bytesInOutput, path]);
    for (const [bytes, path] of sizes.sort((a, b) => b[0] - a[0]).slice(0, 30)) console.log(bytes, path);
  }
}
