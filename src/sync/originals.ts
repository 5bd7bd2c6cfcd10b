// One step of one original file, after its entry is in the ERP: fetch it, store it, attach it to the entry. The posting does not wait for it.
// The result of an attachment may be unknown like that of a posting: the intent is on record before a byte is sent, an uncertain one waits until
// nothing can be in flight, and an adapter looks at the entry before it attaches.
import { CodedError, waitMsOf } from '../domain/errors/coded-error.js';
import { keptWords, type Told } from '../domain/message.js';
import type { OriginalReason, OriginalRole, OriginalState } from '../domain/original.js';
import type { Runtime } from '../domain/runtime.js';
import type { SourceFile } from '../service/invoicing-source.js';
import { saidBy, told } from '../language/messages.js';
import { jittered, retryInMs, TRIES_MAX, WAITS_MS } from './back-off.js';
import type { FailPoints } from './fail-points.js';
import type { TenantContext } from './tenant-context.js';
import { inFlightMaxMs, type PostTiming } from './work.js';
import type { Guid, TenantName } from '../domain/ids.js';
import type { SourceKind } from '../domain/source-document.js';
import type { ErpReference } from '../erp/erp-adapter.js';
import { trimEndOf, trimStartOf } from '../domain/text.js';

export interface OriginalsDeps {
  readonly runtime: Runtime;
  readonly records: OriginalRecords;
  readonly vault: OriginalVault;
  readonly failPoints: FailPoints;
  readonly timing: PostTiming;
}

export interface OriginalsWish {
  /** false: they are kept here, and the ERP gets none. */
  readonly attach: boolean;
  readonly bytesMax: number;
}

export type Advanced = 'again' | 'rested' | 'lost';

export async function advanceOriginal(
  stage: OriginalsDeps,
  tenant: TenantContext,
  wish: OriginalsWish,
  claimed: OriginalRecord,
): Promise<Advanced> {
  const work: OriginalWork = { stage, tenant, wish, claimed };
  try {
    switch (claimed.state) {
      case 'wanted':
        return await commit(work, await fetchOriginal(stage, tenant, wish, claimed), 'after-original-stored');
      case 'fetched':
        return await attachFirst(work);
      case 'attaching':
      case 'unknown':
        return await attachAgain(work);
      case 'absent':
      case 'kept':
      case 'attached':
      case 'parked':
        return await commit(work, { dueInMs: null });
    }
  } catch (error) {
    return commit(work, failed(work, error));
  }
}

interface OriginalWork {
  readonly stage: OriginalsDeps;
  readonly tenant: TenantContext;
  readonly wish: OriginalsWish;
  readonly claimed: OriginalRecord;
}

async function commit(
  { stage, claimed }: OriginalWork,
  change: OriginalChange,
  then?: Parameters<FailPoints['reach']>[0],
): Promise<Advanced> {
  const done = await stage.records.commit(claimed, change);
  if (then !== undefined) await stage.failPoints.reach(then);
  return done ? 'rested' : 'lost';
}

/** Nothing of it is on record as sent; but a database that was put back may have forgotten what is still on its way. */
async function attachFirst(work: OriginalWork): Promise<Advanced> {
  const { stage, tenant, claimed } = work;
  const waitMs = inFlightMaxMs(stage, tenant) - (claimed.restoredAgoMs ?? Number.POSITIVE_INFINITY);
  return waitMs > 0 ? commit(work, { dueInMs: Math.ceil(waitMs) }) : attach(work);
}

/** It may have been sent: nothing is done before everything that was ever sent has arrived or never will. */
async function attachAgain(work: OriginalWork): Promise<Advanced> {
  const { stage, tenant, claimed } = work;
  const waitMs = inFlightMaxMs(stage, tenant) - (claimed.sentAgoMs ?? Number.POSITIVE_INFINITY);
  if (waitMs > 0) return commit(work, { to: 'unknown', dueInMs: Math.ceil(waitMs) });
  if (claimed.state === 'attaching') return commit(work, { to: 'unknown', dueInMs: 0 });
  return attach(work);
}

