// The traffic of every account that this process has clients of. Clients come and go with the tenant's file; what the account bears,
// and what its service asked for, stays. Another account in the file is another service, or another person's: it begins anew.
import type { RequestGate } from '../http/adaptive-gate.js';
import type { AccountShares, Load } from './account-shares.js';
import type { SourceServices } from './source-services.js';
import type { SourceSettings } from './source-settings.js';
import { Traffic } from './traffic.js';

export type TrafficOf = (
  settings: SourceSettings,
  services: Pick<SourceServices, 'tenantName' | 'runtime' | 'limits'>,
  gate: RequestGate,
) => Traffic;

export function accountTraffic(shares: AccountShares): TrafficOf {
  const known = new Map<string, { readonly account: string; readonly traffic: Traffic }>();
  return (settings, { tenantName, runtime, limits = {} }, gate) => {
    const account = accountOf(tenantName, settings);
    const before = known.get(tenantName);
    if (before?.account === account) {
      before.traffic.setLimits(limits);
      return before.traffic;
    }
    const share = (load: Load) => shares.of(account, load);
    const traffic = new Traffic({ runtime, limits, gate, share, origin: settings.baseUrl });
    known.set(tenantName, { account, traffic });
    return traffic;
  };
}

function accountOf(tenantName: string, { baseUrl, auth }: SourceSettings): string {
  return JSON.stringify([
    tenantName,
    baseUrl,
    auth.type,
    auth.type === 'credentials' ? auth.username : auth.clientId,
  ]);
}
