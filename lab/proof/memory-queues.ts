// The queues of a simulated bridge: turns wait in line, whoever is free takes the next. They forget everything when their process is
// lost, bring some wake-ups twice, and nobody may mind.
import type { Stage, TurnQueues, WakeUp } from '../../src/sync/turns.js';
import type { Kernel } from './kernel.js';
import type { Mortal } from './life.js';

interface Idle {
  readonly process: Mortal;
  readonly give: (wakeUp: WakeUp) => void;
}

export class MemoryQueues implements TurnQueues {
  readonly #kernel: Kernel;
  readonly #isFaulty: () => boolean;
  readonly #waiting: Record<Stage, WakeUp[]> = { post: [], 'write-back': [] };
  readonly #idle: Record<Stage, Idle[]> = { post: [], 'write-back': [] };
  /** Who hands out, and until when. */
  readonly #lead = { owner: '', until: 0 };

  constructor(kernel: Kernel, isFaulty: () => boolean) {
    this.#kernel = kernel;
    this.#isFaulty = isFaulty;
  }

  lead(owner: string, forMs: number): boolean {
    const { nowMs } = this.#kernel;
    if (this.#lead.owner !== owner && this.#lead.until >= nowMs) return false;
    Object.assign(this.#lead, { owner, until: nowMs + forMs });
    return true;
  }

  depth(stage: Stage): Promise<number> {
    return Promise.resolve(this.#waiting[stage].length);
  }

  add(stage: Stage, wakeUps: readonly WakeUp[]): Promise<void> {
    for (const wakeUp of wakeUps)
      for (let times = this.#times(); times > 0; times--) this.#waiting[stage].push(wakeUp);
    this.#serve(stage);
    return Promise.resolve();
  }

  /** The next one, for a process that lives to get it. */
  take(stage: Stage, process: Mortal): Promise<WakeUp> {
    return new Promise((give) => {
      this.#idle[stage].push({ process, give });
      this.#serve(stage);
    });
  }

  /** One loses a wake-up now and then, and brings others twice. */
  #times(): number {
    const isAstray = this.#isFaulty() && this.#kernel.chance('a wake-up goes astray', 0.05);
    return isAstray ? this.#kernel.pick('lost or twice', [0, 2]) : 1;
  }

  #serve(stage: Stage): void {
    const waiting = this.#waiting[stage];
    for (let idle = this.#idle[stage].shift(); idle; idle = this.#idle[stage].shift()) {
      if (idle.process.isDead()) continue;
      const wakeUp = waiting.shift();
      if (!wakeUp) {
        this.#idle[stage].unshift(idle);
        return;
      }
      idle.give(wakeUp);
    }
  }
}
