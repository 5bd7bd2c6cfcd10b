import Fastify from 'fastify';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { MetricsSnapshot } from '../../../src/store/metrics-reader.js';
import {
  bearerOf,
  createMetrics,
  type MetricsOptions,
  registerMetrics,
} from '../../../src/telemetry/metrics/metrics.js';

const QUIET: MetricsSnapshot = {
  states: [],
  submissions: [],
  unconfirmed: [],
  reasons: [],
  delays: [],
  breakers: [],
  sweeps: [],
  outbox: [],
  incidents: [],
};

function metricsOf(snapshot: Partial<MetricsSnapshot>, options: Partial<MetricsOptions> = {}) {
  const asked = { times: 0 };
  const metrics = createMetrics({
    version: '1.2.3',
    role: 'all',
    reader: {
      read: async () => {
        asked.times++;
        await sleep(5);
        return { ...QUIET, ...snapshot };
      },
    },
    queueDepths: () => Promise.resolve(new Map([['post', 7]])),
    sendsOut: () => true,
    onError: () => undefined,
    ...options,
  });
  return { metrics, asked };
}

describe('the metrics', () => {
  it('ask nobody to confirm what the file of a tenant does not have any more', async () => {
    const unconfirmed = ['hraun', 'vik'].map((tenant) => ({ tenant, count: 5 }));
    const delays = unconfirmed.map(({ tenant }) => ({
      ...{ tenant, lagSeconds: 0, oldestSeconds: 0, unknownOutcomes: 0 },
    }));
    const { metrics } = metricsOf({ unconfirmed, delays }, { sendsOut: (tenant) => tenant === 'vik' });
    const shown = (await metrics.text()).split('\n').filter((line) => /^\w*unconfirmed\{/.test(line));
    expect(shown).toEqual(['ledgerbridge_submissions_unconfirmed{tenant="vik"} 5']);
  });

  it('show what the records say, by tenant', async () => {
    const { metrics } = metricsOf({
      states: [{ tenant: 'hraun', state: 'acknowledged', count: 12 }],
      reasons: [{ state: 'held', reason: 'UNMAPPED_ACCOUNT', count: 3 }],
      delays: [{ tenant: 'hraun', lagSeconds: 4.5, oldestSeconds: 90, unknownOutcomes: 1 }],
      breakers: [{ tenant: 'hraun', side: 'erp', state: 'refused' }],
      sweeps: [{ tenant: 'hraun', kind: 'cost', ageSeconds: 30, fullAgeSeconds: null }],
      incidents: [{ severity: 'critical', count: 2 }],
    });
    const lines = (await metrics.text()).split('\n');
    expect(lines).toEqual(
      expect.arrayContaining([
        'ledgerbridge_postings{tenant="hraun",state="acknowledged"} 12',
        'ledgerbridge_postings_by_reason{state="held",reason="UNMAPPED_ACCOUNT"} 3',
        'ledgerbridge_lag_seconds{tenant="hraun"} 4.5',
        'ledgerbridge_oldest_unfinished_seconds{tenant="hraun"} 90',
        'ledgerbridge_unknown_outcomes{tenant="hraun"} 1',
        'ledgerbridge_breaker_state{tenant="hraun",side="erp"} 2',
        'ledgerbridge_last_sweep_age_seconds{tenant="hraun",kind="cost"} 30',
        'ledgerbridge_open_incidents{severity="critical"} 2',
        'ledgerbridge_queue_depth{queue="post"} 7',
        'ledgerbridge_database_readable 1',
        'ledgerbridge_info{version="1.2.3",role="all"} 1',
      ]),
    );
    expect(lines.some((line) => line.startsWith('ledgerbridge_last_full_sweep_age_seconds{'))).toBe(false);
    expect(lines.some((line) => line.startsWith('process_resident_memory_bytes'))).toBe(true);
  });

  it('ask the database once, however many scrape at the same time or soon after', async () => {
    const { metrics, asked } = metricsOf({});
    await Promise.all([metrics.text(), metrics.text(), metrics.text()]);
    await metrics.text();
    expect(asked.times).toBe(1);
  });

  it('ask again when the figures are old, and forget what is no longer so', async () => {
    const snapshots = [{ ...QUIET, incidents: [{ severity: 'critical', count: 1 }] }, QUIET];
    const reader = { read: () => Promise.resolve(snapshots.shift() ?? QUIET) };
    const { metrics } = metricsOf({}, { reader, freshForMs: 0 });
    expect(await metrics.text()).toContain('ledgerbridge_open_incidents{severity="critical"} 1');
    expect(await metrics.text()).not.toContain('severity="critical"');
  });

  it('answer without a database, and say that it could not be read', async () => {
    const errors: unknown[] = [];
    const reader = { read: () => Promise.reject(new Error('gone')) };
    const { metrics } = metricsOf({}, { reader, onError: (error) => errors.push(error) });
    expect(await metrics.text()).toContain('ledgerbridge_database_readable 0');
    expect(errors).toHaveLength(1);
  });

  it('bound the labels: of many tenants the rest is one, with the sum of its counts and its worst lag', async () => {
    const delays = Array.from({ length: 1_200 }, (_, number) => ({
      tenant: `t${String(number).padStart(4, '0')}`,
      lagSeconds: number,
      oldestSeconds: 0,
      unknownOutcomes: 0,
    }));
    const states = delays.map(({ tenant }) => ({ tenant, state: 'posted', count: 2 }));
    const text = await metricsOf({ delays, states }).metrics.text();
    expect(text.match(/^ledgerbridge_lag_seconds\{/gm)).toHaveLength(1_001);
    expect(text).toContain('ledgerbridge_lag_seconds{tenant="(others)"} 1199');
    expect(text).toContain('ledgerbridge_postings{tenant="(others)",state="posted"} 400');
  });
});

describe('the route of the metrics', () => {
  async function scrape(access: 'open' | 'token', authorization?: string) {
    const app = Fastify();
    registerMetrics(app, metricsOf({}).metrics, {
      access,
      authorise: bearerOf((token) => Promise.resolve(token === 'right')),
    });
    return app.inject({ url: '/metrics', headers: authorization === undefined ? {} : { authorization } });
  }

  it('refuses the anonymous and the wrong token, and shows them nothing', async () => {
    for (const answer of [await scrape('token'), await scrape('token', 'Bearer wrong')]) {
      expect(answer.statusCode).toBe(401);
      expect(answer.body).not.toContain('process_');
      expect(answer.body).toContain('ledgerbridge token create');
    }
  });

  it('lets a token in, and everybody where it was opened', async () => {
    for (const answer of [await scrape('token', 'Bearer right'), await scrape('open')]) {
      expect(answer.statusCode).toBe(200);
      expect(answer.headers['content-type']).toContain('text/plain; version=0.0.4');
      expect(answer.body).toContain('ledgerbridge_database_readable 1');
    }
  });
});
