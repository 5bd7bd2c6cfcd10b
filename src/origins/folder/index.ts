// A watched folder of CSV, JSON lines and UBL orders, as a tenant file names it.
import { resolve } from 'node:path';
import type { CreateOrigin, OriginServices } from '../origin-services.js';
import { FolderOrigin, type FolderSettings } from './folder-origin.js';
import { recordFiles } from './record-files.js';

export const createFolder: CreateOrigin<'folder'> = (settings, services) => {
  const { name, orders, kinds, embedded } = settings;
  const reader = recordFiles(orders, kinds, embedded);
  return new FolderOrigin(name, placeOf(settings, services), reader, services.clock);
};

export function placeOf(
  { directory, stableSeconds }: { readonly directory: string; readonly stableSeconds: number },
  { configDirectory }: Pick<OriginServices, 'configDirectory'>,
): FolderSettings {
  return { directory: resolve(configDirectory, directory), stableMs: stableSeconds * 1_000 };
}
