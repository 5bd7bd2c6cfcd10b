// The closing of periods, wired: its records, the key that signs, and where certificates lie.
import { join } from 'node:path';
import { signerOf } from './certificate/signing.js';
import { type Closing, createClosing } from './operations/closing/close-period.js';
import { createClosingStore } from './store/closing-store.js';
import type { Database } from './store/database.js';
import type { BridgeSettings } from './tenants/bridge-settings.js';
import type { Connections } from './worker/connections.js';
import { SYSTEM_RUNTIME } from './worker/system-runtime.js';

export function closingOf(
  { settings, version }: { readonly settings: BridgeSettings; readonly version: string },
  { prisma }: Pick<Database, 'prisma'>,
  connections: Connections,
): Closing {
  const { signingKey, dataDirectory } = settings;
  return createClosing({
    records: createClosingStore(prisma),
    connections,
    clock: SYSTEM_RUNTIME.clock,
    runtime: SYSTEM_RUNTIME,
    signer: signingKey === null ? null : signerOf(signingKey),
    directory: join(dataDirectory, 'certificates'),
    program: `ledgerbridge ${version}`,
  });
}
