// Everybody who acts in the other direction of a simulated world.
import type { World } from '../world.js';
import { invoicers, peopleAtService } from './at-service.js';
import { clerks, stewards } from './clerks.js';
import { bookkeepersAtDesk, changePapers } from './desk-people.js';
import type { OutgoingSide } from './outgoing-side.js';
import { cataloguers, colleagues, correctors, writers } from './writers.js';

interface Coming {
  readonly records?: number;
  readonly items?: number;
  /** Records that have the reference of another one. */
  readonly shared?: number;
  /** Invoices of an ERP, with files beside them. */
  readonly posted?: number;
  /** Tasks whose hours people invoice at the service. */
  readonly invoiced?: number;
}

export function beginOutgoing(world: World, side: OutgoingSide, coming: Coming): void {
  const { records = 24, items = 0, shared = 0, posted = 0, invoiced = 0 } = coming;
  const { kernel, phase } = world;
  void writers(side, kernel, records);
  void cataloguers(side, kernel, items);
  void colleagues(side, kernel, shared);
  void correctors(side, kernel);
  if (side.desk) void bookkeepersAtDesk(side.desk, posted);
  if (side.desk) void changePapers(side.desk, posted);
  void peopleAtService(side, kernel, phase);
  void invoicers(side, kernel, invoiced);
  void stewards(world, side);
  void clerks(world, side);
}