async function attach(work: OriginalWork): Promise<Advanced> {
  const { stage, tenant, wish, claimed } = work;
  const { sha256, contentType } = claimed;
  if (sha256 === null || contentType === null)
    return commit(work, parked('STORE_CHANGED', told('ORIGINAL_NOT_ON_RECORD')));
  const reading = await stage.vault.read(sha256);
  if (reading.outcome !== 'whole') return commit(work, notInStore(work, reading.outcome));
  if (!tenant.erp.capabilities.attachments || !wish.attach) {
    const maybeThere = claimed.state === 'unknown';
    return commit(
      work,
      maybeThere
        ? parked('ERP_REFUSED', told('TAKES_NO_FILES_NOW'))
        : { to: 'kept', reason: null, dueInMs: null },
    );
  }
  const { clock } = stage.runtime;
  const deadline = clock.now().getTime() + stage.timing.sendByMs;
  const fileName = nameInErp({ ...claimed, sha256, contentType });
  // The store works again, if it did not: that it was away is no reason any more.
  const intent: OriginalChange = {
    ...{ to: 'attaching', sending: { fileName }, reason: null, dueInMs: 0, keep: true },
  };
  if (!(await stage.records.commit(claimed, intent))) return 'lost';
  await stage.failPoints.reach('after-attach-intent');
  const sent: OriginalWork = { ...work, claimed: { ...claimed, state: 'attaching' } };
  // A process that slept must not send now: somebody else may be looking whether it is there.
  if (clock.now().getTime() > deadline) {
    const back = claimed.state === 'unknown' ? 'unknown' : 'fetched';
    return commit(sent, { to: back, dueInMs: 0 });
  }
  const outcome = await tenant.erp.attach(claimed.reference, {
    fileName,
    contentType,
    content: reading.content,
  });
  await stage.failPoints.reach('after-attach');
  return commit(sent, judged(sent, outcome));
}

/**
 * Stored a moment ago and gone: the same bytes of an old document were removed in the moment in which these came, before a row
 * named them (operations/originals-expiry.ts). Nothing was sent, so it is fetched again.
 */
function notInStore({ claimed, stage }: OriginalWork, outcome: 'missing' | 'changed'): OriginalChange {
  const tries = claimed.tries + 1;
  const isNew = claimed.state === 'fetched' && claimed.sentAgoMs === null;
  if (outcome !== 'missing' || !isNew || tries > TRIES_MAX)
    return parked('STORE_CHANGED', told('STORED_FILE_IS', { how: outcome }));
  return { to: 'wanted', tries, dueInMs: retryInMs(tries, stage.runtime.random) };
}

function judged(
  work: OriginalWork,
  outcome: Awaited<ReturnType<TenantContext['erp']['attach']>>,
): OriginalChange {
  const { stage, tenant, claimed } = work;
  const { random } = stage.runtime;
  switch (outcome.outcome) {
    case 'attached':
      return { to: 'attached', reason: null, tries: 0, dueInMs: null };
    case 'rejected':
      return parked('ERP_REFUSED', told('REFUSED_AS', { code: outcome.code, what: saidBy(outcome) }));
    case 'unknown':
      return inDoubt(work, outcome, inFlightMaxMs(stage, tenant));
    case 'transient':
    case 'auth': {
      const waitMs = 'retryAfterMs' in outcome ? outcome.retryAfterMs : undefined;
      // An earlier send may have arrived; this one surely had no effect.
      const back = claimed.sentAgoMs === null ? 'fetched' : 'unknown';
      return { to: back, dueInMs: waitMs ?? jittered(WAITS_MS.outageMost, random) };
    }
  }
}

function inDoubt({ claimed, stage }: OriginalWork, words: Told, waitMs: number): OriginalChange {
  const tries = claimed.tries + 1;
  if (tries > TRIES_MAX) return { ...parked('TRIES_EXHAUSTED', words), tries };
  return { to: 'unknown', tries, dueInMs: Math.max(waitMs, retryInMs(tries, stage.runtime.random)) };
}

export function parked(code: OriginalReason, words: Told): OriginalChange {
  return { to: 'parked', reason: { code, detail: keptWords(words, 300) }, dueInMs: null };
}

/** An outage uses up no tries; anything else is tried a bounded number of times and then shown to a person. */
function failed(work: OriginalWork, error: unknown): OriginalChange {
  const { claimed, stage } = work;
  const { random } = stage.runtime;
  const words: Told = error instanceof Error ? error : { message: String(error) };
  if (error instanceof CodedError && error.definition.disposition !== 'stop') {
    const dueInMs = waitMsOf(error) ?? jittered(WAITS_MS.outageMost, random);
    // The others have breakers, which say so; of the store nobody else would hear.
    return error.code === 'ORIGINALS_STORE_UNAVAILABLE'
      ? { dueInMs, reason: { code: 'STORE_AWAY', detail: words.message.slice(0, 300) } }
      : { dueInMs };
  }
  // What threw may have thrown after it was sent.
  if (claimed.state === 'unknown' || claimed.state === 'attaching') return inDoubt(work, words, 0);
  const tries = claimed.tries + 1;
  return tries > TRIES_MAX
    ? { ...parked('TRIES_EXHAUSTED', words), tries }
    : { tries, dueInMs: retryInMs(tries, random) };
}

