// So many requests from one address in a while, then none until the while is over. Kept in memory and bounded: an attacker
// with many addresses meets the lock on the account instead.
import { networkOf } from '../../http/allowed-addresses.js';
import type { Language } from '../../language/say.js';
import { confineCards, confineHistory } from '../../operations/access/confine.js';
import type { History } from '../../operations/history.js';
import type { Operations } from '../../operations/operations.js';
import type { TenantCards } from '../../operations/tenant-card.js';
import type { SignedIn } from '../../operations/users/user-accounts.js';
import type { DashboardDeps } from '../deps.js';
import type { Pulse, Pulses } from '../live/events.js';

export interface Throttle {
  /** false: too many. */
  allows(address: string, nowMs: number): boolean;
}

const ADDRESSES_MAX = 10_000;

export function createThrottle({ max, windowMs }: { max: number; windowMs: number }): Throttle {
  const seen = new Map<string, { count: number; until: number }>();
  return {
    allows: (from, nowMs) => {
      const address = networkOf(from);
      const known = seen.get(address);
      if (known && known.until > nowMs) {
        known.count += 1;
        return known.count <= max;
      }
      seen.delete(address);
      seen.set(address, { count: 1, until: nowMs + windowMs });
      for (const oldest of seen.keys()) {
        if (seen.size <= ADDRESSES_MAX) break;
        seen.delete(oldest);
      }
      return true;
    },
  };
}

// What somebody who is signed in stands on, in their language: everything, or what is left of it for their companies. Routes get it with the
// request and have nothing else to read from, so that none can forget who asks.

export interface Within {
  readonly operations: Operations;
  readonly history: History;
  readonly tenants: TenantCards;
  readonly pulse: Pulse;
}

declare module 'fastify' {
  interface FastifyRequest {
    within: Within;
  }
}

export function withinReach(
  deps: DashboardDeps,
  pulses: Pulses,
  { reach, login }: SignedIn,
  language: Language,
): Within {
  const { history, tenants } = deps;
  const reader = { actor: login, by: { by: 'dashboard' } };
  const operations = deps.spoken[language];
  const pulse = pulses.of(reach, language);
  if (reach === null) return { operations: operations.readBy(reader), history, tenants, pulse };
  return {
    operations: operations.within(reach).readBy(reader),
    history: confineHistory(history, reach),
    tenants: confineCards(tenants, reach),
    pulse,
  };
}
