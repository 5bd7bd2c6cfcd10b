// Which fault strikes which request. Promise: the same seed gives the nth request about a key the same fate, in whatever
// order requests arrive, so a failing run replays although its requests ran at the same time.
import { createHash } from 'node:crypto';
import {
  scriptedFaultSchema,
  type FaultKind,
  type LedgerBehaviour,
  type Operation,
  type ScriptedFault,
} from './behaviour.js';

const SCRIPT_MAX = 10_000;
const SUBJECTS_REMEMBERED_MAX = 500_000;

export interface Fate {
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
