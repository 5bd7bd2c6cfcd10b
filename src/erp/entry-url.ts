// Where a person sees an entry: a link made from the settings alone, so that nobody has to be asked or signed in for it.
import type { ErpReference } from './erp-adapter.js';
import { adapterInTheBox } from './registry.js';

/** The settings are those of a loaded tenant: already accepted by the adapter's own schema. */
export async function findEntryUrl(
  { adapter, settings }: { readonly adapter: string; readonly settings: unknown },
  reference: ErpReference,
): Promise<string | null> {
  const definition = await adapterInTheBox(adapter);
  return definition?.entryUrl?.(settings, reference) ?? null;
}
