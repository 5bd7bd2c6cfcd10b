import { describe, expect, it } from 'vitest';
import { Secret } from '../../../src/domain/secret.js';
import { rightsOf } from '../../../src/operations/users/external-sign-in.js';
import {
  codeAddress,
  codeAt,
  newCodeSecret,
  newRecoveryCodes,
  plainCode,
  stepAt,
  stepOfCode,
} from '../../../src/operations/users/second-factor.js';

/** The secret of RFC 6238, "12345678901234567890", in base32. */
const RFC = new Secret('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ');

describe('a one-time code', () => {
  // Appendix B of RFC 6238, the last six of its eight digits.
  it.each([
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ])('is the one of RFC 6238 at second %i', (second, code) => {
    expect(codeAt(RFC, stepAt(new Date(second * 1_000)))).toBe(code);
  });

  it('counts half a minute early or late, and no longer', () => {
    const now = new Date('2026-11-16T12:00:15Z');
    const step = stepAt(now);
    for (const around of [-1, 0, 1])
      expect(stepOfCode(RFC, codeAt(RFC, step + around), now)).toBe(step + around);
    for (const around of [-2, 2]) expect(stepOfCode(RFC, codeAt(RFC, step + around), now)).toBe(null);
    expect(stepOfCode(RFC, '', now)).toBe(null);
  });

  it('comes from a secret of 160 bits that an app can read', () => {
    const secret = newCodeSecret();
    expect(secret.reveal()).toMatch(/^[A-Z2-7]{32}$/);
    expect(codeAddress('jón@félag.is', secret)).toBe(
      `otpauth://totp/ledgerbridge%3Aj%C3%B3n%40f%C3%A9lag.is?secret=${secret.reveal()}&issuer=ledgerbridge`,
    );
  });

  it('has ten recovery codes beside it, each another, and read however they are typed', () => {
    const codes = newRecoveryCodes();
    expect(new Set(codes).size).toBe(10);
    for (const code of codes) expect(code).toMatch(/^([A-Z2-7]{4}-){3}[A-Z2-7]{4}$/);
    expect(plainCode(' abcd-efgh 2345-6722 ')).toBe('ABCDEFGH23456722');
  });
});

describe('the rights of somebody who signs in elsewhere', () => {
  const RULES = [
    { group: 'admins', role: 'admin', companies: null },
    { group: 'readers', role: 'viewer', companies: null },
    { group: 'hraun', role: 'operator', companies: ['hraun', 'fjord'] },
    { group: 'fjord', role: 'admin', companies: ['fjord'] },
  ] as const;

  it('are none without a group of ours', () => {
    expect(rightsOf(RULES, [])).toBe(null);
    expect(rightsOf(RULES, ['Admins', 'other'])).toBe(null);
  });

  it('are the highest of their groups, company by company', () => {
    expect(rightsOf(RULES, ['hraun', 'fjord'])).toEqual({
      role: 'admin',
      reach: new Map([
        ['fjord', 'admin'],
        ['hraun', 'operator'],
      ]),
    });
  });

  it('are those for all companies where there is one for all', () => {
    expect(rightsOf(RULES, ['readers', 'hraun'])).toEqual({ role: 'viewer', reach: null });
    expect(rightsOf(RULES, ['readers', 'admins'])).toEqual({ role: 'admin', reach: null });
  });
});
