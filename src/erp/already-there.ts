// The look-up before a send. Nothing may be sent under a key that the books already know, and what they know must be
// what we meant; a difference is a person's business, not ours.
import type { Journal } from '../domain/journal.js';
import { compareEntry } from './compare-entry.js';
import type { ErpCapabilities, ErpEntry, FindOutcome, PostOutcome } from './erp-adapter.js';

export type AlreadyThere =
  | { readonly outcome: 'nothing' }
  | { readonly outcome: 'draft'; readonly entry: ErpEntry }
  | { readonly outcome: 'answer'; readonly answer: PostOutcome };

const DIFFERENCES_SHOWN = 5;

export function alreadyThere(
  found: FindOutcome,
  journal: Journal,
  capabilities: ErpCapabilities,
): AlreadyThere {
  switch (found.outcome) {
    case 'none':
      return { outcome: 'nothing' };
    case 'one':
      return found.entry.state === 'draft'
        ? { outcome: 'draft', entry: found.entry }
        : { outcome: 'answer', answer: confirmed(found.entry, journal, capabilities) };
    case 'many': {
      const message = `The ERP has ${found.entries.length} entries under this key. Keep one, reverse the others.`;
      return { outcome: 'answer', answer: { outcome: 'rejected', code: 'duplicate', message } };
    }
    case 'transient':
    case 'auth':
      return { outcome: 'answer', answer: found };
  }
}

/** Posted (or pending) when the entry is what was meant; a collision otherwise. */
export function confirmed(entry: ErpEntry, journal: Journal, capabilities: ErpCapabilities): PostOutcome {
  const differences = compareEntry(journal, entry, capabilities);
  if (differences.length === 0) {
    return { outcome: entry.state, reference: entry.reference };
  }
  const shown = differences.slice(0, DIFFERENCES_SHOWN).join('; ');
  const name = entry.reference.number ?? entry.reference.id;
  const message = `The ERP has entry ${name} under this key, but it is not what was sent: ${shown}.`;
  return { outcome: 'rejected', code: 'collision', message };
}
