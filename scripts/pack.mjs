// `npm run pack`: the package as it is shipped. The program is one bundle, so what is installed with it is only what looks for
// files beside itself, and what the types for adapters name; no scripts, nothing for development.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BESIDE, SERVED } from './bundle.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
/** Named by the declarations of dist/erp/adapter-kit. */
const TYPES = ['decimal.js', 'lossless-json', 'undici', 'zod'];
const KEPT = ['name', 'version', 'description', 'license', 'type', 'engines', 'bin', 'files'];

const read = (path) => JSON.parse(readFileSync(path, 'utf8'));
const require = createRequire(import.meta.url);
const installed = (name) => read(require.resolve(`${name}/package.json`, { paths: [root] })).version;

function versionOf(name) {
  try {
    return installed(name);
  } catch {
    // A package that does not show its package.json.
    return read(join(root, 'node_modules', name, 'package.json')).version;
  }
}

const target = resolve(process.argv[2] ?? root);
const stage = mkdtempSync(join(tmpdir(), 'ledgerbridge-pack-'));
try {
  const own = read(join(root, 'package.json'));
  const shipped = Object.fromEntries(KEPT.map((key) => [key, own[key]]));
  shipped.dependencies = Object.fromEntries(
    [...BESIDE, ...SERVED, ...TYPES].sort().map((name) => [name, versionOf(name)]),
  );
  // Whoever packs may have companies and secrets of their own in the clone.
  const isOthers = /^config\/(secrets(\/|$)|tenants\/.*\.ya?ml$)/;
  const filter = (path) => !isOthers.test(relative(root, path));
  for (const name of [...own.files, 'README.md', 'LICENSE', 'CHANGELOG.md'])
    cpSync(join(root, name), join(stage, name), { recursive: true, filter });
  writeFileSync(join(stage, 'package.json'), `${JSON.stringify(shipped, null, 2)}\n`);
  const packed = spawnSync('npm', ['pack', '--silent', '--pack-destination', target], {
    cwd: stage,
    encoding: 'utf8',
  });
  if (packed.status !== 0) throw new Error(packed.stderr);
  console.log(join(target, packed.stdout.trim().split('\n').at(-1)));
} finally {
  rmSync(stage, { recursive: true, force: true });
}
