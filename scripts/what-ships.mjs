// What the shipped package is made of: packages in its bundle, and packages that are installed beside it. Every version is that of
// package-lock.json, which is what the tests ran with.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (path) => JSON.parse(readFileSync(path, 'utf8'));
const IN = 'node_modules/';
/** How npm got there in this repository; for the shipped package it is worked out anew. */
const OF_THE_REPOSITORY = ['dev', 'devOptional', 'peer', 'optional', 'extraneous'];

/** A lock for `npm install` of the shipped package: `dependencies` and all that they need, each where npm put it here. */
export function shrinkwrapOf(manifest) {
  const lock = read(join(root, 'package-lock.json')).packages;
  const packages = {};
  const take = (path, isOptional) => {
    const entry = lock[path];
    const known = packages[path];
    if (known !== undefined && (isOptional || known.optional !== true)) return;
    const kept = Object.entries(entry).filter(([field]) => !OF_THE_REPOSITORY.includes(field));
    packages[path] = { ...Object.fromEntries(kept), ...(isOptional ? { optional: true } : {}) };
    const peers = Object.keys(entry.peerDependencies ?? {}).filter(
      (name) => entry.peerDependenciesMeta?.[name]?.optional !== true,
    );
    for (const name of [...Object.keys(entry.dependencies ?? {}), ...peers])
      take(placeOf(lock, path, name), isOptional);
    for (const name of Object.keys(entry.optionalDependencies ?? {})) {
      const place = placeOf(lock, path, name);
      if (place !== null) take(place, true);
    }
  };
  for (const name of Object.keys(manifest.dependencies)) take(placeOf(lock, '', name), false);
  const { name, version, license, dependencies, bin, engines } = manifest;
  const own = { name, version, license, dependencies, bin, engines };
  const sorted = Object.fromEntries(
    Object.entries(packages).sort(([one], [other]) => (one < other ? -1 : 1)),
  );
  return { name, version, lockfileVersion: 3, requires: true, packages: { '': own, ...sorted } };
}

/** As Node looks for it: in the package itself, then in those around it; null where it is not installed. */
function placeOf(lock, from, name) {
  for (
    let around = from;
    around !== '';
    around = around.slice(0, Math.max(0, around.lastIndexOf(`/${IN}`)))
  ) {
    const place = `${around}/${IN}${name}`;
    if (lock[place] !== undefined) return place;
  }
  return lock[`${IN}${name}`] === undefined ? null : `${IN}${name}`;
}

/** Packages of the bundle, as the bundler saw them (dist/bundled.json), and those of the shrinkwrap. */
export function componentsOf(shrinkwrap) {
  const bundled = read(join(root, 'dist/bundled.json'));
  const installed = Object.keys(shrinkwrap.packages).filter((path) => path !== '');
  const lock = read(join(root, 'package-lock.json')).packages;
  return [...new Set([...bundled, ...installed])].sort().map((path) => {
    const { version, license = 'unknown', integrity } = lock[path];
    const ships = [
      ...(bundled.includes(path) ? ['in the bundle'] : []),
      ...(installed.includes(path) ? ['beside it'] : []),
    ];
    const name = path.slice(path.lastIndexOf(IN) + IN.length);
    return { name, version, license, integrity, ships, text: licenceText(join(root, path)) };
  });
}

/** Empty for packages of other machines, which are not installed here, and for those that bring none. */
function licenceText(directory) {
  if (!existsSync(directory)) return '';
  const file = readdirSync(directory).find((name) => /^(licen[cs]e|copying)(\.|-|$)/i.test(name));
  return file === undefined ? '' : readFileSync(join(directory, file), 'utf8').trim();
}

/** CycloneDX 1.5. */
export function sbomOf({ name, version, license }, components) {
  const purl = (one) => `pkg:npm/${one.name.replace('@', '%40')}@${one.version}`;
  const licenses = (expression) => (expression === 'unknown' ? [] : [{ expression }]);
  const hashes = (integrity) => {
    const [, digest] = /^sha512-(\S+)/.exec(integrity ?? '') ?? [];
    return digest ? [{ alg: 'SHA-512', content: Buffer.from(digest, 'base64').toString('hex') }] : [];
  };
  return {
    ...{ bomFormat: 'CycloneDX', specVersion: '1.5', version: 1 },
    metadata: {
      component: {
        ...{ type: 'application', 'bom-ref': purl({ name, version }), name, version },
        ...{ purl: purl({ name, version }), licenses: licenses(license) },
      },
    },
    components: components.map((one) => ({
      ...{ type: 'library', 'bom-ref': purl(one), name: one.name, version: one.version, purl: purl(one) },
      licenses: licenses(one.license),
      hashes: hashes(one.integrity),
      properties: one.ships.map((value) => ({ name: 'ledgerbridge:ships', value })),
    })),
  };
}

/** Which licence each package has, then the text of each. */
export function licencesOf(components) {
  const list = components.map(
    ({ name, version, license, ships }) => `${license}\t${name}@${version}\t${ships.join(', ')}`,
  );
  const texts = components
    .filter(({ text }) => text !== '')
    .map(({ name, version, text }) => `${'='.repeat(80)}\n${name}@${version}\n\n${text}\n`);
  return `${list.sort().join('\n')}\n\n${texts.join('\n')}`;
}
