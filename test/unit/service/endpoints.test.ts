// The documents' endpoints, written down from their text. A row that goes missing from a table fails here, and so does a
// row that the documents do not have.
import { describe, expect, it } from 'vitest';
import { AGENT_ENDPOINTS } from '../../../src/service/agent-endpoints.js';
import { CREDENTIAL_ENDPOINTS } from '../../../src/service/credential-endpoints.js';
import type { AnyEndpoint } from '../../../src/service/endpoint.js';

const DOCUMENT_1 = `
GET hello
GET get-customers
GET get-count-customers
GET get-customers-by-kennitala
GET get-count-customers-by-kennitala
GET get-customer
POST create-customer
POST update-customer
GET get-items
GET get-count-items
GET get-item
POST create-item
POST update-item
GET get-invoices
GET get-count-invoices
GET get-invoice
GET get-invoice-pdf
POST update-invoice
POST create-invoice
POST create-recurring-invoice
POST upload-file
POST do-paid-invoice
POST create-order-invoice
POST update-order-invoice
POST delete-order-invoice
POST get-invoices-from-order
POST create-draft-invoice
POST update-draft-invoice
POST delete-draft-invoice
POST get-invoices-from-draft
GET get-costs
GET get-count-costs
GET get-cost
POST update-cost
POST move-cost-to-new
POST delete-cost
POST create-cost
POST create-cost-adv
POST get-dashboard-data
GET invoice-summaries
POST create-task
POST get-task
POST get-tasks
POST get-count-tasks
POST start-task
POST end-task
POST log-task
POST edit-log-task
POST task-log-delete
GET get-product-sales
GET get-count-product-sales
GET get-product-sale-attends`;

const DOCUMENT_2_MANAGEMENT = `
POST /agent/register
GET /strax/agent/authorize
POST /strax/agent/token
GET /api/v1/agents
POST /api/v1/agents
DELETE /api/v1/agents/{}
GET /api/v1/agent/audit`;

const DOCUMENT_2_RESOURCES = `
nav GET /invoices
nav GET /invoices/count
nav GET /invoices/{}
nav PUT /invoices/{}
nav GET /items
nav GET /items/count
nav GET /items/{}
nav POST /items
nav PUT /items/{}
create_invoice POST /invoices
create_invoice POST /quotes
recurring POST /recurring-invoices
manage_customers GET /customers
manage_customers GET /customers/count
manage_customers POST /customers
manage_customers GET /customers/{}
manage_customers PUT /customers/{}
cost GET /costs
cost GET /costs/count
cost POST /costs
cost POST /costs/advanced
cost GET /costs/{}
cost PUT /costs/{}
cost DELETE /costs/{}
cost POST /costs/{}/move-to-new
task GET /tasks
task GET /tasks/count
task POST /tasks
task GET /tasks/{}
task POST /tasks/{}/start
task POST /tasks/{}/end
task POST /tasks/{}/deactivate
task POST /tasks/log
task PUT /tasks/log
task DELETE /tasks/log/{}
sell_product GET /product-sales
sell_product GET /product-sales/count
sell_product GET /product-sales/{}/attendees
dashboard_data GET /status
dashboard_data GET /invoice-summaries`;

const lines = (text: string) => text.trim().split('\n').sort();
const plain = (path: string) => path.replace(/\{\w+\}/g, '{}');
const rows = (table: Record<string, AnyEndpoint>) => Object.values(table);
const unique = (written: string[]) => [...new Set(written)].sort();

describe('the endpoint tables', () => {
  it('hold every endpoint of Document 1 and no other', () => {
    const held = rows(CREDENTIAL_ENDPOINTS).map((row) => `${row.method} ${row.path.replace('/api/v1/', '')}`);
    expect(held.sort()).toEqual(lines(DOCUMENT_1));
  });

  it('hold every resource of Document 2 under its scope and no other', () => {
    const held = rows(AGENT_ENDPOINTS)
      .filter((row) => row.scope !== undefined)
      .map((row) => `${row.scope ?? ''} ${row.method} ${plain(row.path.replace('/api/v1/agent', ''))}`);
    expect(held.sort()).toEqual(lines(DOCUMENT_2_RESOURCES));
  });

  it('hold OAuth and client management of Document 2', () => {
    const held = rows(AGENT_ENDPOINTS)
      .filter((row) => row.scope === undefined)
      .map((row) => `${row.method} ${plain(row.path)}`);
    expect(unique(held)).toEqual(lines(DOCUMENT_2_MANAGEMENT));
  });

  it('send credentials in a URL for upload-file only', () => {
    const inQuery = rows(CREDENTIAL_ENDPOINTS).filter((row) => row.credentials === 'query');
    expect(inQuery.map((row) => row.name)).toEqual(['upload-file']);
    expect(rows(AGENT_ENDPOINTS).filter((row) => row.credentials === 'query')).toEqual([]);
  });

  it('call a question a question, although Document 1 asks some with POST', () => {
    const asked = rows(CREDENTIAL_ENDPOINTS).filter((row) => row.effect === 'read' && row.method === 'POST');
    expect(asked.map((row) => row.name)).toEqual([
      'get-invoices-from-order',
      'get-invoices-from-draft',
      'get-dashboard-data',
      'get-task',
      'get-tasks',
      'get-count-tasks',
    ]);
    expect(
      rows(CREDENTIAL_ENDPOINTS).filter((row) => row.method === 'GET' && row.effect === 'write'),
    ).toEqual([]);
  });
});
