// Which books a tenant's settings lead to, as the adapter itself names them (that name is part of every posting key).
// The adapter is only built, never asked anything: no secret is resolved, no connection opened.
import type { ErpAdapter, ErpServices } from '../erp/erp-adapter.js';
import { Secret } from '../domain/secret.js';
import { canonicalJson } from '../domain/canonical-json.js';
import { isObject } from './schema-walk.js';
import type { TenantErp } from './tenant.js';

export type CreateErp = (settings: unknown, services: ErpServices) => ErpAdapter;

export async function identifyLedger(
  erp: TenantErp,
  tenantName: string,
  directory: string,
  create?: CreateErp,
): Promise<string> {
  if (!create) return canonicalJson(erp);
  const adapter = create(erp.settings, {
    clock: { now: () => new Date(0) },
    secret: () => new Secret(''),
    dataDirectory: directory,
    configDirectory: directory,
    tenantName,
    log: { debug: () => undefined, warn: () => undefined },
  });
  try {
    return adapter.ledger;
  } finally {
    await adapter.close();
  }
}

/** Two servers may have a company of the same name: books are the same only at the same address. */
export function addressesIn(settings: unknown): readonly string[] {
  if (typeof settings === 'string') {
    return /^https?:/.test(settings) && URL.canParse(settings) ? [new URL(settings).origin] : [];
  }
  return isObject(settings) ? Object.values(settings).flatMap(addressesIn) : [];
}
