import { describe, expect, it } from 'vitest';
import type { ErpAdapter } from '../../../src/erp/erp-adapter.js';
import { describeBookkeeping, differenceOf } from '../../../src/operations/description/description.js';
import { WORDS } from '../../../src/operations/description/words.js';
import type { TenantRules } from '../../../src/pipeline/mapping/rules.js';
import { readRules } from '../../../src/cli/map-rules.js';
import type { Tenant } from '../../../src/tenants/tenant.js';

const tenant = {
  ...{ name: 'hraun', title: 'Hraun ehf.', cutOver: '2026-01-01', paused: true, rulesVersion: 'v1' },
  rulesFiles: ['/srv/secret-place/default.yaml', '/srv/secret-place/hraun.yaml'],
  source: {
    environment: 'production',
    baseUrl: 'https://reikningar.example.is',
    auth: { type: 'credentials' },
  },
  schedule: { cron: '*/5 * * * *', timeZone: 'Atlantic/Reykjavik' },
  erp: { adapter: 'odoo', settings: {} },
  originals: { keep: true, attach: true },
} as unknown as Tenant;
const erp = { ledger: 'hraun-2026', capabilities: { lookUp: 'none' } } as unknown as ErpAdapter;

/** Every value that stands anywhere in the rules. */
function leavesOf(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [String(value)];
  return Object.values(value).flatMap(leavesOf);
}

function keysOf(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [key, ...keysOf(inner)]);
}

describe('the description of the bookkeeping', () => {
  it('says that the documents of a day are one entry, only where they are', async () => {
    const rules: TenantRules = await readRules('default', '.');
    const daily = { ...rules, summary: { invoices: 'daily', closesAfterHours: 18 } as const };
    const told = (language: 'en' | 'is', by: TenantRules) =>
      describeBookkeeping(language, tenant, { rules: by, erp });
    expect(told('en', daily)).toContain('7. The invoices of a day are one entry');
    expect(told('is', daily)).toContain('7. Reikningar hvers dags eru ein færsla');
    expect(told('is', daily)).toContain('18 klst.');
    expect(told('en', rules)).not.toContain('of a day are one entry');
  });

  it.each(['en', 'is'] as const)('names every rule and every account in force (%s)', async (language) => {
    const rules: TenantRules = await readRules('default', '.');
    const text = describeBookkeeping(language, tenant, { rules, erp });
    const lines = text.split('\n').filter((line) => line.includes(' › '));
    for (const leaf of leavesOf(rules))
      expect(
        lines.some((line) => line.endsWith(`: ${leaf}`)),
        leaf,
      ).toBe(true);
    for (const key of keysOf(rules)) expect(text).toContain(key);
  });

  it('shows a name as text, also to a viewer of Markdown that takes HTML', async () => {
    const rules = await readRules('default', '.');
    const named = { ...tenant, title: '<img src=x onerror=alert(1)> R&D ehf.' };
    const text = describeBookkeeping('en', named, { rules, erp });
    expect(text).toContain('&lt;img src=x onerror=alert(1)> R&amp;D ehf.');
    expect(text).not.toContain('<');
  });

  it('says what is in force and nothing about the machine', async () => {
    const rules = await readRules('default', '.');
    const text = describeBookkeeping('is', tenant, { rules, erp });
    for (const said of [
      'Hraun ehf.',
      'hraun-2026',
      '2026-01-01',
      '*/5 * * * *',
      'odoo',
      WORDS.is.paused,
      WORDS.is.lookUp.none,
    ])
      expect(text).toContain(said);
    expect(text).not.toContain('/srv/');
  });

  it('changes by exactly the lines of what changed', async () => {
    const rules = await readRules('default', '.');
    const other = { ...rules, accounts: { ...rules.accounts, receivable: '7999' } };
    const [before, after] = [rules, other].map((each) =>
      describeBookkeeping('en', tenant, { rules: each, erp }),
    );
    expect(differenceOf(before!, after!)).toEqual([
      '- - accounts › receivable: 1500',
      '+ - accounts › receivable: 7999',
    ]);
    expect(differenceOf(before!, before!)).toEqual([]);
  });
});
