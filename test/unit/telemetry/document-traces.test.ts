import { SpanStatusCode } from '@opentelemetry/api';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { describe, expect, test } from 'vitest';
import type { ClaimedPosting } from '../../../src/sync/posting-records.js';
import { createDocumentTraces, type OpenSpan } from '../../../src/telemetry/traces/document-traces.js';

const claim = (id: string) =>
  ({
    attempt: null,
    posting: {
      ...{ id, tenantName: 'hraun', kind: 'invoice', guid: `guid-${id}`, key: `key-${id}` },
      ...{ generation: 1, state: 'discovered' },
    },
  }) as unknown as ClaimedPosting;

function traced(isKept: (traceId: string) => boolean = () => true) {
  const spans: OpenSpan[] = [];
  const sink = {
    resource: resourceFromAttributes({}),
    instrumentationScope: { name: 'ledgerbridge' },
    isKept,
    ended: (span: OpenSpan) => spans.push(span),
  };
  return { spans, traces: createDocumentTraces(sink, null) };
}
const about = (id: string) => ({ tenant: 'hraun', name: 'erp post', system: 'erp', key: `key-${id}` });

describe('traces of documents', () => {
  test('a call is a span below its document, with ids of its own and its outcome', async () => {
    const { spans, traces } = traced();
    traces.begun([claim('1'), claim('2')]);
    await traces.call(about('1'), () => Promise.resolve({ outcome: 'unknown' }));
    await expect(traces.call(about('1'), () => Promise.reject(new Error('secret')))).rejects.toThrow();
    traces.lost(claim('1'), 'LEASE_LOST');
    const [unknown, threw, root] = spans;
    expect(spans).toHaveLength(3);
    expect(unknown!.parentSpanContext).toEqual(root!.spanContext());
    expect(new Set(spans.map((span) => span.spanContext().spanId)).size).toBe(3);
    expect(unknown!.attributes['ledgerbridge.outcome']).toBe('unknown');
    expect(threw!.status).toEqual({ code: SpanStatusCode.ERROR, message: 'threw' });
    expect(root!.status).toEqual({ code: SpanStatusCode.ERROR, message: 'LEASE_LOST' });
    for (const span of spans) expect(span.duration[1]).toBeGreaterThanOrEqual(0);
  });

  test('a trace that is not kept costs nothing: neither the document nor its calls become spans', async () => {
    const { spans, traces } = traced(() => false);
    traces.begun([claim('1')]);
    expect(await traces.call(about('1'), () => Promise.resolve('answer'))).toBe('answer');
    traces.lost(claim('1'), 'LEASE_LOST');
    expect(spans).toEqual([]);
  });
});
