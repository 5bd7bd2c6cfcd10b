import { chmod, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { CodedError } from '../../../src/domain/errors/coded-error.js';
import { secretReference } from '../../../src/domain/secret-reference.js';
import { resolveSource } from '../../../src/tenants/resolve-source.js';
import { resolveSecret } from '../../../src/tenants/secrets.js';
import { tenantDirectory } from './tenant-directory.js';

const codeOf = (act: () => unknown): string => {
  try {
    act();
    return 'nothing thrown';
  } catch (error) {
    return error instanceof CodedError ? `${error.code}: ${error.message}` : String(error);
  }
};

describe('a reference to a secret', () => {
  it('in the environment is resolved, and the secret cannot be printed', () => {
    const secret = resolveSecret('env:API_KEY', { env: { API_KEY: 'hunter2' }, baseDirectory: '/' });
    expect(secret.reveal()).toBe('hunter2');
    expect([String(secret), JSON.stringify({ secret }), inspect({ secret })].join()).not.toContain('hunter2');
  });

  it('to a file starts at the directory of the tenant file, and a trailing newline is no part of the secret', async () => {
    const baseDirectory = await tenantDirectory({ 'secrets/key': 'hunter2\n', crlf: 'a\nb\r\n' });
    expect(resolveSecret('file:secrets/key', { env: {}, baseDirectory }).reveal()).toBe('hunter2');
    expect(resolveSecret(`file:${baseDirectory}/crlf`, { env: {}, baseDirectory: '/' }).reveal()).toBe(
      'a\nb',
    );
  });

  it('warns when others on the machine can read the file', async () => {
    const baseDirectory = await tenantDirectory({ key: 'hunter2' });
    const said: string[] = [];
    const places = { env: {}, baseDirectory, warn: (message: string) => said.push(message) };
    await chmod(join(baseDirectory, 'key'), 0o600);
    resolveSecret('file:key', places);
    expect(said).toEqual([]);
    await chmod(join(baseDirectory, 'key'), 0o644);
    resolveSecret('file:key', places);
    expect(said).toEqual([
      `file:key can be read by other users; protect it with: chmod 600 ${baseDirectory}/key`,
    ]);
  });

  it('that leads nowhere says so by its name alone', async () => {
    const baseDirectory = await tenantDirectory({ empty: '\n', large: 'x'.repeat(100_000) });
    const places = { env: { EMPTY: '' }, baseDirectory };
    expect(codeOf(() => resolveSecret('env:NOPE', places))).toBe(
      'SECRET_MISSING: The secret env:NOPE is not set in the environment.',
    );
    expect(codeOf(() => resolveSecret('env:EMPTY', places))).toBe(
      'SECRET_MISSING: The secret env:EMPTY is not set in the environment.',
    );
    expect(codeOf(() => resolveSecret('file:nope', places))).toBe(
      'SECRET_MISSING: The secret file:nope cannot be read (ENOENT).',
    );
    expect(codeOf(() => resolveSecret('file:.', places))).toBe(
      'SECRET_MISSING: The secret file:. is not a file.',
    );
    expect(codeOf(() => resolveSecret('file:empty', places))).toBe(
      'SECRET_MISSING: The file of file:empty is empty.',
    );
    expect(codeOf(() => resolveSecret('file:large', places))).toBe(
      'SECRET_MISSING: The file of file:large is too large.',
    );
  });

  it('of the bridge itself is refused, as a variable and as the file that one names', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'ledgerbridge-secrets-'));
    const file = join(directory, 'key');
    await writeFile(file, 'the key of the bridge', { mode: 0o600 });
    const env = { LEDGERBRIDGE_KEY: `file:${file}`, DATABASE_URL: 'postgres://u:p@db/x' };
    for (const reference of ['env:LEDGERBRIDGE_KEY', 'env:DATABASE_URL', `file:${file}`, 'file:./key'])
      expect(() => resolveSecret(reference, { env, baseDirectory: directory })).toThrow(
        'of the bridge itself',
      );
    expect(secretReference.safeParse('env:LEDGERBRIDGE_KEY').success).toBe(false);
    expect(secretReference.safeParse('env:LEDGERBRIDGE_KEY_OF_HRAUN').success).toBe(true);
  });

  it('that is a secret itself is refused without repeating it', () => {
    expect(codeOf(() => resolveSecret('hunter2', { env: {}, baseDirectory: '/' }))).toBe(
      'SECRET_REFERENCE_INVALID: A secret must be named as env:NAME or file:path.',
    );
  });
});

describe('the source of a tenant', () => {
  const secret = (reference: string) =>
    resolveSecret(reference, { env: { A: 'key-a', M: 'maint' }, baseDirectory: '/' });
  const baseUrl = 'https://invoicing.example';
  const auth = { type: 'credentials', username: 'hraun', apiKey: 'env:A' } as const;

  it('gets its secrets, and the maintenance code for development only', () => {
    const production = resolveSource({ environment: 'production', baseUrl, auth }, secret);
    expect(production).not.toHaveProperty('maintenanceCode');
    const development = resolveSource(
      { environment: 'development', baseUrl, auth, maintenanceCode: 'env:M' },
      secret,
    );
    expect(development.environment === 'development' && development.maintenanceCode.reveal()).toBe('maint');
    expect(development.auth.type === 'credentials' && development.auth.apiKey.reveal()).toBe('key-a');
  });

  it('by OAuth has a client secret only when the client is confidential', () => {
    const scopes: ('nav' | 'cost')[] = ['nav', 'cost'];
    const auth = { type: 'oauth', clientId: 'c', redirectUri: 'https://b.example', scopes } as const;
    expect(resolveSource({ environment: 'production', baseUrl, auth }, secret).auth).toEqual(auth);
    const confidential = { ...auth, clientSecret: 'env:A' };
    const resolved = resolveSource({ environment: 'production', baseUrl, auth: confidential }, secret).auth;
    expect(resolved.type === 'oauth' && resolved.clientSecret?.reveal()).toBe('key-a');
  });
});
