// An act is done here, whichever way a person came: the person, the number of documents, the input and the role are checked, a second person
// is asked for where the tenant wants one, and then it is done. A preview goes through the same checks and changes nothing.
import { coded } from '../language/coded.js';
import { message } from '../language/messages.js';
import { say } from '../language/say.js';
import { requireRole } from './access/reach.js';
import { type Act, checkedAct } from './act.js';
import type { ActRequest } from './act-request.js';
import { type Action, type ActInput, actNamed, ACTS } from './acts.js';
import type { OperationsDeps } from './deps.js';
import { checkedInput } from './field-schemas.js';
import { type Wanted, withSecondPerson } from './four-eyes/second-person.js';
import { markPosted } from './mark-posted.js';
import { replayOne } from './replay.js';
import { refusalNow } from './replay-verdict.js';
import { moveToNew, previewRepost, repostPosting } from './repost.js';
import { reversalToAgreeOn, reversePosting } from './reverse.js';
import { holdPostings, releasePostings, skipPostings } from './skip.js';
import type { ActResult, ActResults } from './views/act.js';

interface Performer<Name extends Action> {
  run(request: ActRequest<Name>): Promise<ActResults[Name]>;
  /** What it would do; without it the preview is what the table of acts says of each document. */
  preview?(request: ActRequest<Name>): Promise<ActResults[Name]>;
  /** What a second person must agree to. */
  fourEyes?(request: ActRequest<Name>): Promise<readonly Wanted[]>;
}

const PERFORMERS: { readonly [Name in Action]: Performer<Name> } = {
  // It asks for the second person itself: once for each document that may have been sent.
  replay: { run: replayOne },
  skip: { run: skipPostings },
  hold: { run: holdPostings },
  release: { run: releasePostings },
  'mark-posted': {
    run: (request) => markPosted(request, false),
    preview: (request) => markPosted(request, true),
  },
  reverse: {
    run: (request) => reversePosting(request, false),
    preview: (request) => reversePosting(request, true),
    fourEyes: reversalToAgreeOn,
  },
  repost: { run: repostPosting, preview: previewRepost },
  'move-to-new': { run: moveToNew },
};

export async function runAct<Name extends Action>(
  deps: OperationsDeps,
  name: Name,
  ids: readonly string[],
  input: ActInput<Name>,
  by: Act,
): Promise<ActResults[Name]> {
  const request = await checkedRequest(deps, name, ids, input, by);
  const performer: Performer<Name> = PERFORMERS[name];
  if (!performer.fourEyes) return performer.run(request);
  return withSecondPerson(deps, await performer.fourEyes(request), request.by, () => performer.run(request));
}

export async function previewAct<Name extends Action>(
  deps: OperationsDeps,
  name: Name,
  ids: readonly string[],
  input: ActInput<Name>,
  by: Act,
): Promise<ActResults[Name] | ActResult> {
  const request = await checkedRequest(deps, name, ids, input, by);
  const performer: Performer<Name> = PERFORMERS[name];
  return performer.preview ? performer.preview(request) : possible(request);
}

async function checkedRequest<Name extends Action>(
  deps: OperationsDeps,
  name: Name,
  ids: readonly string[],
  input: ActInput<Name>,
  by: Act,
): Promise<ActRequest<Name>> {
  const { atOnce } = actNamed(name);
  const request = { deps, name, ids, by: checkedAct(by) };
  if (ids.length === 0 || ids.length > atOnce)
    throw coded('NOTHING_CHOSEN', message('NAME_DOCUMENTS', { most: atOnce }));
  const checked = { ...request, input: checkedInput(ACTS[name].input, input) as ActInput<Name> };
  await refuseRole(checked);
  return checked;
}

/** The command line names neither a reach nor a role: a person who has the machine may do everything. */
async function refuseRole({ deps, name, ids, by }: ActRequest): Promise<void> {
  const { reach } = deps;
  if (!reach && by.role === undefined) return;
  for (const { tenantName } of await deps.records.replayFacts(ids))
    requireRole(reach ?? new Map([[tenantName, by.role ?? 'viewer']]), tenantName, actNamed(name).role);
}

/** Which documents the table of acts allows it on now. */
async function possible({ deps, name, ids, input }: ActRequest): Promise<ActResult> {
  const { surelyAbsent = false }: ActInput<'replay'> = input;
  const choice = { surelyAbsent };
  const why = new Map(ids.map((id) => [id, message('DOES_NOT_EXIST')]));
  const done: string[] = [];
  for (const facts of await deps.records.replayFacts(ids)) {
    const refusal = refusalNow(name, facts, choice);
    if (refusal) why.set(facts.postingId, refusal.why);
    else if (why.delete(facts.postingId)) done.push(facts.postingId);
  }
  return {
    done,
    refused: [...why].map(([postingId, text]) => ({ postingId, why: say(deps.language, text) })),
  };
}
