// Which real programs this machine has. A test that needs one is skipped without it, and scripts/test.mjs says so.
import { existsSync } from 'node:fs';
import { join } from 'node:path';

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

export function programPath(name: RealProgram): string | null {
  for (const directory of (process.env['PATH'] ?? '').split(':')) {
    if (existsSync(join(directory, name))) return join(directory, name);
  }
  return null;
}

export function has(name: RealProgram): boolean {
  return programPath(name) !== null;
}
