// A process of a simulated run: it works until it dies, and whatever it waited for then never comes. It may also be stopped for
// minutes and go on as if nothing had happened.
import type { FailPoints } from '../../src/sync/fail-points.js';
import type { Kernel } from './kernel.js';
import type { Guid, IsoDate } from '../../src/domain/ids.js';
import type { SourceKind } from '../../src/domain/source-document.js';

/** What lets one simulated process die: after it, its promises never resolve. */
export interface Life {
  step(ms: number): Promise<void>;
  /** The claim that it works under, for the history. */
  readonly worker?: string;
  /** Somebody waits for it at a screen. */
  readonly isOperator?: true;
}

export interface Mortality {
  /** Chance of dying in any one step. */
  readonly dies: number;
  /** Chance of being stopped in any one step, and for how long at most. */
  readonly stops: number;
  readonly stoppedMsMax: number;
}

export interface Mortal {
  readonly life: Life;
  readonly failPoints: FailPoints;
  /** Resolves when it has died. */
  readonly buried: Promise<void>;
  /** From outside: somebody pulls the plug. */
  kill(): void;
  isDead(): boolean;
}

/** `faulty` tells whether anything goes wrong at all at this moment. */
export function mortal(
  kernel: Kernel,
  name: string,
  { dies, stops, stoppedMsMax }: Mortality,
  faulty: () => boolean,
): Mortal {
  let dead = false;
  let bury: () => void = () => undefined;
  const buried = new Promise<void>((resolve) => (bury = resolve));
  const isDead = () => dead;
  const forever = new Promise<never>(() => undefined);
  const kill = () => {
    dead = true;
    bury();
  };
  const die = () => {
    kernel.note(`${name} dies`);
    kill();
    return forever;
  };
  return {
    buried,
    kill,
    isDead,
    life: {
      step: async (ms) => {
        if (isDead()) return forever;
        await kernel.sleep(ms);
        if (isDead()) return forever;
        if (!faulty()) return;
        if (kernel.chance('a process dies', dies)) return die();
        if (stops > 0 && kernel.chance('a process stops', stops))
          await kernel.sleep(kernel.between('how long it stops', 1_000, stoppedMsMax));
        if (isDead()) return forever;
      },
    },
    failPoints: {
      reach: async () => {
        if (isDead()) return forever;
        if (!faulty()) return;
        if (kernel.chance('it dies at a fail point', 0.01)) return die();
        if (kernel.chance('it stops at a fail point', 0.01))
          await kernel.sleep(kernel.between('how long it stops there', 1_000, 200_000));
        if (isDead()) return forever;
      },
    },
  };
}

// A document at the simulated service.

export interface SimulatedDocument {
  readonly guid: Guid;
  readonly kind: SourceKind;
  readonly number: string;
  amount: number;
  issueDate: IsoDate;
  /** Of a cost; the rules know 2093. */
  costCode: string;
  accountingStatus: string;
  status: string;
  deleted: boolean;
  /** Rises with every edit, and stands in the description. */
  version: number;
  /** Of each version, the first one first. */
  readonly amounts: number[];
  /** Half of it has come in by a claim. */
  isHalfPaid?: boolean;
  /** Of a credit note: guid of the invoice that it takes back. */
  readonly credits?: string;
  /** What stands in that field, which carries the mark of what we made. */
  readonly booking?: string;
  /** It was made through the API, or by a template: nobody edits or deletes what was issued. */
  readonly isMade?: true;
  /** Its record cannot be read; lists show it all the same. */
  isGarbled?: boolean;
  /** Net of its one line; another number makes it contradict itself. */
  net: number;
}
