// A simulated Odoo, held to what the port of origins promises, over both of its interfaces.
import { describe, expect, test } from 'vitest';
import { ORIGIN_CASES, runOriginCase } from '../../../src/origins/conformance/run-origin-case.js';
import { odooTarget } from './odoo-beds.js';

const RPC = { protocol: 'json-rpc', user: 'bot@example.is' };
const TARGETS = [
  ['JSON-2: invoices', odooTarget('invoice')],
  ['JSON-2: customers', odooTarget('customer')],
  ['JSON-RPC: invoices', odooTarget('invoice', RPC)],
] as const;

describe.each(TARGETS)('Odoo as an origin, %s', (_name, target) => {
  test.each(ORIGIN_CASES.map((each) => [each.title, each] as const))('%s', async (_title, each) => {
    const { result, detail } = await runOriginCase(target, each);
    expect(result, detail).not.toBe('failed');
  });
});
