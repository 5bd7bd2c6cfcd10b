// What was released of a document rests on its entry, so each release is undone first, on a desk of its own.
import { coded } from '../language/coded.js';
import { message } from '../language/messages.js';
import { isUndone } from '../pipeline/payments/settled-journals.js';
import type { KnownRelease } from '../pipeline/releases/records.js';
import { atDesk, type Desk } from './desk.js';
import type { OperationsDeps } from './deps.js';
import type { ReverseResult } from './views/act.js';

export async function withReleases<Options extends { readonly dryRun?: boolean | undefined }>(
  deps: OperationsDeps,
  desk: Desk,
  options: Options,
  reverse: (desk: Desk, options: Options) => Promise<ReverseResult>,
): Promise<ReverseResult> {
  desk.refuseUnless('reverse');
  const undone: ReverseResult['entries'] = [];
  for (const { postingId } of await releasesToUndo(desk)) {
    const { entries } = await atDesk(deps, postingId, desk.act, (release) => reverse(release, options));
    undone.push(...entries.map((entry) => ({ ...entry, part: 'release' })));
    // The lease of the document runs anew with it.
    if (!options.dryRun) await desk.commit({ action: 'release-reversed', details: { postingId } });
  }
  const result = await reverse(desk, options);
  return { ...result, entries: [...undone, ...result.entries] };
}

/** Asked with the document on the desk: from then on none is booked. One that is under way, or waits, is not known to be undone. */
async function releasesToUndo(desk: Desk): Promise<readonly KnownRelease[]> {
  const document = await desk.bookedDocument();
  const open = document?.releases.filter(({ state }) => !isUndone(state)) ?? [];
  const unfinished = open.filter(({ state, isBooked }) => !isBooked || state === 'posting').length;
  if (unfinished > 0) throw coded('ACT_NOT_POSSIBLE', message('RELEASES_FIRST', { releases: unfinished }));
  return open;
}
