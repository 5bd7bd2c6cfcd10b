// What the bridge hands to an adapter, for tests: secrets by name, a real clock unless a test wants its own, no log.
import type { ConnectVariant } from '../../../lab/kit/conformance/target.js';
import type { ErpServices } from '../../../src/erp/erp-adapter.js';
import { Secret } from '../../../src/domain/secret.js';
import type { Clock } from '../../../src/domain/runtime.js';

const REAL_CLOCK: Clock = { now: () => new Date() };

/** What a bed hands to an adapter when the tenant's rules leave VAT to the ERP. */
export function splitting(variant: ConnectVariant): Pick<ErpServices, 'vatMode'> {
  return variant === 'splits-vat' ? { vatMode: 'erp-splits' } : {};
}

export function fakeServices(secrets: Record<string, string>, clock: Clock = REAL_CLOCK): ErpServices {
  return {
    clock,
    secret: (reference) => {
      const value = secrets[reference];
      if (value === undefined) throw new Error(`the test has no secret ${reference}`);
      return new Secret(value);
    },
    dataDirectory: '/nonexistent',
    configDirectory: '/nonexistent',
    tenantName: 'test',
    log: { debug: () => undefined, warn: () => undefined },
  };
}

export async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}
