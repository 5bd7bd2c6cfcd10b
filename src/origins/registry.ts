// The list of origins in the box: a new one is one folder beside this file, its settings in origin-settings.ts and one line here. Each
// is loaded by the first tenant that names it.
import type { CreateOrigin, OriginServices } from './origin-services.js';
import type { OriginSettings, OriginType } from './origin-settings.js';
import type { Origin } from './origin.js';

const IN_THE_BOX: { readonly [Type in OriginType]: () => Promise<CreateOrigin<Type>> } = {
  folder: async () => (await import('./folder/index.js')).createFolder,
  receipts: async () => (await import('./receipts/index.js')).createReceipts,
  erp: async () => (await import('./erp/index.js')).createErp,
  hours: async () => (await import('./hours/index.js')).createHours,
  http: async () => (await import('./http/index.js')).createHttp,
};

export async function createOrigin(settings: OriginSettings, services: OriginServices): Promise<Origin> {
  const create = (await IN_THE_BOX[settings.type]()) as CreateOrigin<OriginType>;
  return create(settings, services);
}
