// A server that says Retry-After wants to hear nothing at all for that long, whoever in whichever process asks. Whoever makes
// a call says behind which gate its exchanges stand; the client asks the gate before each and tells it what the server wished.
import { AsyncLocalStorage } from 'node:async_hooks';

export interface RequestGate {
  /** How long nothing may leave; 0 when it may. */
  heldMs(): Promise<number>;
  /** The server asked for a pause. Done once the others can know of it. */
  hold(ms: number, why: string): Promise<void>;
}

const gates = new AsyncLocalStorage<RequestGate>();

export function behindGate<T>(gate: RequestGate, act: () => Promise<T>): Promise<T> {
  return gates.run(gate, act);
}

export function gateAtHand(): RequestGate | undefined {
  return gates.getStore();
}
