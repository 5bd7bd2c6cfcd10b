// The simulated service as one process sees it when it creates: requests are lost, late, or answered by a proxy while the service works
// on; answers are lost; lists are short, or behind by up to a minute.
import { createHash } from 'node:crypto';
import type { Clock } from '../../../src/domain/runtime.js';
import { CodedError } from '../../../src/domain/errors/coded-error.js';
import type {
  HowRecent,
  InvoicingTarget,
  Search,
  SendOutcome,
  TargetFile,
  TargetRequest,
  UploadOutcome,
} from '../../../src/service/invoicing-target.js';
import type { Kernel } from '../kernel.js';
import type { Life } from '../life.js';
import type { MemorySubmissions } from '../memory-submissions.js';
import type { ServiceBooks, Standing } from './service-books.js';
import { looksOf, type Shown, shownAsOf } from './target-looks.js';

/** Guards of the port that are taken away, one at a time. */
export interface SeededTargetFlaws {
  /** What a proxy says is taken for the service's word. */
  readonly trustsProxies?: boolean;
  /** A list is taken for complete, however short it is. */
  readonly trustsShortLists?: boolean;
  /** Nothing is ever found, once it was sent. */
  readonly searchesNothing?: boolean;
  /** Of several, only the first is shown. */
  readonly showsOne?: boolean;
  /** Requests leave whenever they like. */
  readonly leavesLate?: boolean;
  /** An upload that nobody has answered counts as one that was. */
  readonly trustsUploads?: boolean;
}

export interface TargetWires {
  readonly books: ServiceBooks;
  readonly records: MemorySubmissions;
  readonly flaws: SeededTargetFlaws;
  readonly clock: Clock;
  readonly life: Life;
  /** Of the submission that is worked on; empty where nobody makes anything. */
  readonly key: string;
}

const CALL_MS = 30_000;
/** A request that has left arrives within this. */
const LATE_MS_MAX = 2 * CALL_MS;
export const LAG_MS_MAX = 60_000;

export function simulatedTarget(wires: TargetWires): InvoicingTarget {
  return {
    takes: () => true,
    breach: () => null,
    send: (request, leaveBy, file) => send(wires, request, leaveBy, file),
    upload: (file, leaveBy) => upload(wires, file, leaveBy),
    ...looksOf((ours, how, recent) => list(wires, ours, how, recent)),
    endTask: () => Promise.resolve(),
  };
}

function isUp({ books }: TargetWires): boolean {
  return books.service.outage === null;
}

function refuseWhileDown(wires: TargetWires): void {
  const { outage, kernel, faulty } = wires.books.service;
  if (outage?.how === 'refuses') throw new CodedError('SOURCE_CREDENTIALS_REFUSED', 'the key is wrong');
  if (outage) throw new CodedError('SOURCE_UNREACHABLE', 'it cannot be reached');
  if (faulty && kernel.chance('the service shows nothing', 0.04))
    throw new CodedError('SOURCE_UNREACHABLE', 'no answer');
}

async function list(
  wires: TargetWires,
  ours: (standing: Standing) => boolean,
  how: 'list' | 'one',
  recent: HowRecent = { maxAgeMs: 0 },
): Promise<Search<Shown>> {
  const { books, flaws, life, records, key } = wires;
  const { kernel, faulty } = books.service;
  await life.step(kernel.between('a look at the service takes', 5, 60));
  refuseWhileDown(wires);
  const isBehind = faulty && kernel.chance('the service shows what was', 0.15);
  const lagMs = isBehind ? kernel.between('how far it is behind', 1_000, LAG_MS_MAX) : 0;
  const found = shownAsOf(books.standing, kernel.nowMs, lagMs + ageOf(kernel, recent)).filter(ours);
  // What is read by its guid is on no list, so that few lists decide anything: where they are to be seen deciding, more are short.
  const shortness = flaws.trustsShortLists ? 0.3 : 0.03;
  const isShort = how === 'list' && faulty && kernel.chance('a list of the service is short', shortness);
  await life.step(kernel.between('the look comes back after', 5, 30));
  if (flaws.searchesNothing && (records.rows.get(key)?.sends ?? 0) > 0)
    return { outcome: 'complete', found: [] };
  if (isShort && !flaws.trustsShortLists) return { outcome: 'incomplete', message: 'the list is short' };
  return {
    outcome: 'complete',
    found: isShort ? found.slice(1) : flaws.showsOne ? found.slice(0, 1) : found,
  };
}

/** A list that was read for somebody else: as old as it may be. */
function ageOf(kernel: Kernel, recent: HowRecent): number {
  const oldest = recent === 'lately' ? kernel.nowMs : recent.maxAgeMs;
  return oldest > 0 && kernel.chance('a list was read before', 0.5) ? oldest : 0;
}

type Fate = 'away' | 'lost' | 'late' | 'proxied' | 'refused' | 'unheard' | 'answered';

