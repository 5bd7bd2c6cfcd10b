// What the routes share; below them all, so that a route imports no server.
import type { CookieRules } from './access/cookies.js';
import type { DashboardDeps } from './deps.js';
import type { Pulse } from './live/pulse.js';

/** What the routes share. */
export interface Rooms extends DashboardDeps {
  readonly pulse: Pulse;
  readonly cookies: CookieRules;
  /** Version of the assets, in their addresses. */
  readonly assets: string;
}
