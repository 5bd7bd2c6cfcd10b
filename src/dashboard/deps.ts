// What the dashboard stands on. It reads and acts only through these, exactly like the command line and the API.
import type { Clock } from '../domain/runtime.js';
import type { History } from '../operations/history.js';
import type { Operations, SpokenOperations } from '../operations/operations.js';
import type { OriginalsView } from '../operations/originals-view.js';
import type { TenantCards } from '../operations/tenant-card.js';
import type { IdentityProvider } from '../identity/identity-provider.js';
import type { GroupRule } from '../operations/users/external-sign-in.js';
import type { UserAccounts } from '../operations/users/user-accounts.js';
import type { Log } from '../telemetry/log.js';
import type { Queues } from '../worker/queues.js';

/** Where people sign in instead of here. */
export interface IdentityDoor {
  readonly provider: IdentityProvider;
  /** On the button. */
  readonly name: string;
  readonly rules: readonly GroupRule[];
  /** It asks everybody for a second factor. */
  readonly secondFactor: boolean;
  /** Whether accounts of the bridge still have passwords. */
  readonly passwords: boolean;
}

export interface DashboardDeps {
  /** In English, for what shows no text. */
  readonly operations: Operations;
  /** In the language of whoever reads the page. */
  readonly spoken: SpokenOperations;
  readonly users: UserAccounts;
  readonly tenants: TenantCards;
  readonly history: History;
  readonly originals: Pick<OriginalsView, 'list' | 'file'>;
  readonly queues: Pick<Queues, 'bull' | 'backend'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly version: string;
  /** Address people reach it under; null: the one it listens on. */
  readonly publicUrl: string | null;
  readonly identity: IdentityDoor | null;
  /** Tenant files may be changed from the inbox. */
  readonly filesEditable: boolean;
}
