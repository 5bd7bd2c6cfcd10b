// Calls outside the granted scopes are never made, in either direction: the answer is known, so the question is not asked.
import { describe, expect, onTestFinished, test } from 'vitest';
import { SUBMISSION_KINDS } from '../../../src/domain/submission.js';
import { AGENT_ENDPOINTS } from '../../../src/service/agent-endpoints.js';
import { connectReports, type ServiceReports } from '../../../src/service/service-reports.js';
import { connectSource, connectTarget } from '../../../src/service/connect-source.js';
import type { AnyEndpoint } from '../../../src/service/endpoint.js';
import type { InvoicingSource } from '../../../src/service/invoicing-source.js';
import type { InvoicingTarget } from '../../../src/service/invoicing-target.js';
import { AGENT_SCOPES, type AgentScope } from '../../../src/service/source-settings.js';
import { invoiceContent, subscriptionContent } from '../../../src/origins/content.js';
import { invoiceRequest, preparedRequest, subscriptionRequest } from '../../../src/outbound/make-request.js';
import { startSandbox } from '../../../lab/sandbox/start-sandbox.js';
import { MemoryGrantStore } from '../../support/invoicing/memory-grant-store.js';
import { signInAtSandbox } from '../../support/invoicing/oauth-tenant.js';

const GUID = '0b7c1f5e-1111-4222-8333-444455556666';
const MARK = 'OAAAAAAAAAAAAAAAAAAA';
const DAY = '2026-02-01';
const PDF = { fileName: 'kvittun.pdf', content: Buffer.from('%PDF-1.4 kvittun') };

const WISH = { mark: 'booking', customers: 'update', settlementDays: 7, costAi: true } as const;
const KNOWN = { key: MARK, customerGuid: GUID, creditedGuid: null };
const lines = [{ item_number: 'V-1', description: 'Vara', qty: '2', unit_price: '1000', tax: 'S' }];
const customer = { kennitala: '5402696029', name: 'Prufa ehf.' };
const today = new Date().toISOString().slice(0, 10);
const INVOICE = invoiceContent.parse({ issue_date: today, customer, lines });
const SUBSCRIPTION = subscriptionContent.parse({
  ...{ name: 'Vefhýsing', interval: 'monthly', start_date: today, customer, lines },
});

/** Everything that the bridge asks of the service. */
function everyQuestion(
  source: InvoicingSource,
  target: InvoicingTarget,
  reports: ServiceReports,
): (() => Promise<unknown>)[] {
  const both = ['invoice', 'cost'] as const;
  const leaveBy = () => new Date(Date.now() + 60_000);
  const kinds = SUBMISSION_KINDS.filter((kind) => target.takes(kind));
  return [
    () => source.hello(),
    () => reports.sales().next(),
    () => reports.attendees(GUID).next(),
    () => reports.summary(DAY, DAY),
    ...both.flatMap((kind) => [
      () => source.list({ kind, from: DAY, to: DAY } as never, 1),
      () => source.count({ kind, from: DAY, to: DAY } as never),
      () => source.get(kind, GUID),
      () => source.updateStatus(kind, GUID, 'Posted', 'test'),
      () => source.originals(kind, GUID),
    ]),
    () => source.moveCostToNew(GUID),
    () => source.customer(GUID),
    () => source.item(GUID),
    () => target.findInvoices(MARK, 'booking', DAY, 'lately'),
    () => target.readInvoice(GUID, MARK, 'booking'),
    () => target.findCustomers('5402696029'),
    () => target.findCosts(MARK, { date: DAY, since: DAY }, 'now'),
    () => target.readCost(GUID),
    () => target.listTasksToBill(),
    () => target.findTasks(MARK),
    () => target.readTask(GUID),
    () => target.endTask(GUID),
    ...[
      invoiceRequest(INVOICE, WISH, KNOWN),
      preparedRequest('draft', INVOICE, WISH, KNOWN),
      subscriptionRequest(SUBSCRIPTION, WISH, MARK, GUID),
    ].map((request) => () => target.send(request, leaveBy())),
    ...kinds.flatMap((kind) =>
      (['create', 'update', 'delete'] as const).map(
        (act) => () =>
          target.send({ act, kind, guid: GUID, body: {} }, leaveBy(), kind === 'cost' ? PDF : undefined),
      ),
    ),
  ];
}

const scopeOf = new Map(
  Object.values(AGENT_ENDPOINTS as Readonly<Record<string, AnyEndpoint>>).map(({ method, path, scope }) => [
    `${method} ${path.replace('/api/v1/agent', '')}`,
    scope,
  ]),
);

/** Whatever the bridge calls; nobody needs to grant it the others. */
const CALLED: ReadonlySet<string> = new Set(AGENT_SCOPES.filter((scope) => scope !== 'bookkeeper'));

const GRANTS: readonly (readonly AgentScope[])[] = [
  ...AGENT_SCOPES.map((scope) => [scope]),
  ['nav', 'cost'],
  ['nav', 'cost', 'create_invoice', 'manage_customers'],
  [...AGENT_SCOPES],
];

describe.each(GRANTS.map((scopes) => [scopes.join(', '), scopes] as const))('with %s', (_name, scopes) => {
  test('nothing else is asked', async () => {
    const sandbox = await startSandbox({ accounts: [{ invoices: 2, costs: 2 }] });
    onTestFinished(() => sandbox.close());
    const tenant = await signInAtSandbox(sandbox, new MemoryGrantStore(), { scopes });
    const since = sandbox.control.journal({}).at(-1)?.id ?? 0;
    const source = connectSource(tenant.settings, tenant.services);
    const target = connectTarget(tenant.settings, tenant.services);
    const reports = connectReports(tenant.settings, tenant.services, () => undefined);
    // What is refused here or there is not what is looked at.
    for (const question of everyQuestion(source, target, reports)) await question().catch(() => undefined);
    await source.close();
    await target.close();
    await reports.close();
    const asked = sandbox.control.journal({ sinceId: since }).filter(({ surface }) => surface === 'agent');
    const used = new Set(asked.map(({ endpoint }) => scopeOf.get(endpoint) ?? endpoint));
    expect([...used].filter((scope) => !(scopes as readonly string[]).includes(scope))).toEqual([]);
    expect(asked.filter(({ httpStatus }) => httpStatus === 403)).toEqual([]);
    expect([...used].sort()).toEqual(scopes.filter((scope) => CALLED.has(scope)).sort());
  });
});
