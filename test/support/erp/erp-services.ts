import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Secret } from '../../../src/domain/secret.js';
import type { ErpServices } from '../../../src/erp/erp-adapter.js';

export interface RecordedWarning {
  readonly facts: Readonly<Record<string, unknown>>;
  readonly message: string;
}

/** What the bridge would hand to an adapter, with a directory of its own and warnings kept for the test to see. */
export function erpServices(
  secrets: Readonly<Record<string, string>> = {},
  dataDirectory = temporaryDirectory(),
): ErpServices & { readonly warnings: RecordedWarning[] } {
  const warnings: RecordedWarning[] = [];
  return {
    clock: { now: () => new Date() },
    secret: (reference) => new Secret(secrets[reference] ?? `no secret ${reference}`),
    dataDirectory,
    tenantName: 'fjordur',
    configDirectory: dataDirectory,
    log: { debug: () => undefined, warn: (facts, message) => void warnings.push({ facts, message }) },
    warnings,
  };
}

const made = new Set<string>();

/** Gone when the file of tests is done (`test/support/clean-up.ts`). */
export function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'ledgerbridge-erp-'));
  made.add(directory);
  return directory;
}

export function removeTemporaryDirectories(): void {
  for (const directory of made) rmSync(directory, { recursive: true, force: true });
  made.clear();
}
