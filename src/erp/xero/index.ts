// Xero, through manual journals and a custom connection. Promises: a journal is posted, never left a draft; the same key
// within its six minutes is one journal however often it is sent; accounts that manual journals refuse are named before
// anything is sent. See README.md for set-up and assumptions.
import { createClientCredentials } from '../../http/client-credentials.js';
import { createHttpClient } from '../../http/http-client.js';
import type { ErpAdapterDefinition } from '../erp-adapter.js';
import { KeyedBooks } from '../keyed-books.js';
import { XeroBooks } from './books.js';
import { XeroClient } from './client.js';
import { documentReference } from './entries.js';
import { CONCURRENCY, SCOPES, xeroConfiguration, type XeroConfiguration } from './settings.js';

const PAGES = {
  ACCREC: 'AccountsReceivable/View.aspx?InvoiceID',
  ACCPAY: 'AccountsPayable/View.aspx?InvoiceID',
  ACCRECCREDIT: 'AccountsReceivable/ViewCreditNote.aspx?creditNoteID',
  ACCPAYCREDIT: 'AccountsPayable/ViewCreditNote.aspx?creditNoteID',
} as const;

function pageOf(reference: string): string {
  const document = documentReference(reference);
  const page = document ? PAGES[document.type] : 'Journal/View.aspx?invoiceID';
  return `https://go.xero.com/${page}=${encodeURIComponent(document?.id ?? reference)}`;
}

export const xeroAdapter: ErpAdapterDefinition<XeroConfiguration> = {
  name: 'xero',
  title: 'Xero (manual journals, or invoices and bills)',
  configuration: xeroConfiguration,
  callMsMax: ({ deadlineMs }) => deadlineMs,
  entryUrl: ({ baseUrl }, { id }) => (baseUrl === 'https://api.xero.com' ? pageOf(id) : null),
  create(configuration, services) {
    const http = createHttpClient({
      origins: [configuration.baseUrl, configuration.identityUrl],
      userAgent: 'ledgerbridge',
      connections: CONCURRENCY,
      deadlineMs: configuration.deadlineMs,
      gate: services.gate,
    });
    const tokens = createClientCredentials({
      http,
      clock: services.clock,
      tokenUrl: new URL(`${configuration.identityUrl}/connect/token`),
      clientId: configuration.clientId,
      clientSecret: services.secret(configuration.clientSecret),
      scope: SCOPES[configuration.books],
      style: 'basic',
    });
    const client = new XeroClient({ http, clock: services.clock, tokens, configuration });
    return new KeyedBooks(new XeroBooks(client, configuration, services), http);
  },
};
