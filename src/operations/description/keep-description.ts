// Keeps descriptions in the audit: each that differs from the one before, whole, with who kept it and why.
import type { TenantName } from '../../domain/ids.js';
import type { Language } from '../../language/say.js';
import { type Act, checkedAct } from '../act.js';
import type { ConnectedTenants } from '../deps.js';
import { unknownTenant } from '../known-tenant.js';
import { describeBookkeeping, differenceOf } from './description.js';

export interface DescriptionRecords {
  /** The one kept last in this language; null: none. */
  last(tenant: TenantName, language: Language): Promise<string | null>;
  keep(tenant: TenantName, language: Language, text: string, act: Act): Promise<void>;
}

export interface Descriptions {
  text(tenant: TenantName, language: Language): Promise<string>;
  keep(
    tenant: TenantName,
    language: Language,
    act: Act,
  ): Promise<{ readonly kept: boolean; readonly changes: readonly string[] }>;
}

export function createDescriptions(records: DescriptionRecords, connections: ConnectedTenants): Descriptions {
  const text = async (name: string, language: Language) => {
    const tenant = connections.tenant(name);
    if (!tenant) throw unknownTenant(name, connections.names());
    return describeBookkeeping(language, tenant, await connections.get(name));
  };
  return {
    text,
    keep: async (name, language, act) => {
      const checked = checkedAct(act);
      const now = await text(name, language);
      const before = (await records.last(name, language)) ?? '';
      const changes = differenceOf(before, now);
      if (changes.length === 0) return { kept: false, changes };
      await records.keep(name, language, now, checked);
      return { kept: true, changes };
    },
  };
}
