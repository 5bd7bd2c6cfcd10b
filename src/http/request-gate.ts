// A server that says Retry-After wants to hear nothing at all for that long, whoever in whichever process asks. A client that is
// given a gate asks it before each exchange and tells it what the server wished.
export interface RequestGate {
  /** How long nothing may leave; 0 when it may. */
  heldMs(): Promise<number>;
  /** The server asked for a pause. Done once the others can know of it. */
  hold(ms: number, why: string): Promise<void>;
}
