// A directory of tenant files in which somebody has put a link or a pipe: it is refused with its name, nothing of what it leads to is shown,
// and nobody waits. Links inside of the directory are followed, as Kubernetes makes them for what it mounts.
import { execFileSync } from 'node:child_process';
import { closeSync, constants, openSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { inTime } from '../../../src/http/in-time.js';
import { loadNotifications, loadSignIn } from '../../../src/tenants/load-sign-in.js';
import { loadTenants } from '../../../src/tenants/load-tenants.js';

let place = '';
let directory = '';
beforeEach(async () => {
  place = await mkdtemp(join(tmpdir(), 'ledgerbridge-tenants-'));
  directory = join(place, 'tenants');
  await mkdir(directory);
  const shadow = 'root:$y$j9T$secret:19000:0:99999:7:::\nbin: - [ : }\n';
  await writeFile(join(place, 'shadow'), shadow, { mode: 0o600 });
});
afterEach(async () => {
  for (const path of pipes.splice(0)) closeSync(openSync(path, constants.O_RDWR | constants.O_NONBLOCK));
  await rm(place, { recursive: true, force: true });
});
const pipes: string[] = [];
const pipe = (path: string) => {
  execFileSync('mkfifo', [path]);
  pipes.push(path);
};
const load = () => inTime(loadTenants(directory), 3_000);

test('a pipe is named and waited for by nobody', async () => {
  pipe(join(directory, 'hraun.yaml'));
  const { problems } = await load();
  expect(problems).toMatchObject([
    { file: join(directory, 'hraun.yaml'), message: expect.stringContaining('no file') },
  ]);
});

test('a link to a file elsewhere is named, and no line of that file is shown', async () => {
  await symlink(join(place, 'shadow'), join(directory, 'hraun.yaml'));
  await symlink('/dev/zero', join(directory, 'vik.yaml'));
  const { problems } = await load();
  expect(problems.map(({ file }) => file).sort()).toEqual([
    join(directory, 'hraun.yaml'),
    join(directory, 'vik.yaml'),
  ]);
  expect(JSON.stringify(problems)).not.toMatch(/root|secret|19000/);
  expect(problems[0]?.message).toMatch(/link/);
});

test('rules, notifications and sign-in are read in the same way', async () => {
  await writeFile(join(directory, 'hraun.yaml'), 'rules:\n  extends: [./rules/own.yaml]\n');
  await mkdir(join(directory, 'rules'));
  pipe(join(directory, 'rules', 'own.yaml'));
  await symlink(join(place, 'shadow'), join(directory, 'notifications.yaml'));
  pipe(join(directory, 'sign-in.yaml'));
  expect(JSON.stringify((await load()).problems)).toContain('no file');
  const { problems } = await inTime(loadNotifications(directory), 3_000);
  expect(problems.join()).not.toMatch(/root|secret/);
  expect(problems).toHaveLength(1);
  await expect(inTime(loadSignIn(directory, {}), 3_000)).rejects.toThrow(/no file/);
});

test('a link inside of the directory is followed', async () => {
  await mkdir(join(directory, '..data-1'));
  const text = 'not: a tenant\n';
  await writeFile(join(directory, '..data-1', 'hraun.yaml'), text);
  await symlink('..data-1', join(directory, '..data'));
  await symlink('..data/hraun.yaml', join(directory, 'hraun.yaml'));
  const { problems } = await load();
  expect(problems.length).toBeGreaterThan(0);
  // It was read: what is wrong is what stands in it.
  expect(JSON.stringify(problems)).toContain('not');
  expect(JSON.stringify(problems)).not.toMatch(/link|no file/);
  expect(await readFile(join(directory, 'hraun.yaml'), 'utf8')).toBe(text);
});
