// The list of adapters in the box: a new one is one folder beside this file and one line here. Others come from packages (plugins.ts).
import { CodedError } from '../domain/errors/coded-error.js';
import { businessCentralAdapter } from './business-central/index.js';
import { dkPlusAdapter } from './dkplus/index.js';
import type { ErpAdapterDefinition } from './erp-adapter.js';
import { fileAdapter } from './file/index.js';
import { httpAdapter } from './http/index.js';
import { odooAdapter } from './odoo/index.js';
import { loadedPlugin } from './plugins.js';
import { trytonAdapter } from './tryton/index.js';
import { xeroAdapter } from './xero/index.js';

export const ERP_ADAPTERS: readonly ErpAdapterDefinition[] = [
  fileAdapter,
  dkPlusAdapter,
  businessCentralAdapter,
  odooAdapter,
  trytonAdapter,
  xeroAdapter,
  httpAdapter,
];

export function erpAdapter(name: string): ErpAdapterDefinition {
  const found = ERP_ADAPTERS.find((definition) => definition.name === name) ?? loadedPlugin(name);
  if (found) return found;
  const names = ERP_ADAPTERS.map((definition) => definition.name).join(', ');
  throw new CodedError('ERP_ADAPTER_UNKNOWN', `There is no ERP adapter "${name}". Known: ${names}.`);
}
