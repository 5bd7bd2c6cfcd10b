// What the routes share; below them all, so that a route imports no server.
import type { CookieRules } from './access/cookies.js';
import type { DashboardDeps } from './deps.js';
import type { Pulses } from './live/events.js';

/** What the routes share. What they read from comes with each request (access/within.ts). */
export interface RouteContext extends Omit<DashboardDeps, 'operations' | 'spoken' | 'history' | 'tenants'> {
  readonly pulse: Pick<Pulses, 'touch'>;
  readonly cookies: CookieRules;
  /** Version of the assets, in their addresses. */
  readonly assets: string;
}
