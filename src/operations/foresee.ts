// What the ERP would refuse of single documents: a party that it lacks and may not make, a rate of its own that is too far from the
// document's, a bill that people have typed in. Each is prepared as for a posting, without saying who the party is, so that nobody is
// made; and nothing is sent. As many as the ERP's limits allow in a short while, so that a plan stays a matter of seconds.
import { setTimeout as pause } from 'node:timers/promises';
import type { Journal } from '../domain/journal.js';
import type { ErpAdapter, Rejected } from '../erp/erp-adapter.js';

export interface Asked {
  readonly key: string;
  readonly journal: Journal;
}

export interface Foreseen {
  /** Key → why it would not be taken. */
  readonly refusals: ReadonlyMap<string, Rejected>;
  /** Documents that were not asked about. */
  readonly left: number;
}

const AT_ONCE = 4;
const TOGETHER_MS_MAX = 20_000;

export async function foresee(
  erp: Pick<ErpAdapter, 'prepare' | 'capabilities'>,
  documents: readonly Asked[],
): Promise<Foreseen> {
  const alike = new Map<string, Asked[]>();
  for (const document of documents) {
    const name = likeness(document.journal);
    alike.set(name, [...(alike.get(name) ?? []), document]);
  }
  const groups = [...alike.values()];
  const refusals = new Map<string, Rejected>();
  const until = performance.now() + TOGETHER_MS_MAX;
  const pauseMs = (AT_ONCE / erp.capabilities.requestsPerSecond) * 1_000;
  for (let start = 0; start < groups.length; start += AT_ONCE) {
    if (start > 0 && pauseMs >= 1) await pause(pauseMs);
    const some = groups.slice(start, start + AT_ONCE);
    const answers = await Promise.all(some.map((group) => askAbout(erp, group)));
    if (answers.includes('away') || performance.now() > until)
      return { refusals, left: groups.slice(start).flat().length };
    answers.forEach((answer, index) => {
      if (answer !== null && answer !== 'away')
        for (const { key } of some[index] ?? []) refusals.set(key, answer);
    });
  }
  return { refusals, left: 0 };
}

/** Of the same party, in the same currency at the same rate, on the same day, an ERP says the same; of a bill only of the same number. */
function likeness({ currency, exchangeRate, postingDate, documentNo, lines }: Journal): string {
  const parties = [...new Set(lines.flatMap(({ counterparty }) => counterparty ?? []))].sort();
  const isBill = lines.some(({ role }) => role === 'payable');
  const rate = exchangeRate.toFixed();
  return JSON.stringify([parties, currency, rate, postingDate, isBill ? documentNo : lines.map(bookedOn)]);
}

function bookedOn({ account, vatCode = '', dimensions = {} }: Journal['lines'][number]) {
  return [account, vatCode, dimensions];
}

async function askAbout(
  erp: Pick<ErpAdapter, 'prepare'>,
  [first]: readonly Asked[],
): Promise<Rejected | 'away' | null> {
  if (!first) return null;
  const { party: _party, parties: _parties, ...journal } = first.journal;
  const outcome = await erp.prepare({ key: first.key, journal });
  if (outcome.outcome === 'transient' || outcome.outcome === 'auth') return 'away';
  if (outcome.outcome === 'prepared' || outcome.partyIsMade === true) return null;
  return outcome;
}
