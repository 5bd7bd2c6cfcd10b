// How the ledger is told to behave: what it promises about keys, how slow it is, and which faults happen how often.
import { createHash } from 'node:crypto';
import * as z from 'zod';

/**
 * `key`: a resend under the same Idempotency-Key replays the first answer. `unique-reference`: a second entry under a
 * key is refused. `look-up`: duplicates are stored, but entries can be found by key. `none`: not even that.
 */
export const IDEMPOTENCY = ['key', 'unique-reference', 'look-up', 'none'] as const;

export const OPERATIONS = ['post', 'reverse', 'attach', 'look-up', 'list', 'read'] as const;
export type Operation = (typeof OPERATIONS)[number];

/** What each fault does to the request that it strikes; docs/reference/sandbox-erp.md has the same table for people. */
export const FAULT_KINDS = {
  slow: 'waits delayMs, then does it and answers; a client that left meanwhile gets no effect',
  'late-reply': 'does it at once, answers delayMs later',
  'late-effect': 'does it delayMs later, also when the client has left meanwhile',
  'lose-reply': 'does it and never answers; the connection hangs until the client gives up',
  'reset-before-effect': 'resets the connection and does nothing',
  'reset-after-effect': 'does it, then resets the connection',
  'rate-limit': 'answers 429 with Retry-After and does nothing',
  'error-before-effect': 'answers errorStatus and does nothing',
  'error-after-effect': 'does it, then answers errorStatus',
  'error-body': 'answers 200 with an error in the body and does nothing',
  unauthorized: 'answers 401 and does nothing',
  lie: 'answers 204 and does nothing',
  html: "answers 200 with a proxy's HTML page and does nothing",
  truncated: 'does it, then sends half of the answer and closes',
} as const;
export type FaultKind = keyof typeof FAULT_KINDS;
export const faultKindSchema = z.enum(Object.keys(FAULT_KINDS) as [FaultKind, ...FaultKind[]]);

const DELAY_MS_MAX = 600_000;
const probability = z.number().min(0).max(1);
const isoDate = z.iso.date();
export const periodSchema = z.strictObject({ from: isoDate, to: isoDate });
export type Period = z.infer<typeof periodSchema>;

export const behaviourSchema = z.strictObject({
  idempotency: z.enum(IDEMPOTENCY),
  /** How long a key replays; null for ever. Afterwards a resend is a second entry, as with real ERPs. */
  keyLifeMs: z.number().int().positive().nullable(),
  /** How long a stored entry stays invisible to look-ups and lists. */
  lookUpLagMs: z.number().int().min(0).max(DELAY_MS_MAX),
  /** Every request waits this long, plus a seeded part of latencyJitterMs. */
  latencyMs: z.number().int().min(0).max(DELAY_MS_MAX),
  latencyJitterMs: z.number().int().min(0).max(DELAY_MS_MAX),
  seed: z.number().int(),
  /** Probability per fault; together at most 1. */
  faults: z
    .partialRecord(faultKindSchema, probability)
    .refine((faults) => Object.values(faults).reduce((sum, each) => sum + each, 0) <= 1 + 1e-9, {
      message: 'the probabilities add up to more than 1',
    }),
  faultsOn: z.array(z.enum(OPERATIONS)).max(OPERATIONS.length),
  delayMs: z.number().int().min(0).max(DELAY_MS_MAX),
  retryAfterSeconds: z.number().int().min(0).max(3600),
  errorStatus: z.number().int().min(500).max(599),
});
export type LedgerBehaviour = z.infer<typeof behaviourSchema>;
export const behaviourChangeSchema = behaviourSchema.partial();
export type BehaviourChange = Partial<LedgerBehaviour>;

export const BEHAVIOUR_DEFAULT: LedgerBehaviour = {
  idempotency: 'key',
  keyLifeMs: null,
  lookUpLagMs: 0,
  latencyMs: 0,
  latencyJitterMs: 0,
  seed: 1,
  faults: {},
  faultsOn: ['post', 'reverse'],
  delayMs: 1000,
  retryAfterSeconds: 1,
  errorStatus: 503,
};

