// A tenant's turn, taken: documents are claimed as places become free, and each is carried as far as it goes. Whatever happens to one
// of them is its own affair; the turn ends when all of them are done.
import type { TenantName } from '../../domain/ids.js';
import type { InFlight, Underway } from './in-flight.js';

export interface TurnSteps<Claim> {
  readonly inFlight: InFlight;
  readonly tenant: TenantName;
  /** None: nothing is due, or the tenant may not work any more. */
  claim(most: number): Promise<readonly Claim[]>;
  /** Never throws. */
  carry(claim: Claim): Promise<void>;
}

export async function takeTurn<Claim>(steps: TurnSteps<Claim>, share: number): Promise<void> {
  const underWay: Promise<unknown>[] = [];
  const turn = steps.inFlight.begin(steps.tenant);
  for (let left = share; left > 0;) {
    const places = await steps.inFlight.take(turn, left);
    if (places === 0) break;
    const claims = await claimOrGiveBack(steps, turn, places);
    for (const claim of claims)
      underWay.push(steps.carry(claim).finally(() => steps.inFlight.giveBack(turn, 1)));
    left -= claims.length;
    if (claims.length < places) break;
  }
  await Promise.all(underWay);
}

async function claimOrGiveBack<Claim>(
  steps: TurnSteps<Claim>,
  turn: Underway,
  places: number,
): Promise<readonly Claim[]> {
  let taken = 0;
  try {
    const claims = await steps.claim(places);
    taken = claims.length;
    return claims;
  } finally {
    steps.inFlight.giveBack(turn, places - taken);
  }
}
