// The list of adapters in the box: a new one is one folder beside this file and one line here. Others come from packages (plugins.ts).
// Each is loaded by the first tenant that names it.
import { CodedError } from '../domain/errors/coded-error.js';
import type { ErpAdapterDefinition, ErpReference } from './erp-adapter.js';
import { loadedPlugin } from './plugins.js';

const IN_THE_BOX: Readonly<Record<string, () => Promise<ErpAdapterDefinition>>> = {
  file: async () => (await import('./file/index.js')).fileAdapter,
  dkplus: async () => (await import('./dkplus/index.js')).dkPlusAdapter,
  'business-central': async () => (await import('./business-central/index.js')).businessCentralAdapter,
  odoo: async () => (await import('./odoo/index.js')).odooAdapter,
  tryton: async () => (await import('./tryton/index.js')).trytonAdapter,
  xero: async () => (await import('./xero/index.js')).xeroAdapter,
  uniconta: async () => (await import('./uniconta/index.js')).unicontaAdapter,
  http: async () => (await import('./http/index.js')).httpAdapter,
};

export const ERP_ADAPTER_NAMES: readonly string[] = Object.keys(IN_THE_BOX);

export function allErpAdapters(): Promise<readonly ErpAdapterDefinition[]> {
  return Promise.all(ERP_ADAPTER_NAMES.map(erpAdapter));
}

/** Of a package only what a tenant file has named before. */
export async function erpAdapter(name: string): Promise<ErpAdapterDefinition> {
  const found = (await adapterInTheBox(name)) ?? loadedPlugin(name);
  if (found) return found;
  throw new CodedError(
    'ERP_ADAPTER_UNKNOWN',
    `There is no ERP adapter "${name}". Known: ${ERP_ADAPTER_NAMES.join(', ')}.`,
  );
}

export async function adapterInTheBox(name: string): Promise<ErpAdapterDefinition | null> {
  return Object.hasOwn(IN_THE_BOX, name) ? ((await IN_THE_BOX[name]?.()) ?? null) : null;
}

// Where a person sees an entry: a link made from the settings alone, so that nobody has to be asked or signed in for it.
/** The settings are those of a loaded tenant: already accepted by the adapter's own schema. */
export async function findEntryUrl(
  { adapter, settings }: { readonly adapter: string; readonly settings: unknown },
  reference: ErpReference,
): Promise<string | null> {
  const definition = await adapterInTheBox(adapter);
  return definition?.entryUrl?.(settings, reference) ?? null;
}
