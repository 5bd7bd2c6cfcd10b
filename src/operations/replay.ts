// Replay: a new attempt under the same key, through the same protocol. First a preview, then a run: what was chosen is on
// record, it is worked off in small transactions that a crash cannot tear, and the documents become due at a pace the
// ERP can bear. Whoever finds a run unfinished goes on with it.
import { CodedError } from '../domain/errors/coded-error.js';
import type { TenantName } from '../domain/ids.js';
import { coded } from '../language/coded.js';
import type { Message } from '../domain/message.js';
import { POSTING_STATES } from '../domain/posting.js';
import { message } from '../language/messages.js';
import { type Language, say } from '../language/say.js';
import { type Act, checkedAct } from './act.js';
import type { ActRequest } from './act-request.js';
import { type ActInput, ACTS } from './acts.js';
import { causeFilter } from './causes.js';
import type { OperationsDeps } from './deps.js';
import { checkedInput } from './field-schemas.js';
import { allThatFit, searchDocuments } from './find-documents.js';
import type {
  ItemResult,
  OpenItem,
  SearchedFor,
  Selection,
  StoredRun,
  StoredSelection,
  TakenRun,
} from './run-records.js';
import { type Wanted, withSecondPerson } from './four-eyes/second-person.js';
import {
  replayVerdict,
  stillLacksItsRule,
  type ReplayChoice,
  type ReplayFacts,
  type ReplayVerdict,
} from './replay-verdict.js';
import { PREVIEW_SHOWN_MAX, type ReplayPreview, type RunView } from './views/act.js';

export type ReplayOptions = ActInput<'replay'>;

const RUN_DOCUMENTS_MAX = 100_000;
const PER_SECOND = 20;
const FACTS_AT_ONCE = 1_000;
const BATCH = 100;
/** Renewed with every batch, which takes less than a second: so soon somebody else goes on after a crash. */
const LEASE_MS = 10_000;

export async function previewReplay(
  deps: OperationsDeps,
  selection: Selection,
  options: ReplayOptions,
): Promise<ReplayPreview> {
  const perSecond = paceOf(options);
  const ids = await chosen(deps, selection);
  const choice = choiceOf(options);
  const groups = new Map<string, ReplayPreview['groups'][number]>();
  const items: ReplayPreview['items'] = [];
  const canFindOut = erpsThatCanTell(deps);
  let [eligible, resting] = [0, 0];
  for (let start = 0; start < ids.length; start += FACTS_AT_ONCE) {
    for (const facts of await deps.records.replayFacts(ids.slice(start, start + FACTS_AT_ONCE))) {
      const verdict = replayVerdict(facts, choice);
      const goesOn = verdict.eligible && verdict.to === 'posting' && facts.attemptUncertain;
      const parksAgain = goesOn && !(await canFindOut(facts.tenantName));
      const holdsAgain = verdict.eligible && stillLacksItsRule(facts);
      const restsAgain = parksAgain || holdsAgain;
      const said = restsAgain ? RESTS_AGAIN[parksAgain ? 'parked' : 'held'] : whatHappens(verdict);
      const sentence = say(deps.language, said);
      const instead = verdict.eligible ? null : verdict.instead;
      const group = groups.get(sentence) ?? { eligible: verdict.eligible, sentence, instead, count: 0 };
      groups.set(sentence, { ...group, count: group.count + 1 });
      if (verdict.eligible) eligible++;
      if (restsAgain) resting++;
      const { postingId, tenantName, state } = facts;
      if (items.length < PREVIEW_SHOWN_MAX)
        items.push({ postingId, tenantName, state, eligible: verdict.eligible, sentence });
    }
  }
  return {
    total: ids.length,
    eligible,
    restsAgain: resting,
    ineligible: ids.length - eligible,
    tooMany: ids.length >= RUN_DOCUMENTS_MAX,
    perSecond,
    secondsNeeded: Math.ceil(eligible / perSecond),
    groups: [...groups.values()].sort((a, b) => b.count - a.count),
    items,
  };
}

