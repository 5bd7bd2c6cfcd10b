// The look-up before a send. Nothing may be sent under a key that the books already know, and what they know must be
// what we meant; a difference is a person's business, not ours.
import type { Journal } from '../domain/journal.js';
import type { Message } from '../domain/message.js';
import { message } from '../language/messages.js';
import { entryDifferences } from './compare-entry.js';
import type { ErpCapabilities, ErpEntry, FindOutcome, PostOutcome } from './erp-adapter.js';
import { rejected, told } from './told.js';

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
      const words = told('SEVERAL_UNDER_KEY', { count: found.entries.length });
      return { outcome: 'answer', answer: rejected('duplicate', words) };
    }
    case 'transient':
    case 'auth':
      return { outcome: 'answer', answer: found };
  }
}

/** Posted (or pending) when the entry is what was meant; a collision otherwise. */
export function confirmed(entry: ErpEntry, journal: Journal, capabilities: ErpCapabilities): PostOutcome {
  const differences = entryDifferences(journal, entry, capabilities);
  if (differences.length === 0) {
    return { outcome: entry.state, reference: entry.reference };
  }
  const shown = firstDifferences(differences);
  const name = entry.reference.number ?? entry.reference.id;
  return rejected('collision', told('NOT_WHAT_WAS_SENT', { entry: name, differences: shown }));
}

/** As many as a person reads. */
export function firstDifferences(differences: readonly Message[]): Message {
  return message('DIFFERENCES', { each: differences.slice(0, DIFFERENCES_SHOWN) });
}
