import { describe, expect, it } from 'vitest';
import { Secret } from '../../../src/domain/secret.js';
import {
  checkPassword,
  hashPassword,
  NOBODY,
  passwordFits,
} from '../../../src/operations/users/passwords.js';

describe('passwords', () => {
  it('fit their own hash and no other', async () => {
    const hash = await hashPassword(new Secret('hross kind naut geit'));
    expect(hash).toMatch(/^scrypt\$15\$8\$1\$/);
    expect(hash).not.toContain('hross');
    expect(await passwordFits(new Secret('hross kind naut geit'), hash)).toBe(true);
    expect(await passwordFits(new Secret('hross kind naut gei'), hash)).toBe(false);
    expect(await passwordFits(new Secret(''), NOBODY)).toBe(false);
  });

  it('are refused when somebody would guess them', () => {
    const refused = (text: string) => () => checkPassword(new Secret(text), 'gudrun');
    for (const weak of ['short', 'aaaaaaaaaaaaaaa', 'password123456', 'gudrun-gudrun-1', 'x'.repeat(300)])
      expect(refused(weak), weak).toThrow();
    expect(refused('þrír menn í sjó')).not.toThrow();
  });
});
