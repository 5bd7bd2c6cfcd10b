// Traces go where the usual variables say: one for each time that a document is taken up, and nobody's kennitala in any.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { correlationId } from '../../../src/telemetry/log.js';
import { readBridgeSettings } from '../../../src/tenants/bridge-settings.js';
import { type Bed, bridgeBed } from '../../support/bridge-bed.js';

interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly attributes: readonly { key: string; value: Record<string, unknown> }[];
  readonly events: readonly { readonly name: string }[];
}
interface Body {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: Span['attributes'] };
    readonly scopeSpans: readonly { readonly spans: readonly Span[] }[];
  }[];
}

const bodies: string[] = [];
const receiver = createServer((request, response) => {
  const pieces: Buffer[] = [];
  request.on('data', (piece: Buffer) => pieces.push(piece));
  request.on('end', () => {
    if (request.url === '/v1/traces') bodies.push(Buffer.concat(pieces).toString());
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
});
let bed: Bed;

beforeAll(async () => {
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const { port } = receiver.address() as AddressInfo;
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${String(port)}` };
  bed = await bridgeBed({
    accounts: [{ username: 'hraun', invoices: 5, costs: 3, seed: 'traces' }],
    tenants: [{ name: 'hraun', account: 'hraun', erp: { adapter: 'file' } }],
    traces: readBridgeSettings(env, '/').traces,
  });
  await bed.settled();
  // What waits to be sent goes out when the bridge stops.
  await bed.restart();
});
afterAll(async () => {
  await bed.close();
  receiver.close();
});

const attribute = (span: Pick<Span, 'attributes'>, name: string) =>
  Object.values(span.attributes.find(({ key }) => key === name)?.value ?? {})[0];

test('each document is a trace from its claim to the commit that gives it back, found by the id of its log lines', () => {
  const received = bodies
    .map((body) => JSON.parse(body) as Body)
    .flatMap(({ resourceSpans }) => resourceSpans);
  expect(attribute(received[0]!.resource, 'service.name')).toBe('ledgerbridge');
  const spans = received.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans));
  const roots = spans.filter(({ parentSpanId }) => parentSpanId === undefined || parentSpanId === '');
  expect(new Set(roots.map(({ traceId }) => traceId)).size).toBe(roots.length);
  const done = roots.filter((root) => attribute(root, 'ledgerbridge.state') === 'acknowledged');
  expect(done.length).toBeGreaterThanOrEqual(6);
  for (const root of done) {
    const [kind, guid] = ['kind', 'guid'].map((name) => attribute(root, `ledgerbridge.${name}`) as string);
    const story = { tenant: 'hraun', kind: kind as 'invoice' | 'cost', guid: guid! };
    expect(attribute(root, 'ledgerbridge.correlation')).toBe(correlationId(story));
    const children = spans.filter(
      ({ traceId, parentSpanId }) => traceId === root.traceId && parentSpanId === root.spanId,
    );
    const names = children.map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining(['source get', 'erp prepare', 'erp post', 'source update-status']),
    );
    expect(root.events.map(({ name }) => name)).toContain('commit');
  }
});

test('no kennitala, name or secret is in a span', async () => {
  const all = bodies.join('\n');
  const documents = await bed.database.prisma.document.findMany();
  expect(documents.length).toBeGreaterThanOrEqual(5);
  for (const { counterpartyKennitala, counterpartyName } of documents) {
    if (counterpartyKennitala !== '') expect(all).not.toContain(counterpartyKennitala);
    if (counterpartyName !== '') expect(all).not.toContain(counterpartyName);
  }
  for (const { apiKey } of bed.sandbox.accounts) expect(all).not.toContain(apiKey);
});