export const scriptedFaultSchema = z.strictObject({
  fault: faultKindSchema,
  on: z.enum(OPERATIONS).default('post'),
  times: z.number().int().min(1).max(1_000_000).default(1),
  /** Only requests about this key; any, when left out. */
  key: z.string().optional(),
});
export type ScriptedFault = z.input<typeof scriptedFaultSchema>;

export const chartSchema = z.strictObject({
  accounts: z
    .array(
      z.strictObject({
        account: z.string().min(1).max(40),
        name: z.string().default(''),
        state: z.enum(['open', 'blocked']).default('open'),
      }),
    )
    .max(10_000),
  /** Left out: any VAT code. */
  vatCodes: z.array(z.string()).max(1000).nullable().default(null),
  /** Left out: any dimension. A null list of values: any value of that dimension. */
  dimensions: z.record(z.string(), z.array(z.string()).max(10_000).nullable()).nullable().default(null),
});
export type Chart = z.output<typeof chartSchema>;
export type ChartInput = z.input<typeof chartSchema>;

// Which fault strikes which request. Promise: the same seed gives the nth request about a key the same fate, in whatever
// order requests arrive, so a failing run replays although its requests ran at the same time.

const SCRIPT_MAX = 10_000;
const SUBJECTS_REMEMBERED_MAX = 500_000;

interface Fate {
  readonly fault: FaultKind | null;
  readonly latencyMs: number;
}

interface Scripted {
  readonly fault: FaultKind;
  readonly on: Operation;
  readonly key: string | undefined;
  left: number;
}

export class Fates {
  #script: Scripted[] = [];
  readonly #attempts = new Map<string, number>();

  /** Scripted faults come before drawn ones, first come first served. */
  script(fault: ScriptedFault): void {
    if (this.#script.length >= SCRIPT_MAX) throw new RangeError('Too many scripted faults are waiting.');
    const { fault: kind, on, times, key } = scriptedFaultSchema.parse(fault);
    this.#script.push({ fault: kind, on, key, left: times });
  }

  next(operation: Operation, subject: string, behaviour: LedgerBehaviour): Fate {
    const name = `${operation}|${subject}`;
    const attempt = this.#count(name);
    const latencyMs =
      behaviour.latencyMs +
      Math.floor(chance(behaviour.seed, `latency|${name}|${attempt}`) * behaviour.latencyJitterMs);
    return {
      fault: this.#scripted(operation, subject) ?? drawn(operation, name, attempt, behaviour),
      latencyMs,
    };
  }

  clear(): void {
    this.#script = [];
    this.#attempts.clear();
  }

  #scripted(operation: Operation, subject: string): FaultKind | null {
    const index = this.#script.findIndex(
      (each) => each.on === operation && (each.key === undefined || each.key === subject),
    );
    const found = this.#script[index];
    if (found === undefined) return null;
    found.left--;
    if (found.left === 0) this.#script.splice(index, 1);
    return found.fault;
  }

  /** Oldest subjects are forgotten first; a forgotten one starts again at its first fate. */
  #count(name: string): number {
    const attempt = (this.#attempts.get(name) ?? 0) + 1;
    if (attempt === 1 && this.#attempts.size >= SUBJECTS_REMEMBERED_MAX) {
      for (const oldest of this.#attempts.keys()) {
        this.#attempts.delete(oldest);
        break;
      }
    }
    this.#attempts.set(name, attempt);
    return attempt;
  }
}

function drawn(
  operation: Operation,
  name: string,
  attempt: number,
  { faults, faultsOn, seed }: LedgerBehaviour,
): FaultKind | null {
  if (!faultsOn.includes(operation)) return null;
  let left = chance(seed, `fault|${name}|${attempt}`);
  for (const [fault, probability] of Object.entries(faults) as [FaultKind, number][]) {
    if (left < probability) return fault;
    left -= probability;
  }
  return null;
}

/** Uniform in [0, 1), the same for the same seed and name. */
function chance(seed: number, name: string): number {
  return createHash('sha256').update(`${seed}|${name}`).digest().readUIntBE(0, 6) / 2 ** 48;
}
