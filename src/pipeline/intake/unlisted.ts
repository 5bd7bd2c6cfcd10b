// A complete list that does not show a document which we hold to be Created: somebody deleted it, or changed its status. It is
// read, and what is read goes on record; otherwise it would count as handed over for ever, and a document that was handed over
// meanwhile would hide behind it.
import type { Runtime } from '../../domain/runtime.js';
import type { SourceKind } from '../../domain/source-document.js';
import type { BegunSweep, IntakeStore, ReadAgain } from '../records.js';
import type { TenantContext } from '../tenant-context.js';
import { askAgain } from './ask-again.js';

/** In one sweep; the others have their turn in the next. */
const READ_AGAIN_MAX = 100;

export async function readUnlisted(
  stage: { readonly runtime: Runtime; readonly store: IntakeStore },
  tenant: TenantContext,
  kind: SourceKind,
  begun: BegunSweep,
): Promise<void> {
  const guids = await stage.store.unlisted(begun, tenant.name, kind, READ_AGAIN_MAX);
  const read: ReadAgain[] = [];
  for (const guid of guids) {
    const fetched = await askAgain(stage.runtime, () => tenant.source.get(kind, guid));
    // What cannot be read is there all the same.
    const status = fetched.outcome === 'found' ? fetched.document.accountingStatus : 'Created';
    read.push({ guid, status: fetched.outcome === 'gone' ? 'gone' : status });
  }
  if (read.length > 0) await stage.store.recordReadAgain(begun, tenant.name, kind, read);
}
