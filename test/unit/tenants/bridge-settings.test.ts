import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { CodedError } from '../../../src/domain/errors/coded-error.js';
import { BRIDGE_VARIABLES, readBridgeSettings } from '../../../src/tenants/bridge-settings.js';

describe('the settings of the bridge', () => {
  it('need nothing', () => {
    expect(readBridgeSettings({}, '/srv/bridge')).toEqual({
      configDirectory: '/srv/bridge/config',
      tenantsDirectory: '/srv/bridge/config/tenants',
      dataDirectory: '/srv/bridge/data',
      originalsDirectory: '/srv/bridge/data/originals',
      originalsS3: null,
      databaseUrl: null,
      databaseOwnerUrl: null,
      redisUrl: null,
      key: null,
      previousKey: null,
      signingKey: null,
      auditAnchor: null,
      addressDays: null,
      host: '127.0.0.1',
      port: null,
      publicUrl: null,
      trustedProxies: [],
      tenantFiles: 'read-only',
      privateAddresses: 'allow',
      metrics: 'token',
      secondFactor: 'none',
      auditReads: 'off',
      logLevel: 'info',
      logFormat: 'auto',
      concurrency: 8,
      shutdownMs: 20_000,
      timeZone: 'Atlantic/Reykjavik',
      traces: null,
    });
  });

  it('take what is set, and an empty variable as not set', () => {
    const settings = readBridgeSettings(
      {
        LEDGERBRIDGE_DATA: '/var/lib/bridge',
        LEDGERBRIDGE_PORT: '0',
        LEDGERBRIDGE_LOG_LEVEL: '',
        PATH: '/bin',
      },
      '/srv',
    );
    expect(settings).toMatchObject({ dataDirectory: '/var/lib/bridge', port: 0, logLevel: 'info' });
  });

  it('ask for traces by the usual variables, and for none without an address', () => {
    const traces = (env: Record<string, string>) => readBridgeSettings(env, '/').traces;
    const OTEL_EXPORTER_OTLP_ENDPOINT = 'http://127.0.0.1:4318/';
    expect(traces({ OTEL_SERVICE_NAME: 'brú' })).toBeNull();
    expect(traces({ OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_SDK_DISABLED: 'true' })).toBeNull();
    expect(
      traces({
        OTEL_EXPORTER_OTLP_ENDPOINT,
        OTEL_TRACES_SAMPLER: 'traceidratio',
        OTEL_TRACES_SAMPLER_ARG: '0.1',
      }),
    ).toEqual({
      ...{ url: 'http://127.0.0.1:4318/v1/traces', serviceName: 'ledgerbridge' },
      sampler: { name: 'traceidratio', ratio: 0.1 },
    });
    expect(() => traces({ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4317' })).toThrow(/http or https/);
  });

  it('name the proxies whose word is taken, and refuse what names none', () => {
    const proxies = (text: string) =>
      readBridgeSettings({ LEDGERBRIDGE_TRUSTED_PROXIES: text }, '/').trustedProxies;
    expect(proxies('loopback, 10.0.0.0/8,2001:db8::1')).toEqual(['loopback', '10.0.0.0/8', '2001:db8::1']);
    expect(proxies('')).toEqual([]);
    for (const wrong of ['true', '*', '0.0.0.0/0', '10.0.0.0/33', 'proxy.example', '10.0.0.1/8/8'])
      expect(() => proxies(wrong), wrong).toThrow('LEDGERBRIDGE_TRUSTED_PROXIES: must be addresses');
  });

  it('take secrets from files, as containers and services hand them over', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'settings-'));
    onTestFinished(() => rm(directory, { recursive: true, force: true }));
    const file = join(directory, 'url');
    await writeFile(file, 'postgresql://u:p@h/db\n');
    expect(readBridgeSettings({ DATABASE_URL: `file:${file}` }, '/').databaseUrl?.reveal()).toBe(
      'postgresql://u:p@h/db',
    );
    expect(() => readBridgeSettings({ REDIS_URL: `file:${file}` }, '/')).toThrow(
      'REDIS_URL: must be an address',
    );
    expect(() => readBridgeSettings({ LEDGERBRIDGE_KEY: 'file:/not/there' }, '/')).toThrow(
      'LEDGERBRIDGE_KEY: the file /not/there cannot be read (ENOENT)',
    );
  });

  it('cannot print passwords in addresses', () => {
    const settings = readBridgeSettings(
      { DATABASE_URL: 'postgres://bridge:hunter2@db/bridge', REDIS_URL: 'redis://:hunter2@redis' },
      '/',
    );
    expect(`${JSON.stringify(settings)}${inspect(settings, { depth: 9 })}`).not.toContain('hunter2');
    expect(settings.databaseUrl?.reveal()).toContain('hunter2');
  });

  it('say everything that is wrong at once, without repeating values', () => {
    const env = {
      DATABASE_URL: 'mysql://root:hunter2@db',
      LEDGERBRIDGE_PORT: '99999',
      LEDGERBRIDGE_LOG_LEVEL: 'loud',
      LEDGERBRIDGE_KEY: 'hunter2',
      LEDGERBRIDGE_DTA: '/x',
      LEDGERBRIDGE_HRAUN_API_KEY: 'hunter2',
    };
    let said: unknown;
    try {
      readBridgeSettings(env, '/');
    } catch (error) {
      said = error;
    }
    expect(said).toBeInstanceOf(CodedError);
    expect((said as CodedError).code).toBe('SETTINGS_INVALID');
    expect((said as CodedError).message.split('\n  ')).toEqual([
      'The settings cannot be used:',
      'LEDGERBRIDGE_DTA: no such setting; did you mean LEDGERBRIDGE_DATA?',
      'DATABASE_URL: must be an address that begins with postgres:// or postgresql://',
      'LEDGERBRIDGE_KEY: must be 32 bytes in base64; make one with: openssl rand -base64 32',
      'LEDGERBRIDGE_PORT: must be between 0 and 65535',
      'LEDGERBRIDGE_LOG_LEVEL: Invalid option: expected one of "fatal"|"error"|"warn"|"info"|"debug"|"trace"|"silent"',
    ]);
  });

  it('are documented one by one', () => {
    const page = readFileSync(new URL('../../../docs/reference/settings.md', import.meta.url), 'utf8');
    const rows = Object.entries(BRIDGE_VARIABLES).map(
      ([name, { description }]) => `| \`${name}\` | ${description ?? ''} |`,
    );
    expect(page.split('\n').filter((line) => line.startsWith('| `'))).toEqual(rows);
  });
});
