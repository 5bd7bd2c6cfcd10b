// What was released of a document rests on its entry, so each release is undone first, on a claim of its own.
import { coded } from '../language/coded.js';
import { message } from '../language/messages.js';
import { isUndone, type KnownRelease } from '../sync/follow-up-records.js';
import { underClaim, type OperatorClaim } from './operator-claim.js';
import type { OperationsDeps } from './deps.js';
import type { ReverseResult } from './views/act.js';

export async function withReleases<Options extends { readonly dryRun?: boolean | undefined }>(
  deps: OperationsDeps,
  claim: OperatorClaim,
  options: Options,
  reverse: (claim: OperatorClaim, options: Options) => Promise<ReverseResult>,
): Promise<ReverseResult> {
  claim.refuseUnless('reverse');
  const undone: ReverseResult['entries'] = [];
  for (const { postingId } of await releasesToUndo(claim)) {
    const { entries } = await underClaim(deps, postingId, claim.act, (release) => reverse(release, options));
    undone.push(...entries.map((entry) => ({ ...entry, part: 'release' })));
    // The lease of the document runs anew with it.
    if (!options.dryRun) await claim.commit({ action: 'release-reversed', details: { postingId } });
  }
  const result = await reverse(claim, options);
  return { ...result, entries: [...undone, ...result.entries] };
}

/** Asked with the document on the claim: from then on none is booked. One that is under way, or waits, is not known to be undone. */
async function releasesToUndo(claim: OperatorClaim): Promise<readonly KnownRelease[]> {
  const document = await claim.bookedDocument();
  const open = document?.releases.filter(({ state }) => !isUndone(state)) ?? [];
  const unfinished = open.filter(({ state, isBooked }) => !isBooked || state === 'posting').length;
  if (unfinished > 0) throw coded('ACT_NOT_POSSIBLE', message('RELEASES_FIRST', { releases: unfinished }));
  return open;
}