// ---- Fetch ----
// A file that is too large, of an unknown type, or not what it claims to be is not stored; a person sees it instead.
type Reason = { readonly code: OriginalReason; readonly detail: string };
type Taken = { readonly file: StoredFile } | { readonly refused: Reason };

const SOURCE_NAME_CHARACTERS_MAX = 200;

export async function fetchOriginal(
  stage: OriginalsDeps,
  tenant: TenantContext,
  wish: OriginalsWish,
  claimed: OriginalRecord,
): Promise<OriginalChange> {
  const found = await tenant.source.originals(claimed.kind, claimed.guid);
  switch (found.outcome) {
    case 'gone':
      return absent('DOCUMENT_GONE');
    case 'unavailable':
      return absent('NO_PDF_ON_SURFACE');
    case 'found': {
      const ours = found.files.find(({ role }) => role === claimed.role);
      const beside = claimed.role === 'file' ? await besideIt(stage, wish, found.files) : {};
      if (ours === undefined) return { ...absent('NONE_AT_SOURCE'), ...beside };
      const taken = await take(stage, wish, ours);
      if ('refused' in taken) return { to: 'parked', reason: taken.refused, dueInMs: null, ...beside };
      return { to: 'fetched', file: taken.file, reason: null, tries: 0, dueInMs: 0, ...beside };
    }
  }
}

/** The e-invoice came in the same answer: asking for it again would only cost the source. */
async function besideIt(
  stage: OriginalsDeps,
  wish: OriginalsWish,
  files: readonly SourceFile[],
): Promise<Pick<OriginalChange, 'beside'>> {
  const role: OriginalRole = 'ubl';
  const ubl = files.find((file) => file.role === role);
  if (ubl === undefined)
    return { beside: { role, file: null, reason: { code: 'NONE_AT_SOURCE', detail: '' } } };
  const taken = await take(stage, wish, ubl);
  return 'refused' in taken
    ? { beside: { role, file: null, reason: taken.refused } }
    : { beside: { role, file: taken.file, reason: null } };
}

async function take(stage: OriginalsDeps, wish: OriginalsWish, file: SourceFile): Promise<Taken> {
  const { content, fileName } = file;
  if (content === null) return { refused: { code: 'NOT_BASE64', detail: '' } };
  const size = content.byteLength;
  if (size > wish.bytesMax)
    return { refused: { code: 'TOO_LARGE', detail: `${String(size)} > ${String(wish.bytesMax)}` } };
  const type = fileTypeOf(content);
  if (type === null) return { refused: { code: 'TYPE_NOT_TAKEN', detail: sourceName(fileName) } };
  const { sha256 } = await stage.vault.put(content);
  return {
    file: { sha256, size, contentType: type.contentType, sourceName: sourceName(fileName) },
  };
}

function sourceName(name: string): string {
  return name
    .replaceAll(/[\p{Cc}\p{Cf}]+/gu, ' ')
    .trim()
    .slice(0, SOURCE_NAME_CHARACTERS_MAX);
}

function absent(code: OriginalReason): OriginalChange {
  return { to: 'absent', reason: { code, detail: '' }, dueInMs: null };
}

// What is on record of original files. A store promises: `commit` is one transaction, a compare-and-set on (id, fence), refused with false if another
// process has the original by now. All times are those of the database.

export interface OriginalRecord {
  readonly id: string;
  readonly tenantName: TenantName;
  readonly postingId: string;
  readonly generation: number;
  readonly kind: SourceKind;
  readonly guid: Guid;
  /** Of the document, for people and for the name of the file in the ERP. */
  readonly documentNo: string;
  readonly role: OriginalRole;
  readonly state: OriginalState;
  readonly fence: number;
  readonly tries: number;
  readonly sha256: string | null;
  readonly contentType: string | null;
  readonly size: number | null;
  /** Of the entry that it belongs to. */
  readonly reference: ErpReference;
  /** How long ago it was last sent, by the database's clock; null: never. */
  readonly sentAgoMs: number | null;
  /** How long ago the database was put back to an earlier state; null: not lately. What was sent before may be forgotten. */
  readonly restoredAgoMs: number | null;
}