const WHAT_HAPPENS = {
  discovered: message('REPLAYS_FROM_THE_START'),
  posting: message('REPLAYS_BY_FINDING_OUT'),
  posted: message('REPLAYS_THE_STATUS'),
  stay: message('REPLAYS_NOW'),
} as const;

const RESTS_AGAIN = {
  parked: message('REPLAY_PARKS_AGAIN'),
  held: message('REPLAY_HOLDS_AGAIN'),
} as const;

function whatHappens(verdict: ReplayVerdict): Message {
  return verdict.eligible ? WHAT_HAPPENS[verdict.to] : verdict.why;
}

/** Whether an ERP can be asked about, or be sent again, what may have reached it. */
function erpsThatCanTell({ connections }: OperationsDeps): (tenantName: TenantName) => Promise<boolean> {
  const known = new Map<string, boolean>();
  return async (tenantName) => {
    const before = known.get(tenantName);
    if (before !== undefined) return before;
    // A tenant that cannot be connected now may well be able to tell later.
    const tenant = await connections.get(tenantName).catch(() => null);
    const capabilities = tenant?.erp.capabilities;
    const can = capabilities?.lookUp !== 'none' || capabilities.idempotency !== 'none';
    known.set(tenantName, can);
    return can;
  };
}

/** Puts the run on record; `workOffRuns` does the work, here or in any other process. */
export async function startReplay(
  deps: OperationsDeps,
  selection: Selection,
  act: Act,
  options: ReplayOptions,
): Promise<RunView> {
  const checked = checkedAct(act);
  const perSecond = paceOf(options);
  const postingIds = await chosen(deps, selection);
  if (postingIds.length === 0) throw coded('NOTHING_CHOSEN', message('NOTHING_FITS'));
  const choice = choiceOf(options);
  const start = async () =>
    readRun(deps, await deps.records.startRun(checked, { postingIds, perSecond, choice }));
  if (!choice.surelyAbsent) return start();
  return withSecondPerson(deps, await surelyAbsent(deps, postingIds), checked, start);
}

/** One document, from its page: what a run would leave alone is refused. */
export async function replayOne({ deps, ids, input, by }: ActRequest<'replay'>): Promise<RunView> {
  const chosenOne = { postingIds: ids };
  const { items } = await previewReplay(deps, chosenOne, input);
  const refused = items.find(({ eligible }) => !eligible);
  if (refused) throw new CodedError('ACT_NOT_POSSIBLE', refused.sentence);
  return startReplay(deps, chosenOne, by, input);
}

/** Each document that may have been sent is agreed on by itself. */
async function surelyAbsent(deps: OperationsDeps, postingIds: readonly string[]): Promise<readonly Wanted[]> {
  const because = ['surely-absent'] as const;
  const wanted: Wanted[] = [];
  for (let start = 0; start < postingIds.length; start += FACTS_AT_ONCE)
    for (const facts of await deps.records.replayFacts(postingIds.slice(start, start + FACTS_AT_ONCE)))
      if (facts.attemptUncertain)
        wanted.push({
          tenantName: facts.tenantName,
          act: 'surely-absent',
          because,
          subject: facts.postingId,
          how: {},
        });
  return wanted;
}

export async function readRun(deps: OperationsDeps, id: string): Promise<RunView> {
  const found = /^[0-9a-f-]{36}$/i.test(id) ? await deps.records.run(id) : null;
  if (!found) throw coded('RUN_NOT_FOUND', message('RUN_UNKNOWN', { id }));
  return runView(deps.language, found);
}

export function runView(language: Language, { refusals, rests, ...run }: StoredRun): RunView {
  const inWords = (list: StoredRun['refusals']) =>
    list.map(({ why, count }) => ({ why: say(language, why), count }));
  return { ...run, refusals: inWords(refusals), rests: inWords(rests) };
}

