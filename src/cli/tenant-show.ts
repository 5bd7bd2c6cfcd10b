// `ledgerbridge tenant show`: what is in force. A file of its own, so that only this command loads YAML: imported on the spot
// from a library in CommonJS, the bundle would hand over a default export and nothing else.
import { stringify } from 'yaml';
import { describeTenant } from '../tenants/describe-tenant.js';
import type { Tenant } from '../tenants/tenant.js';
import { answer } from './answer.js';
import type { CliIo } from './command.js';
import type { TenantOptions } from './tenant-files.js';

export interface ShowOptions extends TenantOptions {
  readonly rules?: boolean;
}

export function showTenant(io: CliIo, tenant: Tenant, options: ShowOptions): void {
  const described = describeTenant(tenant, io.env);
  const shown = options.rules
    ? { ...described, rules: { ...described.rules, effective: tenant.rules } }
    : described;
  answer(io, options, shown, () => stringify(shown, { lineWidth: 110 }));
}
