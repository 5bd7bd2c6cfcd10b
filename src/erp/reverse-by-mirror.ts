// A reversal as a posting of its own: asked twice it is one entry, and an entry that has been reversed is not reversed
// again under another key.
import type { Journal } from '../domain/journal.js';
import type { ErpAdapter, FindOutcome, PostOutcome, PrepareOutcome, ReverseRequest } from './erp-adapter.js';
import { mirrorJournal } from './mirror-journal.js';
import { rejected, told } from './told.js';

export async function reverseByMirror(
  erp: Pick<ErpAdapter, 'findByKey' | 'post'>,
  request: ReverseRequest,
  prepare: (journal: Journal) => Promise<PrepareOutcome>,
): Promise<PostOutcome> {
  const mine = await erp.findByKey(request.key);
  if (mine.outcome === 'transient' || mine.outcome === 'auth') return mine;
  if (mine.outcome === 'one' && mine.entry.state !== 'draft') {
    return { outcome: mine.entry.state, reference: mine.entry.reference };
  }
  const original = await erp.findByKey(request.original.key);
  if (original.outcome === 'transient' || original.outcome === 'auth') return original;
  if (isReversed(original, request.original.reference.id)) {
    const name = request.original.reference.number ?? request.original.reference.id;
    return rejected('duplicate', told('ALREADY_REVERSED', { entry: name }));
  }
  const prepared = await prepare(mirrorJournal(request));
  return prepared.outcome === 'prepared' ? erp.post(prepared.prepared) : prepared;
}

function isReversed(found: FindOutcome, id: string): boolean {
  if (found.outcome === 'one') return found.entry.reversed === true;
  if (found.outcome !== 'many') return false;
  return found.entries.some((entry) => entry.reference.id === id && entry.reversed === true);
}
