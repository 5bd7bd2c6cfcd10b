// Documents that are ready are put together: a posting of its own a day and kind, worked on like a document.
import { postingKey } from '../../domain/posting-key.js';
import { summaryGuid, type SummaryName, summaryNumber } from '../mapping/summarise.js';
import type { TenantContext } from '../tenant-context.js';
import type { NewSummary, SummaryStore } from './records.js';

export interface SummaryStage {
  readonly store: SummaryStore;
}

/** In one look; the next tick brings the others. */
const AT_ONCE = 100;

/** How many were begun. */
export async function beginSummaries({ store }: SummaryStage, tenant: TenantContext): Promise<number> {
  const ready = await store.ready(tenant.name, AT_ONCE);
  return ready.length === 0
    ? 0
    : store.begin(
        tenant.name,
        ready.map((summary) => newSummary(tenant, summary)),
      );
}

function newSummary({ environment, sourceAccount, erp }: TenantContext, name: SummaryName): NewSummary {
  const { kind, day, serial } = name;
  const guid = summaryGuid(name);
  const identity = { environment, sourceAccount, kind: 'summary', guid, ledger: erp.ledger } as const;
  return { kind, day, serial, key: postingKey({ ...identity, generation: 0 }), number: summaryNumber(name) };
}
