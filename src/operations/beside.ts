// What operations offer beside documents and tenants: periods, tokens, the other direction, and reports of the service.
import { type OnPeriods, onPeriods } from './closing/on-periods.js';
import type { OperationsDeps } from './deps.js';
import { type OnTokens, onTokens } from './tokens.js';
import { type OnReports, onReports } from './reports/service-report.js';
import { type OnOutgoing, onOutgoing } from './outgoing/on-outgoing.js';

export interface Beside extends OnPeriods, OnTokens, OnOutgoing, OnReports {}

export function beside(deps: OperationsDeps): Beside {
  return { ...onPeriods(deps), ...onTokens(deps), ...onOutgoing(deps), ...onReports(deps) };
}