/** Works off one run, or every unfinished one. Safe to call from many processes at once. */
export async function workOffRuns(
  deps: OperationsDeps,
  owner: string,
  options: {
    readonly runId?: string;
    readonly signal?: AbortSignal;
    readonly onBatch?: (done: number) => void;
  } = {},
): Promise<void> {
  const isStopped = () => options.signal?.aborted ?? false;
  while (!isStopped()) {
    const run = await deps.records.takeRun(options.runId ?? null, owner, LEASE_MS);
    if (!run) return;
    while (!isStopped()) {
      const items = await deps.records.openItems(run.id, BATCH);
      if (items.length === 0) {
        await deps.records.closeRun(run.id, owner);
        break;
      }
      if (!(await deps.records.finishItems(run, owner, LEASE_MS, await judge(deps, run, items)))) return;
      options.onBatch?.(items.length);
      deps.poke();
    }
    if (options.runId !== undefined) return;
  }
}

async function judge(
  deps: OperationsDeps,
  run: TakenRun,
  items: readonly OpenItem[],
): Promise<readonly ItemResult[]> {
  const facts = new Map(
    (await deps.records.replayFacts(items.map((item) => item.postingId))).map((one) => [one.postingId, one]),
  );
  return items.map((item) => {
    const known = facts.get(item.postingId);
    if (!known) return { ...item, move: null, message: message('DOES_NOT_EXIST') };
    const verdict = replayVerdict(known, { ...run.choice, chosenAgoMs: run.ageMs });
    if (!verdict.eligible) return { ...item, move: null, message: verdict.why };
    return {
      ...item,
      move: moveOf(known, verdict.to, waitOf(run, item.number)),
      message: message('CHANGED_MEANWHILE'),
    };
  });
}

/** The pace is kept by when each becomes due, so that no process has to wait for it. */
function waitOf(run: TakenRun, number: number): number {
  return Math.max(0, (number / run.perSecond) * 1000 - run.ageMs);
}

function moveOf(facts: ReplayFacts, to: 'discovered' | 'posting' | 'posted' | 'stay', dueInMs: number) {
  const { postingId, tenantName, state, fence } = facts;
  return { postingId, tenantName, from: state, fence, to: to === 'stay' ? null : to, dueInMs, why: null };
}

async function chosen(deps: OperationsDeps, selection: Selection): Promise<readonly string[]> {
  if (selection.search !== undefined) return found(deps, selection.search);
  return deps.records.select(storedSelection(selection), RUN_DOCUMENTS_MAX);
}

/** The oldest first, as far as one run takes them. */
async function found(deps: OperationsDeps, search: SearchedFor): Promise<readonly string[]> {
  const ids: string[] = [];
  const pages = allThatFit((query) => searchDocuments(deps, query), { ...search, order: 'found' });
  for await (const rows of pages) {
    ids.push(...rows.map(({ postingId }) => postingId));
    if (ids.length >= RUN_DOCUMENTS_MAX) break;
  }
  return ids.slice(0, RUN_DOCUMENTS_MAX).reverse();
}

function storedSelection({ postingIds, cause, tenant, states, kind }: Selection): StoredSelection {
  if (postingIds === undefined && cause === undefined && tenant === undefined && states === undefined)
    throw coded('NOTHING_CHOSEN', message('SAY_WHICH'));
  const filter = cause === undefined ? null : causeFilter(cause);
  return {
    postingIds: postingIds ?? null,
    reason: filter?.reason ?? null,
    subject: filter?.subject ?? null,
    companies: tenant === undefined ? null : [tenant],
    // Without ids, only what does not go on by itself: whoever means more says so.
    states: states ?? (postingIds === undefined ? ['held', 'parked', 'rejected'] : POSTING_STATES),
    kind: kind ?? null,
  };
}

function choiceOf({ surelyAbsent = false }: ReplayOptions): ReplayChoice {
  return { surelyAbsent };
}

function paceOf({ perSecond, surelyAbsent }: ReplayOptions): number {
  return checkedInput(ACTS.replay.input, { perSecond, surelyAbsent }).perSecond ?? PER_SECOND;
}
