// The promises, checked on what a run left behind. Each broken one is a sentence with the document's number.
import { promisesOfBooks } from './promises-of-books.js';
import { promisesOfDocuments } from './promises-of-documents.js';
import type { Run } from './run.js';

/** Failures that open its breaker, some that were under way meanwhile, the probes of a quarter of an hour, and operators. */
const ASKED_WHILE_DOWN_MAX = 25;

export function brokenPromises(run: Run): string[] {
  const { records, service, ledger, outages } = run;
  const broken = [...records.violations, ...ledger.violations];
  broken.push(...promisesOfBooks(run), ...promisesOfDocuments(run));
  for (const write of service.writes) {
    // A decision of the history that was lost is on record nowhere.
    if (write.at < (records.restoredAt ?? 0)) continue;
    const row = records.byGuid.get(write.guid);
    if (!row?.writeBacks.some((decided) => decided.wanted === write.status))
      broken.push(`7: ${write.guid} was set to ${write.status} without a decision on record`);
  }
  for (const { side, asked, how } of outages)
    if (side === 'erp' && asked > ASKED_WHILE_DOWN_MAX)
      broken.push(`11: an ERP that was down (${how}) was asked ${asked} times`);
  broken.push(...givenUp(run));
  if (records.runs.some(({ state }) => state !== 'done')) broken.push('10: a replay was never worked off');
  return broken;
}

/** Where a posting in doubt can always be found out about, nothing is left to a person because the bridge has tried enough. */
function givenUp({ kernel, ledger }: Run): string[] {
  if (!['unique-reference', 'look-up', 'look-up-two-step'].includes(ledger.kind)) return [];
  return kernel.trace
    .filter((event) => /→ parked .*(OUTCOME_UNKNOWN|TRIES_EXHAUSTED)/.test(event))
    .map((event) => `11: given up: ${event}`);
}
