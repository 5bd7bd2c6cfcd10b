import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { tenantOutgoing } from '../../../src/tenants/outgoing-schema.js';

const origin = (name: string, more: string) => `{ name: ${name}, type: erp, since: 2026-11-01, ${more} }`;
const issues = (...origins: readonly string[]) =>
  tenantOutgoing.safeParse({ origins: origins.map((text) => parse(text) as unknown) }).error?.issues ?? [];

test.each([
  ['hands: [orders, invoices]'],
  ['hands: [customers, quotes, invoices], quotes: order'],
  ['hands: [orders, quotes], quotes: draft'],
])('a sale that would go out twice is refused: %s', (more) => {
  expect(issues(origin('a', more))).toMatchObject([{ path: ['origins', 0, 'hands'] }]);
});

test('also where two origins of the one ERP hand over one each, at the second', () => {
  const two = issues(origin('a', 'hands: [orders]'), origin('b', 'hands: [invoices]'));
  expect(two).toMatchObject([{ path: ['origins', 1, 'hands'] }]);
});

test.each(['hands: [invoices, quotes, customers]', 'hands: [orders, quotes]', 'hands: [orders]'])(
  'a sale that goes out once is not: %s',
  (more) => {
    expect(issues(origin('a', more))).toEqual([]);
  },
);

test('a folder beside an ERP is another place', () => {
  const folder = '{ name: b, type: folder, directory: b, orders: invoice }';
  expect(issues(origin('a', 'hands: [invoices]'), folder)).toEqual([]);
});
