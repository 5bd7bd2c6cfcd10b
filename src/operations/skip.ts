// Skip: a person decides that a document is not booked. The source is told, and only about the content that it showed when
// the decision was made, so each document is read before.
import { CodedError, errorWords } from '../domain/errors/coded-error.js';
import { isSourceKind } from '../domain/source-document.js';
import { errorText } from '../language/coded.js';
import { message, reason, saidBy } from '../language/messages.js';
import { say } from '../language/say.js';
import type { FetchOutcome } from '../service/invoicing-source.js';
import { FINISH_FIRST_MS } from '../sync/back-off.js';
import { documentFacts } from '../sync/examine.js';
import type { PostingChange } from '../sync/posting-records.js';
import { bounded } from '../sync/outcomes.js';
import type { ActRequest } from './act-request.js';
import { underClaim, type OperatorClaim } from './operator-claim.js';
import type { ActResult } from './views/act.js';
import { refusalOf } from './acts.js';
import type { Move } from './records.js';

export async function skipPostings(request: ActRequest<'skip'>): Promise<ActResult> {
  const { deps, ids, input } = request;
  const result: ActResult = { done: [], refused: [] };
  const tell = (postingId: string, why: string) => void result.refused.push({ postingId, why });
  for (const [at, postingId] of ids.entries()) {
    try {
      await underClaim(request, postingId, (claim) => skip(claim, input.writeBack ?? true));
      result.done.push(postingId);
    } catch (error) {
      if (error instanceof CodedError) {
        tell(postingId, errorText(deps.language, error));
        continue;
      }
      // Whoever asked must hear what is done already: the source is told of it, and a cost leaves Skipped only by move-to-new.
      tell(postingId, say(deps.language, message('SKIP_NOT_KNOWN', { what: saidBy(errorWords(error)) })));
      for (const rest of ids.slice(at + 1)) tell(rest, say(deps.language, message('SKIP_NOT_TRIED')));
      return result;
    }
  }
  return result;
}

async function skip(claim: OperatorClaim, writeBack: boolean): Promise<void> {
  const { posting, tenant } = claim;
  const decided: PostingChange = {
    action: 'skipped-by-operator',
    to: 'skipped',
    reason: reason('SKIPPED_BY_OPERATOR', { why: claim.act.reason }),
    tries: 0,
    dueInMs: null,
    release: true,
  };
  // Of what follows a document nobody is told.
  if (!isSourceKind(posting.kind)) return claim.commit(decided);
  const fetched = writeBack ? await tenant.source.get(posting.kind, posting.guid) : null;
  // What was deleted or already decided at the source takes no status any more.
  if (fetched?.outcome !== 'found' || fetched.document.accountingStatus !== 'Created')
    return claim.commit({ ...decided, ...statusSeen(fetched) });
  await claim.commit({
    ...decided,
    dueInMs: FINISH_FIRST_MS,
    document: documentFacts(fetched),
    writeBack: { act: 'decide', wanted: 'Skipped', message: bounded(`Not booked: ${claim.act.reason}`) },
  });
}

/** The status it was found with goes on record: otherwise it would count as Created, and a person who reopens it at the source
 * would change nothing that a sweep could see. */
function statusSeen(fetched: FetchOutcome | null): Pick<PostingChange, 'sourceStatus'> {
  switch (fetched?.outcome) {
    case 'found':
      return { sourceStatus: fetched.document.accountingStatus };
    case 'gone':
      return { sourceStatus: 'gone' };
    default:
      return {};
  }
}

// Hold and release: acts that only decide; nothing goes to the ERP or to the source.

type Judged = Omit<Move, 'postingId' | 'tenantName' | 'from' | 'fence'>;

export function holdPostings(request: ActRequest<'hold'>): Promise<ActResult> {
  const why = reason('HELD_BY_OPERATOR', { why: request.by.reason });
  return moveAll(request, 'held-by-operator', { to: 'held', dueInMs: null, why });
}

export function releasePostings(request: ActRequest<'release'>): Promise<ActResult> {
  return moveAll(request, 'released', { to: 'discovered', dueInMs: 0, why: null });
}

/** In one transaction, each by compare-and-set on its state and fence. */
async function moveAll(
  { deps, name, ids, by }: ActRequest<'hold' | 'release'>,
  audited: string,
  move: Judged,
): Promise<ActResult> {
  const moves: Move[] = [];
  const refused = new Map(ids.map((id) => [id, message('DOES_NOT_EXIST')]));
  for (const facts of await deps.records.replayFacts(ids)) {
    const { postingId, tenantName, state, fence } = facts;
    const refusal = refusalOf(name, facts);
    refused.set(postingId, refusal?.why ?? message('CHANGED_MEANWHILE'));
    if (!refusal) moves.push({ postingId, tenantName, from: state, fence, ...move });
  }
  moves.sort((a, b) => (a.tenantName < b.tenantName ? -1 : 1));
  const done = await deps.records.moveAll(by, audited, moves);
  for (const id of done) refused.delete(id);
  deps.poke();
  const told = [...refused].map(([postingId, why]) => ({ postingId, why: say(deps.language, why) }));
  return { done: [...done], refused: told };
}
