// One entry of `outgoing.origins` in a tenant file: its type says which origin it is. A new origin adds its settings here and itself to
// the registry; nothing else lists them.
import * as z from 'zod';
import { erpSettings } from './erp/settings.js';
import { folderSettings } from './folder/settings.js';
import { hoursSettings } from './hours/settings.js';
import { httpSettings } from './http/settings.js';
import { receiptsSettings } from './receipts/settings.js';

export const originSettings = z.discriminatedUnion('type', [
  folderSettings,
  receiptsSettings,
  hoursSettings,
  httpSettings,
  erpSettings,
]);

export type OriginSettings = z.output<typeof originSettings>;
export type OriginType = OriginSettings['type'];
export type SettingsOf<Type extends OriginType> = Extract<OriginSettings, { readonly type: Type }>;
