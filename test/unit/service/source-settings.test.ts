// A maintenance code belongs to development. In production it cannot be written down, and one that gets in is not sent.
import { describe, expect, it } from 'vitest';
import { Secret } from '../../../src/domain/secret.js';
import { addressOf, buildRequest } from '../../../src/service/build-request.js';
import type { AnyEndpoint } from '../../../src/service/endpoint.js';
import type { SourceSettings } from '../../../src/service/source-settings.js';

const auth = { type: 'credentials', username: 'hraun', apiKey: new Secret('key-of-hraun') } as const;
const baseUrl = 'https://service.example.is';
const maintenanceCode = new Secret('open-sesame');

describe('a connection', () => {
  it('to development carries its code', () => {
    const settings: SourceSettings = { environment: 'development', baseUrl, auth, maintenanceCode };
    expect(addressOf(settings, '/api/v1/hello').search).toBe('?en4_maint_code=open-sesame');
  });

  it('to production has no place for one', () => {
    const mixedUp = { environment: 'production', baseUrl, auth, maintenanceCode } as const;
    // @ts-expect-error a production connection has no maintenance code, not even by way of a variable
    const settings: SourceSettings = mixedUp;
    expect(addressOf(settings, '/api/v1/hello')).toEqual({
      origin: 'https://service.example.is',
      pathname: '/api/v1/hello',
      search: '',
    });
  });

  it('to development cannot do without one', () => {
    // @ts-expect-error a development connection has a maintenance code
    const settings: SourceSettings = { environment: 'development', baseUrl, auth };
    expect(() => addressOf(settings, '/api/v1/hello')).toThrow();
  });
});

describe.each(['form', 'query'] as const)('what is sent as a %s', (sends) => {
  const settings: SourceSettings = { environment: 'production', baseUrl: `${baseUrl}/base/`, auth };
  const endpoint = { name: 'any', method: 'POST', path: '/things/{guid}', sends } as unknown as AnyEndpoint;
  const sent = (params: Record<string, unknown>) => {
    const request = buildRequest({ settings, endpoint, params, headers: {}, queryCredentials: {} });
    const text = sends === 'form' ? String(request.body) : request.url.search;
    return { path: request.url.pathname, fields: Object.fromEntries(new URLSearchParams(text)) };
  };

  it('arrives as it was, whatever letters it has', () => {
    const fields = { name: 'Þórður & Æsa = 100 % + "ö"', empty: '', emoji: '🧾' };
    expect(sent({ guid: 'a/b c', ...fields })).toEqual({ path: '/base/things/a%2Fb%20c', fields });
  });

  it('has a stand-in for half a character, which cannot be written', () => {
    expect(sent({ guid: 'x\ud800', name: 'half \ud83e' })).toEqual({
      path: '/base/things/x%EF%BF%BD',
      fields: { name: 'half \ufffd' },
    });
  });
});
