// Settings and services for connections made in tests, with a log that can be searched.
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Runtime } from '../../../src/domain/runtime.js';
import { Secret } from '../../../src/domain/secret.js';
import type { SourceLimits, SourceServices } from '../../../src/service/source-services.js';
import type { CredentialsAuth, SourceSettings } from '../../../src/service/source-settings.js';

export const realRuntime: Runtime = {
  clock: { now: () => new Date() },
  timers: { sleep: (ms, signal) => delay(ms, undefined, signal ? { signal } : {}) },
  random: { next: () => Math.random(), uuid: () => randomUUID() },
};

export interface SearchableLog {
  readonly lines: string[];
}

export function testServices(
  log: SearchableLog = { lines: [] },
  limits: SourceLimits = {},
  grants?: SourceServices['grants'],
): SourceServices {
  const write = (facts: object, message: string) =>
    void log.lines.push(`${message} ${JSON.stringify(facts)}`);
  return {
    tenantName: 'acme',
    runtime: realRuntime,
    log: { debug: write, info: write, warn: write },
    version: '0.0.0-test',
    limits,
    ...(grants !== undefined && { grants }),
  };
}

export function credentials(baseUrl: string, auth: Partial<CredentialsAuth> = {}): SourceSettings {
  return {
    environment: 'production',
    baseUrl,
    auth: { type: 'credentials', username: 'acme', apiKey: new Secret('key-of-acme'), ...auth },
  };
}

export function development(baseUrl: string, auth: Partial<CredentialsAuth> = {}): SourceSettings {
  return {
    ...credentials(baseUrl, auth),
    environment: 'development',
    maintenanceCode: new Secret('open-sesame'),
  };
}
