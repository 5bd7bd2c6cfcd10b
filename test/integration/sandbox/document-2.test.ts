// Every resource endpoint of the agent API document against its own sentences.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AGENT_ROUTES } from '../../../lab/sandbox/agent/routes.js';
import { AGENT_RULES } from './rules/document-2-resources.js';
import { openSandbox, type TestSandbox } from './sandbox-client.js';

/** Copied from the document's table of resource endpoints by scope. */
const DOCUMENTED: Readonly<Record<string, readonly string[]>> = {
  nav: [
    ...['GET /invoices', 'GET /invoices/count', 'GET /invoices/{id}', 'PUT /invoices/{id}'],
    ...['GET /items', 'GET /items/count', 'GET /items/{id}', 'POST /items', 'PUT /items/{id}'],
  ],
  create_invoice: ['POST /invoices', 'POST /quotes'],
  recurring: ['POST /recurring-invoices'],
  manage_customers: [
    ...['GET /customers', 'GET /customers/count', 'POST /customers'],
    ...['GET /customers/{guid}', 'PUT /customers/{guid}'],
  ],
  cost: [
    ...['GET /costs', 'GET /costs/count', 'POST /costs', 'POST /costs/advanced'],
    ...['GET /costs/{id}', 'PUT /costs/{id}', 'DELETE /costs/{id}', 'POST /costs/{id}/move-to-new'],
  ],
  task: [
    ...['GET /tasks', 'GET /tasks/count', 'POST /tasks', 'GET /tasks/{guid}', 'POST /tasks/{guid}/start'],
    ...['POST /tasks/{guid}/end', 'POST /tasks/{guid}/deactivate'],
    ...['POST /tasks/log', 'PUT /tasks/log', 'DELETE /tasks/log/{id}'],
  ],
  sell_product: ['GET /product-sales', 'GET /product-sales/count', 'GET /product-sales/{id}/attendees'],
  dashboard_data: ['GET /status', 'GET /invoice-summaries'],
};

let sandbox: TestSandbox;
beforeAll(async () => {
  sandbox = await openSandbox();
});
afterAll(() => sandbox.sandbox.close());

describe('Document 2', () => {
  test('the sandbox offers exactly the documented endpoints, each under its scope', () => {
    const offered = AGENT_ROUTES.filter((route) => route.scope !== null).map(
      (route) => `${route.scope ?? ''}: ${route.method} ${route.path}`,
    );
    const documented = Object.entries(DOCUMENTED).flatMap(([scope, routes]) =>
      routes.map((route) => `${scope}: ${route}`),
    );
    expect(offered.toSorted()).toEqual(documented.toSorted());
  });

  test('every documented endpoint has a rule in this table', () => {
    const covered = new Set(AGENT_RULES.map((row) => row.endpoint));
    expect(
      Object.values(DOCUMENTED)
        .flat()
        .filter((route) => !covered.has(route)),
    ).toEqual([]);
  });

  test.each(AGENT_RULES.map((row) => [`${row.endpoint}: ${row.rule}`, row.check] as const))(
    '%s',
    async (_, check) => {
      await check(sandbox);
    },
  );

  test('every wrong method is answered with the one expected', async () => {
    const answer = await sandbox.agent('DELETE', '/recurring-invoices');
    expect(answer).toMatchObject({
      http: 405,
      body: { error: true, message: 'Method not allowed — expected POST', code: 405 },
    });
  });
});
