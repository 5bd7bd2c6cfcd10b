// `npm run pack`: the package as it is shipped. The program is one bundle, so what is installed with it is only what looks for
// files beside itself, and what the types for adapters name, each in the version that the tests ran with (npm-shrinkwrap.json); no scripts, nothing for
// development. What it is made of is in it: sbom.json and licences.txt.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BESIDE, SERVED } from './bundle.mjs';
import { componentsOf, licencesOf, sbomOf, shrinkwrapOf } from './what-ships.mjs';

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

const MADE = ['npm-shrinkwrap.json', 'sbom.json', 'licences.txt'];

export function shippedManifest() {
  const own = read(join(root, 'package.json'));
  const shipped = Object.fromEntries(KEPT.map((key) => [key, own[key]]));
  shipped.files = [...own.files, ...MADE];
  shipped.dependencies = Object.fromEntries(
    [...BESIDE, ...SERVED, ...TYPES].sort().map((name) => [name, versionOf(name)]),
  );
  return shipped;
}

function stageIn(stage) {
  const shipped = shippedManifest();
  // Whoever packs may have companies and secrets of their own in the clone.
  const isOthers = /^config\/(secrets(\/|$)|tenants\/.*\.ya?ml$)/;
  const filter = (path) => !isOthers.test(relative(root, path));
  const { files } = read(join(root, 'package.json'));
  for (const name of [...files, 'README.md', 'LICENSE', 'CHANGELOG.md', 'SECURITY.md'])
    cpSync(join(root, name), join(stage, name), { recursive: true, filter });
  const shrinkwrap = shrinkwrapOf(shipped);
  const components = componentsOf(shrinkwrap);
  const write = (name, value) => writeFileSync(join(stage, name), `${JSON.stringify(value, null, 2)}\n`);
  write('package.json', shipped);
  write('npm-shrinkwrap.json', shrinkwrap);
  write('sbom.json', sbomOf(shipped, components));
  writeFileSync(join(stage, 'licences.txt'), licencesOf(components));
}

function pack(target) {
  const stage = mkdtempSync(join(tmpdir(), 'ledgerbridge-pack-'));
  try {
    stageIn(stage);
    const packed = spawnSync('npm', ['pack', '--silent', '--pack-destination', target], {
      cwd: stage,
      encoding: 'utf8',
    });
    if (packed.status !== 0) throw new Error(packed.stderr);
    console.log(join(target, packed.stdout.trim().split('\n').at(-1)));
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) pack(resolve(process.argv[2] ?? root));
