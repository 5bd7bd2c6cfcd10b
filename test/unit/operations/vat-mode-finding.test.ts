import { expect, test } from 'vitest';
import { vatModeFindings } from '../../../src/operations/vat-mode-finding.js';

test('rules that want what the ERP connection cannot do are an error, in both languages; silence is none', () => {
  expect(vatModeFindings({ vatMode: 'explicit-lines' }, undefined)).toEqual([]);
  expect(vatModeFindings({ vatMode: 'erp-splits' }, 'erp-splits')).toEqual([]);
  const [finding] = vatModeFindings({ vatMode: 'explicit-lines' }, 'erp-splits');
  expect(finding).toMatchObject({
    severity: 'error',
    remedy: expect.stringContaining('explicit-lines') as string,
  });
  const [other] = vatModeFindings({ vatMode: 'erp-splits' }, 'explicit-lines', 'is');
  expect(other?.message).toMatch(/virðisaukaskatt/);
});
