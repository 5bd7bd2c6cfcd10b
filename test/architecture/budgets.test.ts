// How large the code may be. A budget is raised by a commit of its own that says what it buys; new code pays for itself.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from './cruise.js';

/** Lines of TypeScript, JavaScript and CSS. */
const LINES: Readonly<Record<string, number>> = {
  'src/api': 1_900,
  'src/bridge': 1_950,
  'src/certificate': 900,
  'src/cli': 8_800,
  'src/dashboard': 11_400,
  'src/domain': 3_650,
  'src/erp': 18_500,
  'src/files': 150,
  'src/http': 1_200,
  'src/identity': 150,
  'src/language': 5_850,
  'src/notifications': 500,
  'src/operations': 13_200,
  'src/originals': 300,
  'src/origins': 4_500,
  'src/outbound': 3_700,
  'src/outside': 250,
  'src/pipeline': 6_000,
  'src/rates': 350,
  'src/service': 7_050,
  'src/store': 12_500,
  'src/sync': 5_600,
  'src/telemetry': 1_400,
  'src/tenants': 3_550,
  'src/worker': 2_100,
  'lab/bench': 1_650,
  'lab/kit': 4_000,
  'lab/proof': 11_800,
  'lab/sandbox': 13_400,
};
const FILES = { src: 755, lab: 200 };
/** Below this a file belongs into the one file that imports it. */
const SMALL = 80;
const SMALL_FILES = 55;

const files = ['src', 'lab'].flatMap((top) =>
  readdirSync(join(ROOT, top), { recursive: true, encoding: 'utf8' })
    .map((name) => `${top}/${name}`)
    .filter(
      (name) => /\.(ts|mts|js|mjs|css|template)$/.test(name) && !/\/generated\/|compiled-protocol/.test(name),
    )
    .map((name) => ({ name, text: readFileSync(join(ROOT, name), 'utf8') })),
);
const linesOf = ({ text }: { readonly text: string }) => text.split('\n').length - 1;
const folderOf = (name: string) => name.split('/').slice(0, 2).join('/');

it('every folder stays within its lines', () => {
  const lines: Record<string, number> = {};
  for (const file of files) {
    const folder = folderOf(file.name);
    lines[folder] = (lines[folder] ?? 0) + linesOf(file);
  }
  const over = Object.entries(lines).filter(([folder, count]) => count > (LINES[folder] ?? 0));
  expect(over).toEqual([]);
});

it.each(Object.entries(FILES))('%s has no more files than its budget', (top, most) => {
  expect(files.filter(({ name }) => name.startsWith(`${top}/`)).length).toBeLessThanOrEqual(most);
});

it('few files are small and imported by one file only', () => {
  const importers = new Map<string, Set<string>>();
  for (const { name, text } of files)
    for (const [, path] of text.matchAll(/(?:from|import)\s*\(?\s*['"](\.{1,2}\/[^'"]+)['"]/g)) {
      const imported = normalize(join(dirname(name), path ?? '')).replace(/\.js$/, '.ts');
      importers.set(imported, (importers.get(imported) ?? new Set()).add(name));
    }
  const small = files.filter(
    (file) => file.name.startsWith('src/') && linesOf(file) < SMALL && importers.get(file.name)?.size === 1,
  );
  expect(small.map(({ name }) => name).slice(SMALL_FILES)).toEqual([]);
});
