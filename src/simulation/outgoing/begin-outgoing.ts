// Everybody who acts in the other direction of a simulated world.
import type { World } from '../world.js';
import { peopleAtService } from './at-service.js';
import { clerks, stewards } from './clerks.js';
import type { OutgoingSide } from './outgoing-side.js';
import { cataloguers, correctors, writers } from './writers.js';

interface Coming {
  readonly records?: number;
  readonly items?: number;
}

export function beginOutgoing(world: World, side: OutgoingSide, { records = 24, items = 0 }: Coming): void {
  const { kernel, phase } = world;
  void writers(side, kernel, records);
  void cataloguers(side, kernel, items);
  void correctors(side, kernel);
  void peopleAtService(side, kernel, phase);
  void stewards(world, side);
  void clerks(world, side);
}
