// A maintenance code belongs to development. In production it cannot be written down, and one that gets in is not sent.
import { describe, expect, it } from 'vitest';
import { Secret } from '../../../src/domain/secret.js';
import { addressOf } from '../../../src/invoicing/build-request.js';
import type { SourceSettings } from '../../../src/invoicing/source-settings.js';

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
