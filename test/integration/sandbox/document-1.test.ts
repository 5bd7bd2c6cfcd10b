// Every endpoint of the credential API document against its own sentences.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CREDENTIAL_ROUTES } from '../../../lab/sandbox/credential/routes.js';
import { CATALOGUE_RULES } from './rules/document-1-catalogue.js';
import { COST_RULES } from './rules/document-1-costs.js';
import { INVOICE_RULES } from './rules/document-1-invoices.js';
import { WORK_RULES } from './rules/document-1-work.js';
import { openSandbox, type TestSandbox } from './sandbox-client.js';

const TABLE = [...CATALOGUE_RULES, ...INVOICE_RULES, ...COST_RULES, ...WORK_RULES];

/** Copied from the document's Endpoints section, with its methods. */
const DOCUMENTED = {
  GET: [
    ...['hello', 'get-customers', 'get-count-customers', 'get-customers-by-kennitala'],
    ...['get-count-customers-by-kennitala', 'get-customer', 'get-items', 'get-count-items', 'get-item'],
    ...[
      'get-invoices',
      'get-count-invoices',
      'get-invoice',
      'get-invoice-pdf',
      'get-costs',
      'get-count-costs',
    ],
    ...['get-cost', 'invoice-summaries', 'get-product-sales', 'get-count-product-sales'],
    'get-product-sale-attends',
  ],
  POST: [
    ...[
      'create-customer',
      'update-customer',
      'create-item',
      'update-item',
      'update-invoice',
      'create-invoice',
    ],
    ...['create-recurring-invoice', 'upload-file', 'do-paid-invoice'],
    ...['create-order-invoice', 'update-order-invoice', 'delete-order-invoice', 'get-invoices-from-order'],
    ...['create-draft-invoice', 'update-draft-invoice', 'delete-draft-invoice', 'get-invoices-from-draft'],
    ...[
      'update-cost',
      'move-cost-to-new',
      'delete-cost',
      'create-cost',
      'create-cost-adv',
      'get-dashboard-data',
    ],
    ...['create-task', 'get-task', 'get-tasks', 'get-count-tasks', 'start-task', 'end-task', 'log-task'],
    ...['edit-log-task', 'task-log-delete'],
  ],
} as const;

let sandbox: TestSandbox;
beforeAll(async () => {
  sandbox = await openSandbox();
});
afterAll(() => sandbox.sandbox.close());

describe('Document 1', () => {
  test('the sandbox offers exactly the documented endpoints', () => {
    const offered = CREDENTIAL_ROUTES.map((route) => `${route.method} ${route.name}`);
    const documented = Object.entries(DOCUMENTED).flatMap(([method, names]) =>
      names.map((name) => `${method} ${name}`),
    );
    expect(offered.toSorted()).toEqual(documented.toSorted());
  });

  test('every documented endpoint has a rule in this table', () => {
    const covered = new Set(TABLE.map((row) => row.endpoint));
    const uncovered = [...DOCUMENTED.GET, ...DOCUMENTED.POST].filter((name) => !covered.has(name));
    expect(uncovered).toEqual([]);
  });

  test.each(TABLE.map((row) => [`${row.endpoint}: ${row.rule}`, row.check] as const))(
    '%s',
    async (_, check) => {
      await check(sandbox);
    },
  );
});
