// Faults on demand: which request meets which mishap. Each fault has its own chance by seed, so that a run repeats
// exactly when its requests come in the same order, and adding a fault does not change what the others do.
import { seededRandom, type Random } from '../random.js';

/** What each fault does, in one sentence; docs and the command line show these. */
export const FAULT_KINDS = {
  latency: 'Answers after delayMs.',
  'rate-limit': 'HTTP 429 with Retry-After of retryAfterSeconds; nothing happens.',
  'server-error': 'HTTP 500, or the given status; nothing happens.',
  maintenance: 'HTTP 503 as in maintenance; nothing happens.',
  'reset-before': 'The connection is reset before anything happens.',
  'reset-after': 'It happens, then the connection is reset.',
  'lost-reply': 'It happens, and no answer ever comes.',
  html: 'It happens, and an HTML page comes with HTTP 200.',
  truncated: 'It happens, and the answer breaks off half-way.',
  garbage: 'It happens, and the answer is no JSON.',
  'slow-drip': 'It happens, and the answer comes a byte at a time.',
  refused: 'HTTP 200 with status:false; nothing happens.',
  'ignored-write': 'An update is answered with success, and nothing happens.',
  'repeated-page': 'A list ignores `page` and repeats its first.',
  'shifting-page': 'A list moves by `shift` records from page 2 on, as when others write meanwhile.',
  'short-page': 'A page of a list lacks its last `shift` records, and no other page has them.',
  'early-end': 'A page of a list says `hasMore: false`, whatever follows it.',
  'expired-token': 'HTTP 401 that says the token expired.',
  'claim-cancellation': 'do-paid-invoice cannot cancel an active claim.',
} as const;

export type FaultKind = keyof typeof FAULT_KINDS;

export interface FaultOptions {
  readonly kind: FaultKind;
  /** get-costs, "GET /costs/{id}", oauth:token; * stands for anything. Left out: every endpoint. */
  readonly endpoint?: string;
  /** Only for this username. */
  readonly account?: string;
  /** 0 to 1; left out: always. */
  readonly probability?: number;
  /** How often at most. */
  readonly times?: number;
  /** How many matching requests are let through first. */
  readonly skip?: number;
  readonly delayMs?: number;
  readonly retryAfterSeconds?: number;
  readonly status?: number;
  readonly shift?: number;
}

export interface ArmedFault extends FaultOptions {
  readonly id: number;
  seen: number;
  hits: number;
}

interface Slot {
  readonly fault: ArmedFault;
  readonly pattern: RegExp;
  readonly random: Random;
}

const FAULTS_MAX = 100;

export class FaultPlan {
  readonly #seed: string | number;
  #slots: Slot[] = [];
  #nextId = 1;

  constructor(seed: string | number, faults: readonly FaultOptions[] = []) {
    this.#seed = seed;
    for (const fault of faults) this.add(fault);
  }

  add(options: FaultOptions): ArmedFault {
    if (!Object.hasOwn(FAULT_KINDS, options.kind))
      throw new RangeError(`No fault is called ${options.kind}: ${Object.keys(FAULT_KINDS).join(', ')}`);
    if (this.#slots.length >= FAULTS_MAX) throw new RangeError(`At most ${FAULTS_MAX} faults at a time`);
    const fault: ArmedFault = { ...options, id: this.#nextId++, seen: 0, hits: 0 };
    const random = seededRandom(`${this.#seed}:fault:${fault.id}`);
    this.#slots.push({ fault, pattern: globPattern(options.endpoint ?? '*'), random });
    return fault;
  }

  remove(id: number): boolean {
    const before = this.#slots.length;
    this.#slots = this.#slots.filter((slot) => slot.fault.id !== id);
    return this.#slots.length < before;
  }

  clear(): void {
    this.#slots = [];
  }

  list(): readonly ArmedFault[] {
    return this.#slots.map((slot) => slot.fault);
  }

  /** Every fault that strikes this request, in the order they were armed. */
  strike(endpoint: string, account: string | null): ArmedFault[] {
    if (this.#slots.length === 0) return [];
    return this.#slots.filter((slot) => strikes(slot, endpoint, account)).map((slot) => slot.fault);
  }
}

function strikes({ fault, pattern, random }: Slot, endpoint: string, account: string | null): boolean {
  if (fault.account !== undefined && fault.account !== account) return false;
  if (!pattern.test(endpoint)) return false;
  fault.seen += 1;
  // The die is cast for every match, so that `skip` and `times` do not shift the others' luck.
  const lucky = random.next() < (fault.probability ?? 1);
  if (!lucky || fault.seen <= (fault.skip ?? 0) || fault.hits >= (fault.times ?? Infinity)) return false;
  fault.hits += 1;
  return true;
}

function globPattern(glob: string): RegExp {
  const escaped = glob.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*');
  return new RegExp(`^${escaped}$`);
}
