// A tenant whose books are in a Tryton of the test.
import type { AccountOptions } from '../../../lab/sandbox/options.js';
import type { TenantSpec } from '../bridge-bed.js';
import { TRYTON_COMPANY } from './tryton-company.js';
import { TRYTON_DATABASE, TRYTON_USER, type TrytonServer } from './tryton-server.js';

/** An account at the service that has nothing yet. */
export const TRYTON_ACCOUNT = {
  username: 'hraun',
  invoices: 0,
  costs: 0,
  seed: 'tryton',
  difficulty: 'tidy',
} as const satisfies AccountOptions;

/** The bed's environment says TRYTON_PASSWORD. */
export function trytonTenant(
  { url }: TrytonServer,
  settings: Record<string, unknown>,
  more: Record<string, unknown> = {},
): TenantSpec {
  const place = { baseUrl: url, database: TRYTON_DATABASE, user: TRYTON_USER };
  const company = { password: 'env:TRYTON_PASSWORD', company: TRYTON_COMPANY.kennitala };
  return {
    ...{ name: TRYTON_ACCOUNT.username, account: TRYTON_ACCOUNT.username },
    erp: { adapter: 'tryton', settings: { ...place, ...company, ...settings } },
    more: { cutOver: '2026-01-01', ...more },
  };
}
