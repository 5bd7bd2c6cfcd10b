// What a look-up came to, by how many entries it found.
import type { LookUpAnswer } from './answer.js';
import type { ErpEntry, FindOutcome } from './erp-adapter.js';

export function foundEntries(answer: LookUpAnswer<readonly ErpEntry[]>): FindOutcome {
  if (answer.outcome !== 'ok') return answer;
  const [entry] = answer.value;
  if (!entry) return { outcome: 'none' };
  return answer.value.length === 1 ? { outcome: 'one', entry } : { outcome: 'many', entries: answer.value };
}
