// The types of origins: a new one is a file beside this one, its settings in origin-settings.ts and one line here. Each is loaded by the
// first tenant that names it.
import type { CreateOrigin, OriginServices } from './origin-services.js';
import type { OriginSettings, OriginType } from './origin-settings.js';
import type { Origin } from './origin.js';

const IN_THE_BOX: { readonly [Type in OriginType]: () => Promise<CreateOrigin<Type>> } = {
  folder: async () => (await import('./folder/folder-origin.js')).createFolder,
  receipts: async () => (await import('./receipt-files.js')).createReceipts,
  erp: async () => (await import('./erp-origin.js')).createErp,
  hours: async () => {
    const { BillableHours } = await import('./billable-hours.js');
    return (settings, { tasks, clock }) => new BillableHours(settings.name, settings, tasks, clock);
  },
  http: async () => (await import('./inbox-origin.js')).createHttp,
};

export async function createOrigin(settings: OriginSettings, services: OriginServices): Promise<Origin> {
  const create = (await IN_THE_BOX[settings.type]()) as CreateOrigin<OriginType>;
  return create(settings, services);
}
