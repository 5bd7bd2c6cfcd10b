// openapi.yaml is what others build against: what the ledger says must be what the contract says.
import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { afterEach, expect, it } from 'vitest';
import { parse } from 'yaml';
import { journal, ledgerClient, type LedgerClient, type Reply } from './ledger-client.js';

const contract = parse(readFileSync('lab/sandbox/erp-ledger/openapi.yaml', 'utf8')) as {
  paths: Record<string, Record<string, { responses: Record<string, unknown> }>>;
  components: Record<string, unknown>;
};
const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
ajv.addSchema({ $id: 'contract', ...contract });

let ledger: LedgerClient;
afterEach(() => ledger.close());

function check(schema: object, body: unknown): void {
  // References in the contract are local to it; here they start from its id.
  const local = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"contract#/')) as object;
  const valid = ajv.compile(local);
  expect(valid(body) ? [] : valid.errors).toEqual([]);
}

function resolved(response: unknown): { content: { 'application/json': { schema: object } } } {
  const reference = (response as { $ref?: string }).$ref;
  if (reference === undefined) return response as ReturnType<typeof resolved>;
  const [, , kind = '', name = ''] = reference.split('/');
  return (contract.components[kind] as Record<string, ReturnType<typeof resolved>>)[name]!;
}

function conforms(method: string, path: string, reply: Reply): void {
  const responses = contract.paths[path]?.[method]?.responses;
  expect(Object.keys(responses ?? {})).toContain(String(reply.status));
  check(resolved(responses![String(reply.status)]).content['application/json'].schema, reply.body);
}

it('every reply has a status and a body that the contract names', async () => {
  ledger = await ledgerClient({ behaviour: { idempotency: 'unique-reference' } });
  const journals = '/v1/journals';
  conforms('post', journals, await ledger.post('K1'));
  conforms('post', journals, await ledger.post('K1'));
  conforms('post', journals, await ledger.post('K2', { lines: [] }));
  ledger.control.failNext({ fault: 'rate-limit' });
  conforms('post', journals, await ledger.post('K3'));
  ledger.control.failNext({ fault: 'unauthorized' });
  conforms('post', journals, await ledger.post('K3'));
  conforms('get', journals, await ledger.send('GET', '/v1/journals?key=K1'));
  conforms('get', journals, await ledger.send('GET', '/v1/journals?from=2025-01-01&to=2025-12-31'));
  conforms('get', journals, await ledger.send('GET', '/v1/journals?page=0'));
  conforms('get', '/v1/journals/{id}', await ledger.send('GET', '/v1/journals/je-1'));
  conforms('get', '/v1/journals/{id}', await ledger.send('GET', '/v1/journals/je-7'));
  const reversal = { key: 'R1', date: '2025-03-11', reason: 'Leiðrétting' };
  conforms(
    'post',
    '/v1/journals/{id}/reversal',
    await ledger.send('POST', '/v1/journals/je-1/reversal', reversal),
  );
  conforms(
    'post',
    '/v1/journals/{id}/reversal',
    await ledger.send('POST', '/v1/journals/je-1/reversal', reversal),
  );
  const file = { fileName: 'a.pdf', contentType: 'application/pdf', content: 'aGVp' };
  conforms(
    'post',
    '/v1/journals/{id}/attachments',
    await ledger.send('POST', '/v1/journals/je-1/attachments', file),
  );
  conforms('get', '/v1/company', await ledger.send('GET', '/v1/company'));
  conforms('get', '/v1/accounts', await ledger.send('GET', '/v1/accounts'));
});

it('the contract and the ledger take and refuse the same journals', async () => {
  ledger = await ledgerClient();
  const valid = ajv.compile({ $ref: 'contract#/components/schemas/Journal' });
  const line = { account: '1', debit: '1', credit: '0', text: '' };
  const changes: Record<string, unknown>[] = [
    {},
    { dueDate: '2025-04-01', settlementDate: '2025-04-11', appliesTo: 'x' },
    { party: { kind: 'customer', kennitala: '4101212040', name: 'Dæmi ehf.' } },
    { party: { kennitala: '4101212040' } },
    { currency: 'isk' },
    { exchangeRate: '1e2' },
    { postingDate: '10.03.2025' },
    { lines: [line] },
    { lines: [{ ...line, debit: 1 }, line] },
    { lines: [{ ...line, colour: 'red' }, line] },
    { colour: 'red' },
    { documentNo: undefined },
  ];
  for (const [index, change] of changes.entries()) {
    const sent = JSON.parse(JSON.stringify(journal(`K${index}`, change))) as unknown;
    const { status } = await ledger.post(`K${index}`, change);
    expect({ change, taken: status === 201 }).toEqual({ change, taken: valid(sent) });
  }
});
