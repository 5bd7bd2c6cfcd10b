// So many requests from one address in a while, then none until the while is over. Kept in memory and bounded: an attacker
// with many addresses meets the lock on the account instead.
import { networkOf } from '../../http/allowed-addresses.js';

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
