// A replica of the bridge in a small world: the real pipeline functions, one job at a time, halted at every call of a port until
// the explorer lets it go on. What it has learnt since its job began is all that its memory holds.
import { CodedError } from '../../../src/domain/errors/coded-error.js';
import type { Life } from '../life.js';
import { digest, type Option, type Path, type StillKernel } from './path.js';

export class Actor {
  readonly name: string;
  alive = true;
  stalledAt: number | null = null;
  job: string | null = null;
  /** Of every answer since the job began. */
  memory = '';
  readonly #halted: (() => void)[] = [];
  #worker = '';
  readonly #note: (event: string) => void;

  constructor(name: string, note: (event: string) => void) {
    this.name = name;
    this.#note = note;
  }

  /** Of its present job, which has a claim of its own. */
  get life(): Life {
    return {
      worker: this.#worker,
      step: () =>
        this.alive ? new Promise((resolve) => this.#halted.push(resolve)) : new Promise(() => undefined),
    };
  }

  claimAs(worker: string): void {
    this.#worker = worker;
  }

  get halted(): number {
    return this.#halted.length;
  }

  get isRunnable(): boolean {
    return this.alive && this.stalledAt === null && this.#halted.length > 0;
  }

  /** It lies idle and can take a job. */
  get isFree(): boolean {
    return this.alive && this.job === null;
  }

  /** All that its future depends on. */
  state(now: number, ageMsMax: number): unknown {
    if (!this.alive) return 'dead';
    const asleepMs = this.stalledAt === null ? null : Math.min(now - this.stalledAt, ageMsMax);
    return [this.job, this.memory, this.halted, asleepMs];
  }

  go(): void {
    // How far it has come within the calls that have not answered yet is part of what it knows.
    this.learn('goes on');
    this.#halted.shift()?.();
  }

  begin(job: string, work: () => Promise<unknown>): void {
    this.job = job;
    this.memory = '';
    const end = () => {
      this.job = null;
      this.memory = '';
    };
    work().then(end, (error: unknown) => {
      this.#note(`${this.name} fails: ${String(error)}`);
      end();
    });
  }

  /** The port, remembering what it answered. */
  hears<Port extends object>(room: string, port: Port): Port {
    return new Proxy(port, {
      get: (target, name, receiver) => {
        const value = Reflect.get(target, name, receiver) as unknown;
        if (typeof value !== 'function') return value;
        return async (...given: unknown[]): Promise<unknown> => {
          try {
            const answer = (await Reflect.apply(value, target, given)) as unknown;
            this.learn(`${room}.${String(name)} ${JSON.stringify(answer)}`);
            return answer;
          } catch (error) {
            this.learn(`${room}.${String(name)} ${error instanceof CodedError ? error.code : String(error)}`);
            throw error;
          }
        };
      },
    });
  }

  learn(what: string): void {
    this.memory = digest(this.memory + what);
  }
}

// What the explorer needs of a world: what may happen next, what may never be true, and all that its future depends on.

export interface Deed extends Option {
  act(): void;
}

export interface ExploredWorld {
  readonly kernel: StillKernel;
  prepare(): Promise<void>;
  /** What may happen next, the ordinary first; nothing: the world has come to rest. */
  deeds(): Deed[];
  /** Promises that may not be broken at any moment, and are. */
  unsafe(): string[];
  /** Promises that must be kept when all is quiet, and are not. */
  unkept(): string[];
  /** Everything that its future depends on; times are relative to now. */
  state(): unknown;
}

export type WorldMaker = (path: Path) => ExploredWorld;