interface StoredFile {
  readonly sha256: string;
  readonly size: number;
  readonly contentType: string;
  /** As the source called it: for people, never a path. */
  readonly sourceName: string;
}

export interface OriginalChange {
  /** Left out: it stays where it is. */
  readonly to?: OriginalState;
  readonly reason?: { readonly code: OriginalReason; readonly detail: string } | null;
  readonly file?: StoredFile;
  readonly tries?: number;
  /** When it is looked at again; null: only a person moves it. */
  readonly dueInMs: number | null;
  /** About to be sent under this name. */
  readonly sending?: { readonly fileName: string };
  /** The lease is kept: the same work goes on with it. */
  readonly keep?: boolean;
  /** What came with it: the e-invoice that was fetched together with the file of a cost. */
  readonly beside?: {
    readonly role: OriginalRole;
    readonly file: StoredFile | null;
    readonly reason: { readonly code: OriginalReason; readonly detail: string } | null;
  };
}

export interface OriginalRecords {
  /** false: somebody else has it by now; nothing was written. */
  commit(claimed: OriginalRecord, change: OriginalChange): Promise<boolean>;
}

/** Files by the hash of their bytes. What is in it under a hash has that hash, or `read` says that it has not. */
export interface OriginalVault {
  put(content: Uint8Array): Promise<{ readonly sha256: string; readonly size: number }>;
  read(sha256: string): Promise<VaultReading>;
}

export type VaultReading =
  | { readonly outcome: 'whole'; readonly content: Uint8Array }
  | { readonly outcome: 'changed' }
  | { readonly outcome: 'missing' };

// The type of a file, by its first bytes and not by its name, and the name that it gets in the ERP. Names from outside may be anything, even a path.

const HEAD_BYTES = 1_024;

interface FileType {
  readonly contentType: string;
  readonly extension: string;
  readonly begins: (head: Buffer) => boolean;
}

const bytes = (...values: number[]) => Buffer.from(values);
const startsWith = (...starts: readonly Buffer[]) => {
  return (head: Buffer) => starts.some((start) => head.subarray(0, start.length).equals(start));
};

const FILE_TYPES: readonly FileType[] = [
  {
    contentType: 'application/pdf',
    extension: 'pdf',
    // Some writers put a few bytes before the header; readers look for it in the first kilobyte.
    begins: (head) => head.includes('%PDF-'),
  },
  {
    contentType: 'image/jpeg',
    extension: 'jpg',
    begins: startsWith(bytes(0xff, 0xd8, 0xff)),
  },
  {
    contentType: 'image/png',
    extension: 'png',
    begins: startsWith(bytes(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)),
  },
  {
    contentType: 'image/gif',
    extension: 'gif',
    begins: startsWith(Buffer.from('GIF87a'), Buffer.from('GIF89a')),
  },
  {
    contentType: 'application/xml',
    extension: 'xml',
    begins: (head) =>
      /^\uFEFF?\s*<(\?xml|[A-Za-z][\w.-]*:?Invoice|[A-Za-z][\w.-]*:?CreditNote)\b/.test(
        head.toString('utf8'),
      ),
  },
];

/** null: nothing that the bridge takes for an original. */
export function fileTypeOf(content: Uint8Array): Pick<FileType, 'contentType' | 'extension'> | null {
  const head = Buffer.from(content.buffer, content.byteOffset, Math.min(content.byteLength, HEAD_BYTES));
  return FILE_TYPES.find(({ begins }) => begins(head)) ?? null;
}

const NAME_CHARACTERS_MAX = 60;

/**
 * The same for the same file of the same document, so that an ERP that is asked twice can see that it has it: number of the
 * document, what it is, and the first digits of its hash.
 */
export function nameInErp(of: {
  readonly kind: string;
  readonly documentNo: string;
  readonly role: OriginalRole;
  readonly sha256: string;
  readonly contentType: string;
}): string {
  const extension = FILE_TYPES.find(({ contentType }) => contentType === of.contentType)?.extension ?? 'bin';
  const safe = of.documentNo.normalize('NFC').replaceAll(/[^\p{L}\p{N}-]+/gu, '-');
  const number = trimStartOf(trimEndOf(safe, '-'), '-').slice(0, NAME_CHARACTERS_MAX);
  return `${of.kind}-${number === '' ? 'unnumbered' : number}-${of.role}-${of.sha256.slice(0, 12)}.${extension}`;
}
