// A machine that has Tryton's server and not every module of it: what needs the others is left out, and does not fail.
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';

let directory: string | undefined;
afterEach(async () => {
  vi.unstubAllEnvs();
  vi.resetModules();
  if (directory !== undefined) await rm(directory, { recursive: true, force: true });
});

/** A place where Debian's packages are searched first, with these modules in it. */
async function trytonWith(modules: readonly string[]) {
  directory = await mkdtemp(join(tmpdir(), 'ledgerbridge-services-'));
  for (const name of modules) await mkdir(join(directory, 'trytond', 'modules', name), { recursive: true });
  await writeFile(join(directory, 'trytond', '__init__.py'), '');
  await mkdir(join(directory, 'bin'));
  await writeFile(join(directory, 'bin', 'trytond'), '');
  vi.stubEnv('PATH', join(directory, 'bin'));
  vi.stubEnv('PYTHONPATH', directory);
  return import('../../support/services.js');
}

const BASIC = ['account', 'account_invoice', 'analytic_account', 'analytic_invoice', 'party', 'product'];

test.skipIf(!existsSync('/usr/bin/python3'))(
  'without its sales, Tryton is there and its sales are not',
  async () => {
    const { has } = await trytonWith(BASIC);
    expect([has('trytond'), has('trytond-sales')]).toEqual([true, false]);
  },
);

test.skipIf(!existsSync('/usr/bin/python3'))('without its invoices nothing of Tryton is tried', async () => {
  const { has } = await trytonWith(['account', 'sale']);
  expect([has('trytond'), has('trytond-sales')]).toEqual([false, false]);
});
