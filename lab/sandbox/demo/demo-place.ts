// Where the demo keeps everything, made ready while the rest of its code is still being read: the files of the embedded
// database are made by another program, which takes longer than anything else in a first start.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ensureCluster } from '../../../src/store/embedded/cluster.js';
import type { BridgeSettings } from '../../../src/tenants/bridge-settings.js';

export function demoDirectory({ dataDirectory }: BridgeSettings): string {
  return join(dataDirectory, 'demo');
}

export function demoRecords(directory: string): string {
  return join(directory, 'data');
}

export async function prepareDemo(settings: BridgeSettings, reset: boolean): Promise<void> {
  const directory = demoDirectory(settings);
  if (reset) await rm(directory, { recursive: true, force: true });
  if (settings.databaseUrl !== null) return;
  // The bridge waits for the same, and says what is wrong if it fails.
  ensureCluster(demoRecords(directory), { durable: true }).catch(() => undefined);
}
