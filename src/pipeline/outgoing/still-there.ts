// A document may wait for days: for its plan, its customer, its turn. Where people cancel it at its origin meanwhile, no list says so any
// more, since lists show what is to go out; so it is read once more before it leaves. Nor does a list say that somebody has put a file
// beside it, or another one in its place: what stands there at that moment goes with it.
import { canonicalJson } from '../../domain/canonical-json.js';
import { reason } from '../../language/messages.js';
import type { OriginRecord } from '../../origins/origin.js';
import { contentText } from './content.js';
import { type Advanced, park, rest, type SubmissionWork } from './submission-work.js';

const ASK_AGAIN_MS = 60_000;
/** Whoever puts one file there may be about to put another. */
const FILES_SETTLE_MS = 5_000;

/** null: it may leave. An origin that does not answer is waited for: it uses up no tries. */
export async function takenBack(work: SubmissionWork): Promise<Advanced | null> {
  const { kind, reference, place, origin: name } = work.claimed;
  const origin = work.tenant.origins.get(name);
  if (origin?.takesBack !== true) return null;
  const asked = await origin.read(kind, reference, place).then(
    (record) => record ?? 'gone',
    () => 'silent' as const,
  );
  if (asked === 'silent')
    return rest(work, { action: 'waits-for-origin', reason: null, dueInMs: ASK_AGAIN_MS });
  return asked === 'gone' ? park(work, reason('GONE_AT_ORIGIN', { reference })) : takeFiles(work, asked);
}

/** null: they are the same. What was sent with others, or may have been, stays as it is. */
async function takeFiles(work: SubmissionWork, now: OriginRecord): Promise<Advanced | null> {
  const { state, content } = work.claimed;
  const { files: before = [], ...others } = JSON.parse(content) as WithFiles;
  const { files = [] } = JSON.parse(now.content) as WithFiles;
  if (state !== 'received' || canonicalJson(before) === canonicalJson(files)) return null;
  const taken = contentText(files.length === 0 ? others : { ...others, files });
  return rest(work, { action: 'files-changed', content: taken, reason: null, dueInMs: FILES_SETTLE_MS });
}

interface WithFiles {
  readonly files?: readonly unknown[];
}
