import { existsSync, mkdirSync, mkdtempSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { linkLibraries } from '../../../src/store/embedded/binaries.js';

let native: string;
beforeEach(() => {
  native = join(mkdtempSync(join(tmpdir(), 'native-')), 'native');
  mkdirSync(join(native, 'lib'), { recursive: true });
  writeFileSync(join(native, 'lib', 'libpq.so.5.18'), 'library');
});
afterEach(() => rmSync(join(native, '..'), { recursive: true, force: true }));
const listed = (...links: readonly { source: string; target: string }[]) =>
  writeFileSync(join(native, 'pg-symlinks.json'), JSON.stringify(links));
const OWN = { source: 'native/lib/libpq.so.5.18', target: 'native/lib/libpq.so.5' };

test('links that an install script would have made are made, once, and relative', () => {
  listed(OWN);
  linkLibraries(native);
  linkLibraries(native);
  expect(readlinkSync(join(native, 'lib', 'libpq.so.5'))).toBe('libpq.so.5.18');
});

test('nothing is linked out of its directory, nor where nothing is listed', () => {
  linkLibraries(native);
  listed({ source: 'native/lib/libpq.so.5.18', target: 'outside.so' });
  linkLibraries(native);
  expect(existsSync(join(native, '..', 'outside.so'))).toBe(false);
});
