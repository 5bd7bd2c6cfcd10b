// How much of the other direction waits for a person: in the frame of every page, and live.
import type { Overview } from '../../operations/views/overview.js';

/** Records of all companies, on their way into the service, that wait for a person. */
export function outgoingNeedsYou(overview: Overview | null): number {
  return overview?.tenants.reduce((sum, { outgoing }) => sum + outgoing.needsYou, 0) ?? 0;
}
