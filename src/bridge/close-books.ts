// The closing of periods, wired: its records, the key that signs, and where certificates lie.
import { join } from 'node:path';
import { signerOf } from '../certificate/signing.js';
import { createClosing } from '../operations/closing/close-period.js';
import type { Closing } from '../operations/closing/closing.js';
import type { OperationsDeps } from '../operations/deps.js';
import { rehearse } from '../operations/rehearsal/rehearse.js';
import { createClosingStore, createRehearsalReader } from '../store/closing-store.js';
import type { Records } from '../store/database.js';
import type { TenantConnector } from './connect-tenant.js';
import { outgoingOf } from './open-outgoing.js';
import type { BridgeSettings } from '../tenants/bridge-settings.js';
import type { Connections } from '../worker/connections.js';
import { SYSTEM_RUNTIME } from '../worker/schedules.js';

export function closingOf(
  { settings, version }: { readonly settings: BridgeSettings; readonly version: string },
  database: Records,
  connections: Connections,
): Closing {
  const { signingKey, dataDirectory } = settings;
  return createClosing({
    records: createClosingStore(database),
    connections,
    clock: SYSTEM_RUNTIME.clock,
    runtime: SYSTEM_RUNTIME,
    signer: signingKey === null ? null : signerOf(signingKey),
    directory: join(dataDirectory, 'certificates'),
    program: `ledgerbridge ${version}`,
  });
}

/** What a bridge that serves people has of it. */
export function booksOf(
  options: { readonly settings: BridgeSettings; readonly version: string },
  database: Records,
  connections: Connections,
  connector: Pick<TenantConnector, 'reports'>,
): Pick<OperationsDeps, 'closing' | 'rehearse' | 'outgoing'> {
  const records = createRehearsalReader(database.db);
  return {
    closing: closingOf(options, database, connections),
    outgoing: outgoingOf(database, connections, connector),
    rehearse: (tenant, asked) => rehearse({ records, connections }, tenant, asked),
  };
}
