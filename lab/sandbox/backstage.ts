// What is not API: the start page and its files, the control API, uploaded pictures and payment pages.
import { readFile } from 'node:fs/promises';
import { CONTROL_PREFIX, controlApi, refuseOutsiders } from './control/control-api.js';
import type { SandboxControl } from './control/sandbox-control.js';
import { html } from './html.js';
import type { Backstage } from './http/server.js';
import type { Reply } from './http/reply.js';
import type { SandboxRequest } from './http/request.js';
import { startPage } from './start-page.js';
import type { SandboxState } from './state.js';

const ASSETS: Readonly<Record<string, string>> = {
  'sandbox.css': 'text/css; charset=utf-8',
  'start-page.js': 'text/javascript; charset=utf-8',
  'icon.svg': 'image/svg+xml',
};
const ASSET_PREFIX = '/_sandbox/';

export function backstage(state: SandboxState, control: SandboxControl): Backstage {
  const answerControl = controlApi(state, control);
  return async (request: SandboxRequest): Promise<Reply | null> => {
    const { path } = request;
    if (path.startsWith(CONTROL_PREFIX)) return answerControl(request);
    if (path.startsWith(ASSET_PREFIX)) return asset(path.slice(ASSET_PREFIX.length));
    if (request.method !== 'GET') return null;
    if (path === '/') return refuseOutsiders(request) ?? startPage(state);
    if (path.startsWith('/files/')) return uploadedFile(state, path);
    if (path.startsWith('/pay/')) return paymentPage(state, path.slice('/pay/'.length));
    return null;
  };
}

async function asset(name: string): Promise<Reply | null> {
  const contentType = Object.hasOwn(ASSETS, name) ? ASSETS[name] : undefined;
  if (contentType === undefined) return null;
  const body = await readFile(new URL(`../sandbox/assets/${name}`, import.meta.url));
  return { status: 200, body, contentType, headers: { 'x-content-type-options': 'nosniff' } };
}

/** The picture of a log entry, by the path the entry shows. */
function uploadedFile(state: SandboxState, path: string): Reply | null {
  const [, , username = '', id = ''] = path.split('/');
  const content = state.accounts.get(decodeURIComponent(username))?.files.get(id)?.content ?? null;
  if (content === null) return null;
  const headers = { 'content-disposition': 'attachment', 'x-content-type-options': 'nosniff' };
  return { status: 200, body: content, contentType: 'application/octet-stream', headers };
}

/** Where a payment link leads: enough to see that it works. */
function paymentPage(state: SandboxState, guid: string): Reply | null {
  for (const account of state.accounts.values()) {
    const invoice = account.invoices.get(guid);
    if (invoice === undefined) continue;
    const body = html`<!doctype html>
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <title>Pay invoice ${invoice.number}</title>
          <link rel="stylesheet" href="/_sandbox/sandbox.css" />
        </head>
        <body class="sheet">
          <main class="card">
            <p class="brand">${account.profile.name} <span class="tag">sandbox</span></p>
            <h1>Invoice ${invoice.number}</h1>
            <p>${(invoice.amount / 100).toFixed(2)} ${invoice.currency}, ${invoice.status}</p>
            <p class="note">Nothing can be paid here.</p>
          </main>
        </body>
      </html> `;
    return { status: 200, body: body.text, contentType: 'text/html; charset=utf-8' };
  }
  return null;
}
