// Everybody who acts in the other direction of a simulated world.
import type { World } from '../world.js';
import { peopleAtService } from './at-service.js';
import { clerks, stewards } from './clerks.js';
import type { OutgoingSide } from './outgoing-side.js';
import { correctors, writers } from './writers.js';

export function beginOutgoing(world: World, side: OutgoingSide, records: number): void {
  const { kernel, phase } = world;
  void writers(side, kernel, records);
  void correctors(side, kernel);
  void peopleAtService(side, kernel, phase);
  void stewards(world, side);
  void clerks(world, side);
}
