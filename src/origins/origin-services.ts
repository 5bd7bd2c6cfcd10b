// What the bridge lends to an origin, and how one is made from its settings.
import type { Clock } from '../domain/runtime.js';
import type { Secret } from '../domain/secret.js';
import type { SecretReference } from '../domain/secret-reference.js';
import type { Inbox } from './inbox.js';
import type { TaskSource } from './billable-hours.js';
import type { ErpRecords } from './erp-records.js';
import type { ErpOriginSettings, OriginType, SettingsOf } from './origin-settings.js';
import type { Origin } from './origin.js';

export interface OriginServices {
  readonly tenantName: string;
  readonly clock: Clock;
  /** Where the tenant file is: relative paths in settings start here. */
  readonly configDirectory: string;
  secret(reference: SecretReference): Secret;
  /** Tasks and hours that stand at the service. */
  readonly tasks: TaskSource;
  /** What came over HTTP for the origin of that name. */
  inbox(origin: string): Inbox;
  /** What the ERP of the tenant hands over. */
  erp(settings: ErpOriginSettings): Promise<ErpRecords>;
}

export type CreateOrigin<Type extends OriginType> = (
  settings: SettingsOf<Type>,
  services: OriginServices,
) => Origin | Promise<Origin>;
