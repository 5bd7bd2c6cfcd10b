// The origins of a tenant, made from its file.
import { dirname } from 'node:path';
import type { Secret } from '../domain/secret.js';
import type { SecretReference } from '../domain/secret-reference.js';
import type { ErpServices } from '../erp/erp-adapter.js';
import type { InvoicingTarget } from '../invoicing/invoicing-target.js';
import { coded } from '../language/coded.js';
import { message, saidBy } from '../language/messages.js';
import type { Inbox } from '../origins/http/inbox.js';
import type { BillableTask, TaskSource } from '../origins/hours/billable-hours.js';
import type { Origin } from '../origins/origin.js';
import type { OriginServices } from '../origins/origin-services.js';
import { createOrigin } from '../origins/registry.js';
import type { Tenant, TenantOutgoing } from '../tenants/tenant.js';
import { SYSTEM_RUNTIME } from '../worker/system-runtime.js';

export interface OriginEnds {
  erpServices(tenant: Tenant): ErpServices;
  secret(tenant: Tenant, reference: SecretReference): Secret;
  inbox(tenantName: string, origin: string): Inbox;
}

export function originsOf(
  tenant: Tenant,
  { origins }: TenantOutgoing,
  target: InvoicingTarget,
  ends: OriginEnds,
): Promise<readonly Origin[]> {
  const services: OriginServices = {
    tenantName: tenant.name,
    clock: SYSTEM_RUNTIME.clock,
    configDirectory: dirname(tenant.file),
    secret: (reference) => ends.secret(tenant, reference),
    tasks: taskSource(target),
    inbox: (origin) => ends.inbox(tenant.name, origin),
    erp: { ...tenant.erp, services: () => ends.erpServices(tenant) },
  };
  return Promise.all(origins.map((origin) => createOrigin(origin, services)));
}

/** Bills that leave one after the other are held against one list. */
const TASKS_KEPT_MS = 60_000;

export function taskSource(target: Pick<InvoicingTarget, 'listTasksToBill' | 'endTask'>): TaskSource {
  let kept: { readonly at: number; readonly tasks: readonly BillableTask[] } | null = null;
  const { clock } = SYSTEM_RUNTIME;
  return {
    tasks: async (how) => {
      const at = clock.now().getTime();
      if (how === 'lately' && kept !== null && at - kept.at < TASKS_KEPT_MS) return kept.tasks;
      const listed = await target.listTasksToBill();
      // What is not listed would count as taken away: the next look may see it whole.
      if (listed.outcome === 'incomplete')
        throw coded('SOURCE_UNAVAILABLE', message('TASKS_NOT_LISTED', { why: saidBy(listed) }));
      // What is about to leave is not held against the list that it was made of.
      kept = how === 'lately' ? { at, tasks: listed.found } : null;
      return listed.found;
    },
    end: (guid) => target.endTask(guid),
  };
}
