// A second tenant on the same bridge: its own account, books and records, the same processes and queues. Once the faults are over it
// hands over more than anybody can work off at once, to an ERP that takes its time; the first tenant's few documents must not wait for it.
import type { Stage } from '../../src/sync/turns.js';
import { MemoryRecords, type PostingRow, type StoreFlaws } from './memory-records.js';
import { crowdIn } from './people.js';
import { type ErpFlaws, SimulatedLedger } from './simulated-ledger.js';
import { SimulatedService } from './simulated-source.js';
import { MINUTE_MS, type World } from './world.js';

const NEIGHBOUR = { name: 'granni', account: '4101212040' };
const CROWD = 90;
/** Breakers have closed by then. */
const CALM_MS = 20 * MINUTE_MS;
export const CROWDED_MS = 60 * MINUTE_MS;

export function neighbourOf(world: World, store: StoreFlaws, erpFlaws: ErpFlaws): World {
  const { kernel } = world;
  const records = new MemoryRecords(kernel, store, NEIGHBOUR);
  const service = new SimulatedService(kernel, {}, NEIGHBOUR);
  service.reconsiders = world.service.reconsiders;
  const ledger = new SimulatedLedger(kernel, world.ledger.kind, records, erpFlaws);
  const { outgoing: _first, ...shared } = world;
  return { ...shared, records, service, ledger, files: new Map(), file: { editedAt: [] } };
}

/** What was begun since, in order, of everybody. */
export class Crowd {
  since = Infinity;
  readonly #begun: { readonly tenant: string; readonly at: number }[] = [];

  /** `most`: documents of others that may go first. */
  begin(world: World, stage: Stage, row: PostingRow, most: number): void {
    const { records, kernel } = world;
    if (stage !== 'post' || kernel.nowMs < this.since || world.phase.isFaulty) return;
    const { name } = records.company;
    this.#begun.push({ tenant: name, at: kernel.nowMs });
    const since = Math.max(row.dueAt ?? 0, row.discoveredAt, records.resumedAt ?? 0);
    if (row.discoveredAt < this.since || row.posting.state !== 'discovered') return;
    const others = this.#begun.filter(({ tenant, at }) => tenant !== name && at > since).length;
    if (name !== NEIGHBOUR.name) kernel.note(`${others} of others went before ${row.posting.documentNumber}`);
    if (others > most)
      records.violations.push(`18: ${others} documents of others went before ${row.posting.documentNumber}`);
  }
}

export async function comeInCrowds(world: World, neighbour: World, crowd: Crowd): Promise<void> {
  const { kernel } = world;
  await kernel.sleep(CALM_MS);
  crowd.since = kernel.nowMs;
  neighbour.ledger.takesMs = 20_000;
  crowdIn(neighbour, CROWD, 'crowd');
  await kernel.sleep(kernel.between('how soon the few come', 1, 4) * MINUTE_MS);
  crowdIn(world, 3, 'few');
}
