// The start page: accounts, forms, statuses, faults, journal, endpoints. assets/start-page.js fills it by the control API.
import { AGENT_ROUTES } from './agent/routes.js';
import { CONTROL_PREFIX, CONTROL_ROUTES } from './control/control-api.js';
import { CREDENTIAL_ROUTES } from './credential/routes.js';
import { FAULT_KINDS } from './faults/fault-plan.js';
import { html, type Html } from './html.js';
import type { Reply } from './http/reply.js';
import { COST_ACCOUNTING_STATUSES, COST_CODES } from './model.js';
import { OAUTH_ROUTES } from './oauth/surface.js';
import type { SandboxState } from './state.js';

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'";

export function startPage(state: SandboxState): Reply {
  return {
    status: 200,
    body: page(state).text,
    contentType: 'text/html; charset=utf-8',
    headers: {
      'content-security-policy': POLICY,
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    },
  };
}

function page(state: SandboxState): Html {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>Invoicing service, sandbox</title>
        <link rel="icon" href="/_sandbox/icon.svg" />
        <link rel="stylesheet" href="/_sandbox/sandbox.css" />
        <script type="module" src="/_sandbox/start-page.js"></script>
      </head>
      <body>
        <div class="page">
          ${masthead(state)}
          <main>
            <div id="accounts" class="accounts" aria-label="Accounts"></div>
            <div class="columns">
              <div>${documentsPanel()} ${journalPanel()}</div>
              <div>${invoiceForm()} ${costForm()} ${faultsPanel()}</div>
            </div>
            ${endpointsPanel()}
          </main>
        </div>
      </body>
    </html> `;
}

function masthead(state: SandboxState): Html {
  const maintenance =
    state.environment === 'development'
      ? html`<p>Every call needs <code>en4_maint_code=${state.maintCode}</code>, or it gets a 503.</p>`
      : html``;
  return html`<header class="masthead">
    <div class="grow">
      <h1>Invoicing service <span class="tag">${state.environment} sandbox</span></h1>
      <p>In memory, on your machine. Nothing here is real and nothing is kept.</p>
      ${maintenance}
    </div>
    <div class="clock">
      <span id="now" class="mono" aria-label="The service's clock">…</span>
      <div class="buttons">
        <button class="small" type="button" data-advance="3600">+1 hour</button>
        <button class="small" type="button" data-advance="86400">+1 day</button>
        <button class="small" type="button" data-advance="2592000">+30 days</button>
        <button class="small" type="button" id="freeze">Stop</button>
      </div>
    </div>
  </header>`;
}

function documentsPanel(): Html {
  const statuses = COST_ACCOUNTING_STATUSES.map((status) => html`<option>${status}</option>`);
  return html`<section class="panel" aria-labelledby="documents-title">
    <header>
      <h2 id="documents-title">Documents</h2>
      <div class="tabs" id="kinds">
        <button type="button" data-kind="cost" aria-pressed="true">Costs</button>
        <button type="button" data-kind="invoice" aria-pressed="false">Invoices</button>
      </div>
      <span class="grow"></span>
      <select id="status" aria-label="Accounting status">
        <option value="">Every status</option>
        ${statuses}
      </select>
      <p>
        Of <strong id="account-name">…</strong>, newest first. A status that changes lights up: leave this
        open while your client works.
      </p>
    </header>
    <p id="document-answer" class="answer" role="status"></p>
    <div class="scroll">
      <table class="stack">
        <thead>
          <tr>
            <th>Number</th>
            <th>Counterparty</th>
            <th class="number">Amount</th>
            <th>Accounting status</th>
            <th><span hidden>Approve</span></th>
          </tr>
        </thead>
        <tbody id="documents"></tbody>
      </table>
    </div>
    <p id="no-documents" class="empty" hidden>Nothing with this status.</p>
  </section>`;
}

function journalPanel(): Html {
  return html`<section class="panel" aria-labelledby="journal-title">
    <header>
      <h2 id="journal-title">Requests</h2>
      <span class="tag" id="requests">0</span>
      <span class="grow"></span>
      <label class="inline-check"><input type="checkbox" id="only-broken" /> only broken rules</label>
      <p>What clients sent, and which documented rule they broke.</p>
    </header>
    <div class="scroll">
      <table class="stack">
        <thead>
          <tr>
            <th>Time</th>
            <th>Endpoint</th>
            <th>HTTP</th>
            <th>Broken rules</th>
          </tr>
        </thead>
        <tbody id="journal"></tbody>
      </table>
    </div>
    <div id="no-journal" class="empty" hidden>
      No requests yet. Try this one:
      <pre id="curl"></pre>
      <button class="small" type="button" id="copy-curl">Copy</button>
    </div>
  </section>`;
}

function invoiceForm(): Html {
  return html`<section class="panel" aria-labelledby="invoice-title">
    <h2 id="invoice-title">New invoice</h2>
    <form id="invoice-form">
      <label
        >Customer
        <select name="customerGuid" id="customer"></select
      ></label>
      <label>Description <input name="description" value="Ráðgjöf" maxlength="200" required /></label>
      <div class="pair">
        <label>Quantity <input name="qty" type="number" min="1" max="100000" value="1" required /></label>
        <label
          >Price without VAT
          <input name="unitPrice" inputmode="decimal" pattern="[0-9]+([.][0-9]{1,2})?" value="18500" required
        /></label>
      </div>
      <label>VAT ${vatSelect('tax')}</label>
      <button class="primary" type="submit">Issue invoice</button>
      <p id="invoice-answer" class="answer" role="status"></p>
    </form>
  </section>`;
}

function vatSelect(name: string): Html {
  return html`<select name="${name}">
    <option value="S">24 % (S)</option>
    <option value="AA">11 % (AA)</option>
    <option value="Z">0 % (Z)</option>
  </select>`;
}

function costForm(): Html {
  const codes = COST_CODES.map((code) => html`<option>${code}</option>`);
  return html`<section class="panel" aria-labelledby="cost-title">
    <h2 id="cost-title">New cost</h2>
    <form id="cost-form">
      <label
        >Supplier <input name="supplier_name" value="Rafveita Reykjavíkur" maxlength="200" required
      /></label>
      <label>Description <input name="description" value="Rafmagn" maxlength="200" /></label>
      <div class="pair">
        <label
          >Amount with VAT
          <input name="amount" inputmode="decimal" pattern="[0-9]+([.][0-9]{1,2})?" value="12400" required
        /></label>
        <label>VAT ${vatSelect('vat')}</label>
      </div>
      <div class="pair">
        <label
          >Cost code
          <select name="type">
            ${codes}
          </select></label
        >
        <label
          >Paid by
          <select name="how_paid">
            <option value="1">Account</option>
            <option value="2">Debit card</option>
            <option value="3">Credit card</option>
            <option value="4">Owner</option>
          </select></label
        >
      </div>
      <button class="primary" type="submit">Enter cost</button>
      <p id="cost-answer" class="answer" role="status"></p>
    </form>
  </section>`;
}

function faultsPanel(): Html {
  const kinds = Object.entries(FAULT_KINDS).map(
    ([kind, does]) => html`<option value="${kind}" title="${does}">${kind}</option>`,
  );
  return html`<section class="panel" aria-labelledby="faults-title">
    <h2 id="faults-title">Faults</h2>
    <table>
      <tbody id="faults"></tbody>
    </table>
    <form id="fault-form">
      <label
        >What goes wrong
        <select name="kind">
          ${kinds}
        </select></label
      >
      <div class="pair">
        <label>Endpoint <input name="endpoint" placeholder="get-costs, * = any" /></label>
        <label>Times <input name="times" type="number" min="1" placeholder="always" /></label>
      </div>
      <button class="primary" type="submit">Arm</button>
      <p id="fault-answer" class="answer" role="status"></p>
    </form>
  </section>`;
}

interface Listed {
  readonly method: string;
  readonly path: string;
  readonly about: string;
}

function endpointsPanel(): Html {
  const agent = AGENT_ROUTES.map(({ method, path, scope, fields }) => ({
    method,
    path: `/api/v1/agent${path}`,
    about: [scope === null ? '' : `scope ${scope}`, fields.join(', ')].filter(Boolean).join(' · '),
  }));
  return html`<section class="panel" aria-labelledby="endpoints-title">
    <header>
      <h2 id="endpoints-title">Endpoints</h2>
      <p>Everything of both API documents, and the controls of this sandbox.</p>
    </header>
    ${group(
      'Credential API: username and api_key, or HTTP Basic',
      CREDENTIAL_ROUTES.map(({ method, name, fields }) => ({
        method,
        path: `/api/v1/${name}`,
        about: fields.join(', '),
      })),
    )}
    ${group('Agent API: bearer token, or HTTP Basic with X-Agent-Id', agent)}
    ${group('OAuth and agents', [
      ...Object.entries(OAUTH_ROUTES).map(([path, { methods, fields }]) => ({
        method: methods[0] ?? '',
        path: `/strax/agent/${path}`,
        about: fields.join(', '),
      })),
      { method: 'GET', path: '/api/v1/agents', about: 'Basic only' },
      { method: 'POST', path: '/api/v1/agents', about: 'Basic only · client_id, scopes' },
      { method: 'DELETE', path: '/api/v1/agents/{agent_id}', about: 'Basic only' },
    ])}
    ${group(
      'Controls: this machine only, header X-Sandbox-Control: 1',
      CONTROL_ROUTES.map(({ method, path, does }) => ({ method, path: CONTROL_PREFIX + path, about: does })),
    )}
  </section>`;
}

function group(title: string, rows: readonly Listed[]): Html {
  const items = rows.map(
    ({ method, path, about }) =>
      html`<li>
        <span class="method">${method}</span> <code>${path}</code>
        <span class="fields">${about}</span>
      </li>`,
  );
  return html`<details>
    <summary>${title} (${rows.length})</summary>
    <ul class="endpoints">
      ${items}
    </ul>
  </details>`;
}
