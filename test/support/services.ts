// Which real programs this machine has. A test that needs one is skipped without it, and scripts/test.mjs says so.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export type RealProgram =
  | 'redis-server'
  | 'chromium'
  | 'trytond'
  | 'hledger'
  | 'ledger'
  | 'bean-check'
  | 'promtool'
  | 'curl'
  | 'systemd-notify';

/** `trytond-sales`: a Tryton that has orders and quotations too, which are a package of their own. */
export type RealService = RealProgram | 'trytond-sales';

/** The program is one package of Debian, and each of its modules another. */
const BASIC_MODULES = [
  'account',
  'account_invoice',
  'analytic_account',
  'analytic_invoice',
  'party',
  'product',
];
const NEEDS: Partial<Record<RealService, readonly string[]>> = {
  trytond: BASIC_MODULES,
  'trytond-sales': [...BASIC_MODULES, 'sale'],
};
/** The interpreter that test/support/erp/tryton-server.ts runs it by. */
const PYTHON = '/usr/bin/python3';
const MISSING_MODULES = fileURLToPath(new URL('erp/missing-modules.py', import.meta.url));
const known = new Map<RealService, boolean>();

export function programPath(name: RealProgram): string | null {
  for (const directory of (process.env['PATH'] ?? '').split(':')) {
    if (existsSync(join(directory, name))) return join(directory, name);
  }
  return null;
}

export function has(name: RealService): boolean {
  const isThere = known.get(name) ?? isInstalled(name);
  known.set(name, isThere);
  return isThere;
}

function isInstalled(name: RealService): boolean {
  if (programPath(name === 'trytond-sales' ? 'trytond' : name) === null) return false;
  return missingModules(NEEDS[name] ?? []).length === 0;
}

/** Those of them that this machine's Tryton lacks. */
export function missingModules(names: readonly string[]): string[] {
  if (names.length === 0) return [];
  if (!existsSync(PYTHON)) return [...names];
  const said = execFileSync(PYTHON, [MISSING_MODULES, ...names], { encoding: 'utf8' });
  return said.split('\n').filter(Boolean);
}
