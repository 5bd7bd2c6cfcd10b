// What is carried beside the posting, never before it: originals to their entries, and the other direction.
import {
  carryOutgoing,
  type CarryOutgoingOptions,
  keepOriginals,
  type KeepOriginalsOptions,
} from './carry-outgoing.js';
import type { TenantConnector } from './connect-tenant.js';
import type { TellEvent } from '../domain/bridge-event.js';
import type { Database } from '../store/database.js';
import type { Workshop } from '../worker/handlers.js';

interface Parts {
  readonly connector: Pick<TenantConnector, 'target' | 'secret' | 'erpServices'>;
  readonly tell: TellEvent;
  readonly onError: (error: unknown) => void;
}

export function carryBeside(
  options: KeepOriginalsOptions & CarryOutgoingOptions,
  database: Database,
  { owner, connections, breakers }: Pick<Workshop, 'owner' | 'connections' | 'breakers'>,
  { connector, tell, onError }: Parts,
): { stop(): Promise<void> } {
  const originals = keepOriginals(options, database, connections, { owner, onError });
  const outgoing = carryOutgoing(options, database, connections, {
    owner,
    breakers,
    connector,
    tell,
    onError,
  });
  return {
    stop: async () => {
      await Promise.all([originals.stop(), outgoing.stop()]);
    },
  };
}
