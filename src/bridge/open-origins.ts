// The origins of a tenant, made from its file.
import { dirname, resolve } from 'node:path';
import type { InvoicingTarget } from '../invoicing/invoicing-target.js';
import { coded } from '../language/coded.js';
import { message, saidBy } from '../language/messages.js';
import { FolderOrigin } from '../origins/folder/folder-origin.js';
import { recordFiles } from '../origins/folder/record-files.js';
import { BillableHours, type TaskSource } from '../origins/hours/billable-hours.js';
import type { Origin } from '../origins/origin.js';
import { receiptFiles } from '../origins/receipts/receipt-files.js';
import type { Tenant, TenantOrigin, TenantOutgoing } from '../tenants/tenant.js';
import { SYSTEM_RUNTIME } from '../worker/system-runtime.js';

export function originsOf(
  tenant: Tenant,
  { origins }: TenantOutgoing,
  target: InvoicingTarget,
): readonly Origin[] {
  return origins.map((origin) => originOf(tenant, origin, target));
}

function originOf(tenant: Tenant, origin: TenantOrigin, target: InvoicingTarget): Origin {
  const { clock } = SYSTEM_RUNTIME;
  switch (origin.type) {
    case 'hours':
      return new BillableHours(origin.name, origin, taskSource(target), clock);
    case 'folder':
      return new FolderOrigin(origin.name, folderOf(tenant, origin), recordFiles(origin.orders), clock);
    case 'receipts':
      return new FolderOrigin(origin.name, folderOf(tenant, origin), receiptFiles(origin.details), clock);
  }
}

function folderOf({ file }: Tenant, origin: { readonly directory: string; readonly stableSeconds: number }) {
  const { directory, stableSeconds } = origin;
  return { directory: resolve(dirname(file), directory), stableMs: stableSeconds * 1_000 };
}

export function taskSource(target: Pick<InvoicingTarget, 'listTasks' | 'endTask'>): TaskSource {
  return {
    tasks: async () => {
      const listed = await target.listTasks();
      if (listed.outcome === 'complete') return listed.found;
      // What is not listed would count as taken away: the next look may see it whole.
      throw coded('SOURCE_UNAVAILABLE', message('TASKS_NOT_LISTED', { why: saidBy(listed) }));
    },
    end: (guid) => target.endTask(guid),
  };
}
