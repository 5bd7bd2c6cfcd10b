// Connections belong to the process, not to a tenant: hundreds of companies talk to the same service, and a socket for each would
// be opened, greeted and forgotten again for a few calls. Kept while a client is open.
import type { Agent } from 'undici';
import { lookUpAllowed } from './allowed-addresses.js';

/** To one origin, by all clients together. */
const CONNECTIONS_MAX = 256;

interface Shared {
  readonly agent: Promise<Agent>;
  holders: number;
}

const agents = new Map<number, Shared>();

export interface HeldAgent {
  readonly agent: Agent;
  release(): Promise<void>;
}

/** With the first request: who only reads a tenant's settings never loads what carries requests. */
export async function holdAgent(connectTimeoutMs: number): Promise<HeldAgent> {
  const shared = agents.get(connectTimeoutMs) ?? { agent: openAgent(connectTimeoutMs), holders: 0 };
  agents.set(connectTimeoutMs, shared);
  shared.holders++;
  const agent = await shared.agent;
  let held = true;
  const release = async () => {
    if (!held) return;
    held = false;
    shared.holders--;
    if (shared.holders > 0) return;
    if (agents.get(connectTimeoutMs) === shared) agents.delete(connectTimeoutMs);
    await agent.destroy();
  };
  return { agent, release };
}

async function openAgent(connectTimeoutMs: number): Promise<Agent> {
  // By its default: a bundle has no other name of a CommonJS module that is loaded late.
  const { default: undici } = await import('undici');
  return new undici.Agent({
    connections: CONNECTIONS_MAX,
    pipelining: 1,
    connect: { timeout: connectTimeoutMs, lookup: lookUpAllowed },
  });
}
