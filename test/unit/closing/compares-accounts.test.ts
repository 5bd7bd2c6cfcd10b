import { expect, test } from 'vitest';
import { comparesAccounts } from '../../../src/operations/closing/summary.js';

test('accounts are compared where the ERP shows lines as they were sent, and not where it took VAT out of them', () => {
  expect(comparesAccounts({ readBack: 'lines', vatMode: 'explicit-lines' })).toBe(true);
  expect(comparesAccounts({ readBack: 'lines', vatMode: 'erp-splits' })).toBe(false);
  expect(comparesAccounts({ readBack: 'totals', vatMode: 'explicit-lines' })).toBe(false);
});
