// A document may wait for days: for its plan, its customer, its turn. Where people cancel it at its origin meanwhile, no list says so any
// more, since lists show what is to go out; so it is read once more before it leaves. Nor does a list say that somebody has put a file
// beside it, or another one in its place: what stands there at that moment goes with it.
import { canonicalJson } from '../domain/canonical-json.js';
import { Decimal, ZERO } from '../domain/money.js';
import type { Told as Words } from '../domain/message.js';
import { reason, saidBy } from '../language/messages.js';
import type { OriginProblem, OriginRecord } from '../origins/origin.js';
import { TRIES_MAX } from '../sync/back-off.js';
import { contentText, invoiceContent } from '../origins/content.js';
import { type Advanced, hold, park, rest, type SubmissionWork, holdAndTell } from './submission-work.js';

const ASK_AGAIN_MS = 60_000;
/** How soon somebody has put right what keeps it from being read. */
const MENDED_MS = 5 * 60_000;
/** Of what was refused: less and less often, but this often in the end. */
const MENDED_MS_MAX = 60 * 60_000;
/** Some two weeks of them; then it takes a replay. */
const MENDED_LOOKS_MAX = 340;
/** Whoever puts one file there may be about to put another. */
const FILES_SETTLE_MS = 5_000;

/** null: it may leave. An origin that does not answer is waited for: it uses up no tries. */
export async function takenBack(work: SubmissionWork): Promise<Advanced | null> {
  const { reference, state } = work.claimed;
  const asked = await askOrigin(work);
  if (asked === 'never') return null;
  if (asked === 'gone') return park(work, reason('GONE_AT_ORIGIN', { reference }));
  if ('silent' in asked) return waitForOrigin(work, asked.silent);
  if (!('problem' in asked)) return hasLess(work, asked) ? waitForLook(work) : takeFiles(work, asked);
  // What is in doubt stays so, whatever stands beside it.
  if (state !== 'received') return rest(work, { action: 'waits-for-origin', dueInMs: ASK_AGAIN_MS });
  const what = saidBy({ message: asked.problem, said: asked.said });
  return holdAndTell(work, reason('UNREADABLE_AT_ORIGIN', { what }), { dueInMs: MENDED_MS });
}

/** `never`: what this origin handed over stays so. */
async function askOrigin({ stage, claimed, tenant }: SubmissionWork) {
  const { kind, reference, place } = claimed;
  const origin = tenant.origins.get(claimed.origin);
  if (origin?.takesBack === undefined) return 'never';
  // Read before the origin is asked, so that a look in between is at most a reason to ask once more.
  const cursor = origin.takesBack === 'lines' ? await stage.store.cursor(tenant.name, origin.name) : null;
  return origin.read(kind, reference, place, cursor).then(
    (record): OriginRecord | OriginProblem | 'gone' => record ?? 'gone',
    (error: unknown) => ({ silent: error instanceof Error ? error : { message: String(error) } }),
  );
}

/** Less is on its lines than was handed over. What was sent, or may have been, stays as it is. */
function hasLess({ claimed, tenant }: SubmissionWork, now: OriginRecord): boolean {
  if (tenant.origins.get(claimed.origin)?.takesBack !== 'lines' || claimed.request !== null) return false;
  const left = totalsByItem(now.content);
  return [...totalsByItem(claimed.content)].some(([item, total]) => total.gt(left.get(item) ?? ZERO));
}

function totalsByItem(content: string): ReadonlyMap<string, Decimal> {
  const { lines } = invoiceContent.parse(JSON.parse(content));
  return new Map(
    lines.map(({ item_number: item, qty, unit_price: price }) => [item, new Decimal(qty).times(price)]),
  );
}

/** It uses up no tries. What is in doubt stays so. */
function waitForOrigin(work: SubmissionWork, error: Words): Promise<Advanced> {
  const { state, tries } = work.claimed;
  if (state !== 'received') return rest(work, { action: 'waits-for-origin', dueInMs: ASK_AGAIN_MS });
  return hold(work, reason('ORIGIN_SILENT', { what: saidBy(error) }), { tries, dueInMs: ASK_AGAIN_MS });
}

/** The next list has what is left, unless the record rested for something else when its origin listed that: then a person decides. */
function waitForLook(work: SubmissionWork): Promise<Advanced> {
  const tries = work.claimed.tries + 1;
  const why = reason('LESS_AT_ORIGIN', { reference: work.claimed.reference });
  return tries > TRIES_MAX ? park(work, why) : hold(work, why, { tries, dueInMs: MENDED_MS });
}

/** null: they are the same. What was sent with with others, or may have been, stays as it is. */
async function takeFiles(work: SubmissionWork, now: OriginRecord): Promise<Advanced | null> {
  const taken = work.claimed.state === 'received' ? withFilesOf(work, now) : null;
  if (taken === null) return null;
  return rest(work, { action: 'files-changed', content: taken, reason: null, dueInMs: FILES_SETTLE_MS });
}

/** null: its files are the same. */
function withFilesOf({ claimed }: SubmissionWork, now: OriginRecord): string | null {
  const { files: before = [], ...others } = JSON.parse(claimed.content) as WithFiles;
  const { files = [] } = JSON.parse(now.content) as WithFiles;
  if (canonicalJson(before) === canonicalJson(files)) return null;
  return contentText(files.length === 0 ? others : { ...others, files });
}

/**
 * It was refused, so nothing of it stands at the service. Where it has files, one of them may be why, and no list says that somebody has put
 * that right: so they are looked at now and then, and with others it begins anew. null: there is nothing to look at.
 */
export async function mendedFiles(work: SubmissionWork): Promise<Advanced | null> {
  const { content, tries, reason: why } = work.claimed;
  // Other files do not make its reference free.
  if (why?.code === 'REFERENCE_TAKEN') return null;
  if (tries >= MENDED_LOOKS_MAX || (JSON.parse(content) as WithFiles).files === undefined) return null;
  const asked = await askOrigin(work);
  if (asked === 'never') return null;
  const taken = typeof asked === 'object' && 'content' in asked ? withFilesOf(work, asked) : null;
  if (taken === null) {
    const dueInMs = Math.min(MENDED_MS * 2 ** Math.min(tries, 10), MENDED_MS_MAX);
    return rest(work, { action: 'told', tries: tries + 1, dueInMs });
  }
  const anew = { to: 'received', reason: null, tries: 0, dueInMs: FILES_SETTLE_MS } as const;
  return rest(work, { action: 'files-changed', content: taken, ...anew });
}

interface WithFiles {
  readonly files?: readonly unknown[];
}
