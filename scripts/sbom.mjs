// `npm run sbom [directory]`: what the shipped package is made of, as CycloneDX (sbom.json), and under which licences
// (licences.txt). Bundled packages are in it too: it is made from what runs, not from what is installed.
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const target = resolve(process.argv[2] ?? '.');
const made = spawnSync('npm', ['sbom', '--sbom-format=cyclonedx', '--omit=dev'], {
  cwd: root,
  encoding: 'utf8',
  maxBuffer: 64 * 1024 * 1024,
});
if (made.status !== 0) {
  process.stderr.write(made.stderr);
  process.exit(1);
}
const { components = [] } = JSON.parse(made.stdout);
const licenceOf = ({ licenses = [] }) =>
  licenses.map(({ license, expression }) => expression ?? license?.id ?? license?.name).join(', ') ||
  'unknown';
const lines = components.map((one) => `${licenceOf(one)}\t${one.name}@${one.version}`).sort();
mkdirSync(target, { recursive: true });
writeFileSync(join(target, 'sbom.json'), made.stdout);
writeFileSync(join(target, 'licences.txt'), `${lines.join('\n')}\n`);
console.log(`${components.length} packages in ${join(target, 'sbom.json')} and licences.txt`);
