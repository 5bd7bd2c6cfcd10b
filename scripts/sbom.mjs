// `npm run sbom [directory]`: what the shipped package is made of, as CycloneDX (sbom.json), and under which licences (licences.txt). Both
// are in the package too.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { shippedManifest } from './pack.mjs';
import { componentsOf, licencesOf, sbomOf, shrinkwrapOf } from './what-ships.mjs';

const target = resolve(process.argv[2] ?? '.');
const manifest = shippedManifest();
const components = componentsOf(shrinkwrapOf(manifest));
mkdirSync(target, { recursive: true });
writeFileSync(join(target, 'sbom.json'), `${JSON.stringify(sbomOf(manifest, components), null, 2)}\n`);
writeFileSync(join(target, 'licences.txt'), licencesOf(components));
console.log(`${components.length} packages in ${join(target, 'sbom.json')} and licences.txt`);
