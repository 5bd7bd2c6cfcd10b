// Many seeded runs in a row: each seed is a world of its own, and one that breaks a promise is shrunk and kept.
import { brokenPromises } from './invariants.js';
import { EndlessRun, type RunOptions, simulate } from './run.js';
import { ERP_KINDS, type ErpKind } from './simulated-ledger.js';

export interface Failure {
  readonly seed: number;
  readonly options: RunOptions;
  readonly broken: readonly string[];
}

export interface CampaignState {
  readonly runs: number;
  readonly events: number;
  readonly entries: number;
  /** What was made at the service. */
  readonly made: number;
  readonly failures: readonly Failure[];
}

const NIGHT_MS = 14 * 60 * 60_000;
/** What else is special about a seed's world; most are plain. */
const SCENARIOS: readonly Partial<RunOptions>[] = [
  {},
  {},
  {},
  { restored: true },
  { carries: 'originals' },
  { nightMs: NIGHT_MS },
  { carries: 'originals-first' },
  { signsIn: true },
  { summarises: true },
  { neighbour: true },
  { brittle: true },
  { mixesUp: true },
  { cancels: true },
];
/** Down for a night is about ERPs that can always be asked again. */
const ASKED_AGAIN: readonly ErpKind[] = ['unique-reference', 'look-up', 'look-up-two-step'];

/** The world of a seed: the kind of ERP goes round, and so does what else happens. */
export function worldOf(seed: number): RunOptions {
  const erp = ERP_KINDS[seed % ERP_KINDS.length] ?? 'look-up';
  const scenario = SCENARIOS[Math.floor(seed / ERP_KINDS.length) % SCENARIOS.length] ?? {};
  const fits = scenario.nightMs === undefined || ASKED_AGAIN.includes(erp);
  return { seed, erp, ...(fits ? scenario : {}) };
}

export const DIRECTIONS = ['in', 'out', 'both'] as const;
/** Documents into the books, records of origins into the service, or both in one world. */
export type Direction = (typeof DIRECTIONS)[number];

/** The world of a seed, with what goes the other way in it: `items` of a catalogue beside the records, and invoices of an ERP. */
export function worldWith(seed: number, direction: Direction, items = 0): RunOptions {
  const world = worldOf(seed);
  if (direction === 'in') return world;
  // A world without items stays the world that it was.
  const outgoing = { posted: POSTED, ...(items === 0 ? {} : { items }) };
  return { ...world, documents: direction === 'out' ? 0 : BESIDE, outgoing };
}

/** Documents beside the records: half as many as where nothing else happens. */
const BESIDE = 12;
/** Invoices of an ERP, with files beside them. */
const POSTED = 6;

export interface Campaign {
  readonly from: number;
  readonly seeds: number;
  readonly direction: Direction;
  /** Of each world, where something goes into the service. None unless given. */
  readonly items?: number;
  /** Instead of the world of each seed. */
  readonly options?: Partial<RunOptions>;
  readonly failuresMax: number;
  isOver(): boolean;
  onRun(state: CampaignState): void;
}

export async function runCampaign(campaign: Campaign): Promise<CampaignState> {
  const { from, seeds, failuresMax } = campaign;
  let state: CampaignState = { runs: 0, events: 0, entries: 0, made: 0, failures: [] };
  for (let seed = from; seed < from + seeds; seed++) {
    if (campaign.isOver() || state.failures.length >= failuresMax) break;
    const options = { ...worldWith(seed, campaign.direction, campaign.items), ...campaign.options };
    const seen = await tried(options);
    state = {
      runs: state.runs + 1,
      events: state.events + seen.events,
      entries: state.entries + seen.entries,
      made: state.made + seen.made,
      failures:
        seen.broken.length > 0 ? [...state.failures, { seed, options, broken: seen.broken }] : state.failures,
    };
    campaign.onRun(state);
  }
  return state;
}

async function tried(options: RunOptions) {
  try {
    const run = await simulate(options);
    return {
      events: run.kernel.trace.length,
      entries: run.ledger.entries.length,
      made: run.outgoing?.books.standing.filter(({ by }) => by === 'us').length ?? 0,
      broken: brokenPromises(run),
    };
  } catch (error) {
    if (!(error instanceof EndlessRun)) throw error;
    return { events: 0, entries: 0, made: 0, broken: ['0: it never came to rest'] };
  }
}

/** Every event of one seed's world. */
export async function simulateSeed(
  seed: number,
  direction: Direction,
  items?: number,
): Promise<readonly string[]> {
  return (await simulate(worldWith(seed, direction, items))).kernel.trace;
}
