import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { tenantFile } from '../../../src/tenants/tenant-schema.js';
import { GOOD } from './tenant-directory.js';

/** The problems of a file whose ERP hands over like this. */
const issues = (adapter: string, more: string) => {
  const origin: unknown = parse(`{ name: erp, type: erp, since: 2026-11-01, ${more} }`);
  const file = {
    ...(parse(GOOD) as object),
    erp: { adapter, settings: {} },
    outgoing: { origins: [origin] },
  };
  return tenantFile.safeParse(file).error?.issues ?? [];
};

test.each([
  ['items of Business Central of which nobody says the VAT', 'business-central', 'hands: [items]'],
  ['groups that nothing is read by', 'business-central', 'hands: [customers], vatGroups: { VSK24: S }'],
  ['groups for another ERP', 'odoo', 'hands: [items], vatGroups: { VSK24: S }'],
])('are a problem of the file: %s', (_what, adapter, more) => {
  expect(issues(adapter, more)).toMatchObject([{ path: ['outgoing', 'origins', 0, 'vatGroups'] }]);
});

test.each([
  ['business-central', 'hands: [items], vatGroups: { VSK24: S, VSK11: AA }'],
  ['business-central', 'hands: [customers, invoices]'],
  ['odoo', 'hands: [items]'],
])('are none with %s and %s', (adapter, more) => {
  expect(issues(adapter, more)).toEqual([]);
});