function fateOf({ books }: TargetWires): Fate {
  const { kernel, faulty } = books.service;
  if (!faulty) return 'answered';
  const luck = kernel.next('what becomes of a request', 1);
  const fates = [
    ['away', 0.03],
    ['lost', 0.06],
    ['late', 0.11],
    ['proxied', 0.17],
    ['refused', 0.21],
    ['unheard', 0.27],
  ] as const;
  return fates.find(([, below]) => luck < below)?.[0] ?? 'answered';
}

async function send(
  wires: TargetWires,
  request: TargetRequest,
  leaveBy: Date,
  file: TargetFile | undefined,
): Promise<SendOutcome> {
  const { books, records, flaws, clock, life, key } = wires;
  const { kernel } = books.service;
  await life.step(kernel.between('a request waits for its turn', 1, 200));
  if (clock.now() > leaveBy && !flaws.leavesLate)
    return { outcome: 'not-sent', why: 'too-late', message: 'too late' };
  if (!records.isIntended(key)) records.violations.push(`20: ${key} was sent without an intent on record`);
  if (!isUp(wires))
    return books.service.outage?.how === 'refuses'
      ? { outcome: 'not-sent', why: 'refused-credentials', message: 'the key is wrong' }
      : { outcome: 'not-sent', why: 'away', message: 'it cannot be reached' };
  const fate = fateOf(wires);
  const record = records.rows.get(key)?.record;
  kernel.note(`${request.act} ${request.kind} ${record?.reference ?? ''} is sent: ${fate}`);
  if (fate === 'away') return { outcome: 'not-sent', why: 'away', message: fate };
  if (fate === 'refused') return { outcome: 'rejected', message: 'the service says no' };
  if (fate === 'lost') {
    await life.step(CALL_MS);
    return { outcome: 'unknown', message: fate };
  }
  const arrived = arrival(wires, request, fate, file);
  if (fate === 'answered' || fate === 'unheard') return answered(wires, await arrived, fate);
  await life.step(fate === 'late' ? CALL_MS : kernel.between('how soon a proxy answers', 5, 3_000));
  return fate === 'proxied' && flaws.trustsProxies
    ? { outcome: 'not-sent', why: 'away', message: fate }
    : { outcome: 'unknown', message: fate };
}

/** An upload may happen unheard, and then happens again; nobody sees but the ids that a request names. */
async function upload(wires: TargetWires, file: TargetFile, leaveBy: Date): Promise<UploadOutcome> {
  const { books, clock, life, key, flaws } = wires;
  const { kernel } = books.service;
  await life.step(kernel.between('an upload waits for its turn', 1, 200));
  if (clock.now() > leaveBy) return { outcome: 'not-sent', why: 'too-late', message: 'too late' };
  if (!isUp(wires)) return { outcome: 'not-sent', why: 'away', message: 'it cannot be reached' };
  const sha256 = createHash('sha256').update(file.content).digest('hex');
  const fate = fateOf(wires);
  kernel.note(`${file.fileName} of ${key} is uploaded: ${fate}`);
  if (fate === 'away') return { outcome: 'not-sent', why: 'away', message: fate };
  if (fate === 'refused') return { outcome: 'rejected', message: 'the service does not like the file' };
  await life.step(kernel.between('an upload takes', 5, 400));
  if (flaws.trustsUploads && fate !== 'answered') return { outcome: 'uploaded', id: 'file-0' };
  if (fate === 'lost') return { outcome: 'unknown', message: fate };
  const id = books.keepFile(sha256);
  await life.step(fate === 'answered' ? kernel.between('its answer takes', 5, 60) : CALL_MS);
  return fate === 'answered' ? { outcome: 'uploaded', id } : { outcome: 'unknown', message: fate };
}

/** It arrives whatever becomes of its sender. */
async function arrival(
  { books, key }: TargetWires,
  request: TargetRequest,
  fate: Fate,
  file: TargetFile | undefined,
): Promise<Standing | null> {
  const { kernel } = books.service;
  books.onItsWay.set(key, (books.onItsWay.get(key) ?? 0) + 1);
  const isLate = fate === 'late' || fate === 'proxied';
  await kernel.sleep(
    isLate
      ? kernel.between('how late a request is', 1_000, LATE_MS_MAX)
      : kernel.between('a request takes', 5, 400),
  );
  books.onItsWay.set(key, (books.onItsWay.get(key) ?? 1) - 1);
  return books.take(request, file && createHash('sha256').update(file.content).digest('hex'));
}

async function answered(
  { books, life }: TargetWires,
  taken: Standing | null,
  fate: 'answered' | 'unheard',
): Promise<SendOutcome> {
  const { kernel, faulty } = books.service;
  await life.step(fate === 'unheard' ? CALL_MS : kernel.between('its answer takes', 5, 60));
  if (fate === 'unheard') return { outcome: 'unknown', message: fate };
  if (taken === null) return { outcome: 'rejected', message: 'there is no such thing, or it is Posted' };
  const isNamed = !(faulty && kernel.chance('the answer names no guid', 0.03));
  return { outcome: 'accepted', guid: isNamed ? taken.guid : null, paymentLink: null };
}
