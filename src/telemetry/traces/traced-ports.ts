// The ports of the pipeline with their calls as spans. Each wrapper hands everything through unchanged.
import type { TenantName } from '../../domain/ids.js';
import { connect, type ErpHook } from '../../erp/connect.js';
import type { ErpAdapter } from '../../erp/erp-adapter.js';
import type { InvoicingSource } from '../../service/invoicing-source.js';
import type { PostingStore } from '../../sync/posting-records.js';
import type { DispatchStore } from '../../store/dispatch-store.js';
import type { Tenant } from '../../tenants/tenant.js';
import { codeOf, type DocumentTraces } from './document-traces.js';

interface Connector {
  source(tenant: Tenant): InvoicingSource;
  erp(tenant: Tenant): Promise<ErpAdapter>;
}

export function traceConnector<Made extends Connector>(connector: Made, traces: DocumentTraces | null): Made {
  if (traces === null) return connector;
  return {
    ...connector,
    source: (tenant) => traceSource(connector.source(tenant), tenant.name, traces),
    erp: async (tenant) => traceErp(await connector.erp(tenant), tenant, traces),
  };
}

function traceSource(source: InvoicingSource, tenant: TenantName, traces: DocumentTraces): InvoicingSource {
  const about = (name: string, key: string) => ({ tenant, name: `source ${name}`, system: 'source', key });
  return {
    hello: () => source.hello(),
    list: (query, page) => source.list(query, page),
    count: (query) => source.count(query),
    get: (kind, guid) => traces.call(about('get', guid), () => source.get(kind, guid)),
    updateStatus: (kind, guid, status, message) =>
      traces.call(about('update-status', guid), () => source.updateStatus(kind, guid, status, message)),
    moveCostToNew: (guid) => source.moveCostToNew(guid),
    customer: (guid) => source.customer(guid),
    item: (guid) => source.item(guid),
    originals: (kind, guid) => traces.call(about('originals', guid), () => source.originals(kind, guid)),
    close: () => source.close(),
  };
}

/** Calls about one document; others belong to no trace. */
function traceErp(erp: ErpAdapter, tenant: Tenant, traces: DocumentTraces): ErpAdapter {
  const system = tenant.erp.adapter;
  const span: ErpHook = {
    around: (call, act, key) =>
      key === undefined ? act() : traces.call({ tenant: tenant.name, name: `erp ${call}`, system, key }, act),
  };
  return connect(erp, [span]);
}

export function traceDispatch(dispatch: DispatchStore, traces: DocumentTraces | null): DispatchStore {
  if (traces === null) return dispatch;
  return {
    ...dispatch,
    claim: async (turn, most, owner, leaseMs) => {
      const claims = await dispatch.claim(turn, most, owner, leaseMs);
      traces.begun(claims);
      return claims;
    },
  };
}

export function tracePostings(store: PostingStore, traces: DocumentTraces | null): PostingStore {
  if (traces === null) return store;
  return {
    ...store,
    commit: async (claim, change) => {
      const startedAt = Date.now();
      try {
        const committed = await store.commit(claim, change);
        traces.committed(claim, change, startedAt);
        return committed;
      } catch (error) {
        traces.lost(claim, codeOf(error));
        throw error;
      }
    },
  };
}
