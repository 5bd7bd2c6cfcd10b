import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { Secret } from '../../../src/domain/secret.js';
import { TokenKeyring } from '../../../src/service/oauth/token-keyring.js';

const key = () => new Secret(randomBytes(32).toString('base64'));
const token = new Secret('the-token');

describe('tokens at rest', () => {
  it('open again with the same tenant, purpose and key', () => {
    const keyring = new TokenKeyring(key());
    const sealed = keyring.seal('acme', 'access-token', token);
    expect(keyring.open('acme', 'access-token', sealed).reveal()).toBe('the-token');
    expect(sealed).not.toContain('the-token');
  });

  it('never look the same twice', () => {
    const keyring = new TokenKeyring(key());
    expect(keyring.seal('acme', 'access-token', token)).not.toBe(keyring.seal('acme', 'access-token', token));
  });

  it('do not open for another tenant, another purpose, or after a change', () => {
    const keyring = new TokenKeyring(key());
    const sealed = keyring.seal('acme', 'refresh-token', token);
    const changed = sealed.slice(0, -2) + (sealed.endsWith('AA') ? 'BB' : 'AA');
    expect(() => keyring.open('other', 'refresh-token', sealed)).toThrow(/cannot be opened/);
    expect(() => keyring.open('acme', 'access-token', sealed)).toThrow(/cannot be opened/);
    expect(() => keyring.open('acme', 'refresh-token', changed)).toThrow(/cannot be opened/);
  });

  it('open with an older key after rotation, and are sealed with the new one', () => {
    const [old, fresh] = [key(), key()];
    const sealed = new TokenKeyring(old).seal('acme', 'access-token', token);
    const rotated = new TokenKeyring(fresh, [old]);
    expect(rotated.open('acme', 'access-token', sealed).reveal()).toBe('the-token');
    expect(rotated.seal('acme', 'access-token', token).split('.')[1]).toBe(rotated.currentKeyId);
    expect(() => new TokenKeyring(fresh).open('acme', 'access-token', sealed)).toThrow(/which is not given/);
  });

  it('refuse a key of the wrong length', () => {
    expect(() => new TokenKeyring(new Secret('c2hvcnQ='))).toThrow(/32 bytes/);
  });
});
