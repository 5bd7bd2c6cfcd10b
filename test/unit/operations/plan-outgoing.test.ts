// The plan of the other direction holds against the write rules exactly what would be sent.
import { expect, test } from 'vitest';
import type { TargetRequest } from '../../../src/service/invoicing-target.js';
import type { OperationsDeps } from '../../../src/operations/deps.js';
import { planOutgoing } from '../../../src/operations/outgoing/plan-outgoing.js';
import type { StoredSubmission } from '../../../src/operations/outgoing/records.js';
import type { Tenant } from '../../../src/tenants/tenant.js';

const ITEM = { description: 'Stóll', unit_price: '1990', tax: 'S' };

test('an item is planned under the number of its origin’s series, as it is sent', async () => {
  const asked: TargetRequest[] = [];
  const rows = ['shop', 'erp'].map((origin) => ({ id: origin, kind: 'item', reference: 'V-1', origin }));
  const deps = {
    outgoing: {
      records: {
        submissions: () => Promise.resolve(rows as unknown as StoredSubmission[]),
        content: () => Promise.resolve(JSON.stringify(ITEM)),
        problems: () => Promise.resolve([]),
      },
      breach: (_tenant: string, request: TargetRequest) => {
        asked.push(request);
        return Promise.resolve(null);
      },
    },
  } as unknown as OperationsDeps;
  const origins = [
    { name: 'shop', series: 'vefur' },
    { name: 'erp', series: '' },
  ];
  const { planned } = await planOutgoing(deps, {
    name: 'hraun',
    outgoing: { origins },
  } as unknown as Tenant);
  expect(planned.map(({ problem }) => problem)).toEqual([null, null]);
  expect(asked.map(({ body }) => body['description'])).toEqual(['[vefur/V-1] Stóll', '[V-1] Stóll']);
});
