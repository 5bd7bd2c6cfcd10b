// Breakers that hear nothing once this process has closed its connections: what was cut off by us says nothing about the
// other side, and the next process must not begin with a breaker that we opened by leaving.
import type { BreakerStore } from '../sync/posting-records.js';

export function quietWhen(isClosed: () => boolean, breakers: BreakerStore): BreakerStore {
  return {
    succeeded: (tenantName, side) => breakers.succeeded(tenantName, side),
    failed: async (...told) => {
      if (!isClosed()) await breakers.failed(...told);
    },
    refused: async (...told) => {
      if (!isClosed()) await breakers.refused(...told);
    },
  };
}
