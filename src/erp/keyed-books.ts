// The port on an ERP whose entries are found by our key. The steps of a posting are written here once and read from top to bottom; an
// ERP's folder brings the requests (`ErpBooks`) and what its chart of accounts holds (`Chart`). Nothing is sent under a key that the
// ERP already knows, nothing counts as posted before it was read back, and a key has one writer at a time in this process.
// Reads throw `ReadFailed`, which is caught here, once per method of the port; requests with an effect answer what became of them.
import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import type { PostingKey } from '../domain/ids.js';
import type { Journal } from '../domain/journal.js';
import { journalFromPlain, journalJsonSchema, plainJournal } from '../domain/journal-json.js';
import type { Message, Told } from '../domain/message.js';
import { isPostingKey } from '../domain/posting-key.js';
import type { IsoDate } from '../domain/source-document.js';
import type { HttpClient } from '../http/http-client.js';
import { message, saidBy } from '../language/messages.js';
import {
  type Answer,
  asAnswer,
  asEffect,
  asLookUp,
  inDoubt,
  type LookUpAnswer,
  ok,
  orFailure,
  ReadFailed,
} from './answer.js';
import type { Chart, ChartFacts } from './chart.js';
import { checkJournal, entryDifferences } from './compare-entry.js';
import type * as port from './erp-adapter.js';
import { reverseByMirror } from './reversal.js';
import { listFailed, rejected, told, wordsOf } from './told.js';
import type { ErpLog, PostOutcome } from './erp-adapter.js';

/** One ERP's part. `Request` is what is stored before anything is sent, and what a resend sends again. */
export interface ErpBooks<Request extends object, Facts extends ChartFacts> {
  /** Name of the ERP in texts. */
  readonly system: string;
  readonly ledger: string;
  readonly capabilities: port.ErpCapabilities;
  readonly chart: Chart<Facts>;
  /** How a stored request is read. */
  readonly stored: z.ZodType<Request>;

  /** The journal in the form that this ERP can hold. Left out: as it is. */
  adapt?(journal: Journal): Journal;
  /** Writes the request for a journal that passed the chart. May create partners, and changes nothing else. */
  write(post: port.PostRequest, facts: Facts, undoes?: port.ErpEntry): Promise<Request>;

  /** All entries with this key, drafts included. */
  readByKey(key: PostingKey): Promise<Entries>;
  readByReference(reference: string): Promise<Entries>;
  /** All entries of the period; those without a key of ours are left out by the driver. */
  readPeriod(period: Period): AsyncIterable<port.ErpEntry>;

  /**
   * The one request that creates the entry. Returns the id of a draft that must be posted, the entry where the answer shows it, or
   * undefined where this was the posting and the answer shows nothing.
   */
  create(sending: Sending<Request>): Promise<Answer<string | port.ErpEntry | undefined>>;
  /**
   * Only where the ERP recognises a key that it has seen. Null: the refusal is about something else. Otherwise the entry is looked up,
   * and this is the outcome when there is none.
   */
  keyTaken?(refusal: port.Rejected): port.PostOutcome | null;
  /** What to say when the ERP took an entry and does not show it. */
  notShown?(sending: Sending<Request>): Told;
  /** Only where create and post are two requests. */
  readonly drafts?: DraftRequests;

  readonly files?: FileRequests;
  readonly matching?: Matching;
  /** Why `resume` or `reverse` cannot be asked for. */
  readonly cannot?: { readonly resume?: Told; readonly reverse?: Told };
  /** Findings of a connection check that come from the settings alone. */
  settingsFindings?(): readonly port.Finding[];
}

type Entries = readonly port.ErpEntry[];

export interface Period {
  readonly from: IsoDate;
  readonly to: IsoDate;
}

export interface Sending<Request> {
  readonly key: PostingKey;
  readonly request: Request;
  readonly files: readonly port.Attachment[];
}

export interface DraftRequests {
  /** The ERP adds lines of its own to a draft, so it is compared before it is posted. */
  readonly addsLines: boolean;
  read(id: string): Promise<port.ErpEntry | undefined>;
  /** Returns the entry where the answer shows it; otherwise it is read. */
  post(draft: Draft): Promise<Answer<port.ErpEntry | undefined>>;
  /** Left out: a draft that the ERP refuses to post is left for people. */
  remove?(id: string): Promise<Answer<unknown>>;
}

export interface Draft {
  readonly id: string;
  readonly key: PostingKey;
}

export interface FileRequests {
  isThere(reference: port.ErpReference, file: port.Attachment): Promise<boolean>;
  upload(reference: port.ErpReference, file: port.Attachment): Promise<Answer<unknown>>;
}

/** Sets an entry against another one. Looks at what is open first, so it may be repeated. */
export interface Matching {
  withInvoice(entry: PostedEntry, journal: Journal): Promise<Told | undefined>;
  withOriginal(entry: PostedEntry, request: port.ReverseRequest): Promise<Told | undefined>;
}

export type PostedEntry = Pick<port.ErpEntry, 'key' | 'reference'>;

/** After each of these pauses a posted entry is looked up once more. */
const READ_BACK_PAUSES_MS = [0, 200, 800] as const;

export class KeyedBooks<Request extends object, Facts extends ChartFacts> implements port.ErpAdapter {
  readonly capabilities: port.ErpCapabilities;
  readonly ledger: string;
  /** Present only where the ERP matches: callers go by that. */
  declare readonly match?: NonNullable<port.ErpAdapter['match']>;
  readonly #books: ErpBooks<Request, Facts>;
  readonly #http: Pick<HttpClient, 'close'>;
  readonly #locks = new OneAtATime();

  constructor(books: ErpBooks<Request, Facts>, http: Pick<HttpClient, 'close'>) {
    this.#books = books;
    this.#http = http;
    this.capabilities = books.capabilities;
    this.ledger = books.ledger;
    const { matching } = books;
    if (!matching) return;
    this.match = (entry, journal) =>
      this.#locks.run(entry.key, () => unmatched(() => matching.withInvoice(entry, journal)));
  }

  health(): Promise<port.ErpHealth> {
    return orFailure(async () => {
      const { company } = await this.#books.chart.open();
      return { outcome: 'healthy', ...company };
    });
  }

  async validate(expected: port.ExpectedChart): Promise<readonly port.Finding[]> {
    const findings = await this.#books.chart.findings(expected);
    return [...findings, ...(this.#books.settingsFindings?.() ?? [])];
  }

  prepare(request: port.PostRequest): Promise<port.PrepareOutcome> {
    return orFailure(() => this.#prepare(request));
  }

  async #prepare(post: port.PostRequest, undoes?: port.ErpEntry): Promise<port.PrepareOutcome> {
    const journal = this.#books.adapt?.(post.journal) ?? post.journal;
    const invalid = checkJournal(journal, this.capabilities);
    if (invalid) return invalid;
    const facts = await this.#books.chart.check(journal);
    const written = await this.#books.write({ ...post, journal }, facts, undoes);
    const request = JSON.stringify({ journal: plainJournal(journal), ...written });
    return { outcome: 'prepared', prepared: { key: post.key, request } };
  }

  post(prepared: port.PreparedPost): Promise<port.PostOutcome> {
    return this.#locks.run(prepared.key, () => this.#post(prepared));
  }

  async #post(prepared: port.PreparedPost): Promise<port.PostOutcome> {
    const { key, files = [] } = prepared;
    const { journal, request } = this.#stored(prepared);
    // An ERP that recognises a key it has seen needs no look-up before.
    if (this.capabilities.idempotency === 'none') {
      const before = alreadyThere(await this.findByKey(key), journal, this.capabilities);
      if (before.outcome === 'answer') return before.answer;
      if (before.outcome === 'draft') return this.#finish(before.entry, journal);
    }
    const sending = { key, request, files };
    const created = await asEffect(() => this.#books.create(sending));
    if (created.outcome === 'rejected') return this.#refused(created, key, journal);
    if (created.outcome !== 'ok') return created;
    const { value } = created;
    if (value === undefined) return this.#readBack(sending, journal);
    if (typeof value === 'string') return this.#postDraft({ id: value, key }, journal);
    return this.#matched(confirmed(value, journal, this.capabilities), key, journal);
  }

  /** The key may be taken by this very journal, or by something else: only what the ERP has can tell. */
  async #refused(refusal: port.Rejected, key: PostingKey, journal: Journal): Promise<port.PostOutcome> {
    const otherwise = this.#books.keyTaken?.(refusal) ?? null;
    if (!otherwise) return refusal;
    const there = alreadyThere(await this.findByKey(key), journal, this.capabilities);
    return there.outcome === 'answer' ? there.answer : otherwise;
  }

  /** Create was the posting, and its answer shows nothing: the entry is looked up until it shows. */
  async #readBack(sending: Sending<Request>, journal: Journal): Promise<port.PostOutcome> {
    for (const pauseMs of READ_BACK_PAUSES_MS) {
      if (pauseMs > 0) await sleep(pauseMs);
      const after = alreadyThere(await this.findByKey(sending.key), journal, this.capabilities);
      if (after.outcome === 'draft') return this.#finish(after.entry, journal);
      // A look-up that failed says nothing about the entry that was sent.
      if (after.outcome === 'answer' && !hasFailed(after.answer)) return after.answer;
    }
    const { system } = this.#books;
    const text =
      this.#books.notShown?.(sending) ?? told('SYSTEM_TOOK_NOT_SHOWN', { system, key: sending.key });
    return { outcome: 'unknown', ...text };
  }

  /** A draft that was found: posted only when it is what was meant. Where people post drafts, it stays what it is. */
  async #finish(draft: port.ErpEntry, journal: Journal): Promise<port.PostOutcome> {
    const same = confirmed(draft, journal, this.capabilities);
    if (same.outcome === 'rejected' || !this.#books.drafts) return same;
    return this.#bookDraft(this.#books.drafts, { id: draft.reference.id, key: draft.key }, journal);
  }

  /** A draft that we have just made. */
  async #postDraft(draft: Draft, journal: Journal): Promise<port.PostOutcome> {
    const { drafts, system } = this.#books;
    if (!drafts) throw new TypeError(`${system} returned a draft and has no requests for drafts.`);
    if (drafts.addsLines) {
      const made = await readDraft(drafts, draft.id);
      if (!made) return { outcome: 'unknown', ...told('DRAFT_NOT_READ', { system, id: draft.id }) };
      const same = confirmed(made, journal, this.capabilities);
      if (same.outcome === 'rejected') return removeDraft(drafts, draft.id, { ...same, code: 'invalid' });
    }
    return this.#bookDraft(drafts, draft, journal);
  }

  async #bookDraft(drafts: DraftRequests, draft: Draft, journal: Journal): Promise<port.PostOutcome> {
    const { id, key } = draft;
    const booked = await asEffect(() => drafts.post(draft));
    if (booked.outcome === 'rejected') return removeDraft(drafts, id, booked);
    // The draft is there, whatever became of the posting: only a look-up can tell, so nothing here is merely transient.
    if (booked.outcome !== 'ok') return inDoubt(booked);
    const entry = booked.value ?? (await readDraft(drafts, id));
    if (!entry) return { outcome: 'unknown', ...told('BOOKED_NOT_READ', { system: this.#books.system, id }) };
    return this.#matched(confirmed(entry, journal, this.capabilities), key, journal);
  }

  /** An entry is matched only once it was read back and is what was meant. */
  async #matched(outcome: port.PostOutcome, key: PostingKey, journal: Journal): Promise<port.PostOutcome> {
    const { matching } = this.#books;
    if (outcome.outcome !== 'posted' || !matching) return outcome;
    const withInvoice = () => matching.withInvoice({ key, ...outcome }, journal);
    return withUnmatched(outcome, await unmatched(withInvoice));
  }

  findByKey(key: PostingKey): Promise<port.FindOutcome> {
    return lookedUp(() => this.#books.readByKey(key));
  }

  findByReference(reference: string): Promise<port.FindOutcome> {
    return lookedUp(() => this.#books.readByReference(reference));
  }

  resume(draft: port.ErpEntry, prepared: port.PreparedPost): Promise<port.PostOutcome> {
    const { cannot } = this.#books;
    if (cannot?.resume) return Promise.resolve(rejected('unsupported', cannot.resume));
    return this.#locks.run(prepared.key, () => this.#finish(draft, this.#stored(prepared).journal));
  }

  reverse(request: port.ReverseRequest): Promise<port.PostOutcome> {
    const { cannot, matching } = this.#books;
    const { key, original } = request;
    if (cannot?.reverse) return Promise.resolve(rejected('unsupported', cannot.reverse));
    return this.#locks.run(original.key, async () => {
      const outcome = await reverseByMirror(this, request, (journal) =>
        orFailure(() => this.#prepare({ key, journal }, original)),
      );
      if (outcome.outcome !== 'posted' || !matching) return outcome;
      const withOriginal = () => matching.withOriginal({ key, ...outcome }, request);
      return withUnmatched(outcome, await unmatched(withOriginal));
    });
  }

  async attach(reference: port.ErpReference, file: port.Attachment): Promise<port.AttachOutcome> {
    const { files, system } = this.#books;
    if (!files) return rejected('unsupported', told('NO_FILES_ON_JOURNALS', { system }));
    const there = await asAnswer(() => files.isThere(reference, file));
    if (there.outcome !== 'ok') return there;
    if (there.value) return { outcome: 'attached' };
    const uploaded = await asEffect(() => files.upload(reference, file));
    return uploaded.outcome === 'ok' ? { outcome: 'attached' } : uploaded;
  }

  entries(period: Period): AsyncIterable<port.ErpEntry> {
    return listed(this.#books.readPeriod(period));
  }

  close(): Promise<void> {
    return this.#http.close();
  }

  #stored({ request }: port.PreparedPost): { readonly journal: Journal; readonly request: Request } {
    const plain: unknown = JSON.parse(request);
    const { journal } = withJournal.parse(plain);
    return { journal: journalFromPlain(journal), request: this.#books.stored.parse(plain) };
  }
}

const withJournal = z.object({ journal: journalJsonSchema });

/** Why it could not be set against the other one; a read that fails is such a reason, since the entry itself is booked. */
export async function unmatched(match: () => Promise<Told | undefined>): Promise<Told | undefined> {
  const failed = await orFailure(match);
  return failed && wordsOf(failed);
}

/** Undefined when it could not be read either: it is there, and a look-up has to tell. */
async function readDraft(drafts: DraftRequests, id: string): Promise<port.ErpEntry | undefined> {
  const read = await asAnswer(() => drafts.read(id));
  return read.outcome === 'ok' ? read.value : undefined;
}

/** A draft that the ERP will not post is of no use. One that cannot be removed either is reported as being there. */
async function removeDraft(
  drafts: DraftRequests,
  id: string,
  refusal: port.Rejected,
): Promise<port.PostOutcome> {
  if (!drafts.remove) return refusal;
  const removed = await asEffect(async () => drafts.remove?.(id) ?? ok(undefined));
  return removed.outcome === 'ok' ? refusal : { outcome: 'draft', reference: { id } };
}

function hasFailed({ outcome }: port.PostOutcome): boolean {
  return outcome === 'transient' || outcome === 'auth';
}

/**
 * For ERPs whose drafts are posted by people: drafts are read first, so what is posted between the two look-ups shows twice rather than
 * not at all, and a third look-up tells.
 */
export async function draftsAndPosted(
  readDrafts: () => Promise<Entries>,
  readPosted: () => Promise<Entries>,
): Promise<Entries> {
  const drafts = await readDrafts();
  const posted = await readPosted();
  if (drafts.length === 0 || posted.length === 0) return [...posted, ...drafts];
  return [...posted, ...(await readDrafts())];
}

interface Line {
  readonly key: string;
  last: Promise<unknown>;
}

/**
 * Runs the work of one key one after the other within this process, and different keys at once. A second belt beside the database's
 * lease: search-then-create is only safe when no other call searches in between.
 */
export class OneAtATime {
  /** Few at once. A Map would be full of what has been taken out of it (http/exchanges.ts). */
  readonly #lines: Line[] = [];

  async run<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    const line = this.#lineOf(key);
    const mine = line.last.then(work, work);
    line.last = mine;
    try {
      return await mine;
    } finally {
      if (line.last === mine) this.#lines.splice(this.#lines.indexOf(line), 1);
    }
  }

  #lineOf(key: string): Line {
    const known = this.#lines.find((line) => line.key === key);
    if (known) return known;
    const line = { key, last: Promise.resolve() };
    this.#lines.push(line);
    return line;
  }
}

/** The outcome of a look-up, by how many entries it found. */
export function foundEntries(answer: LookUpAnswer<readonly port.ErpEntry[]>): port.FindOutcome {
  if (answer.outcome !== 'ok') return answer;
  const [entry] = answer.value;
  if (!entry) return { outcome: 'none' };
  return answer.value.length === 1 ? { outcome: 'one', entry } : { outcome: 'many', entries: answer.value };
}

/** Those with a key of ours. A list that could not be read to its end throws the port's error. */
export async function* listed(entries: AsyncIterable<port.ErpEntry>): AsyncIterable<port.ErpEntry> {
  try {
    for await (const entry of entries) if (isPostingKey(entry.key)) yield entry;
  } catch (error) {
    throw error instanceof ReadFailed ? listFailed(error.failure) : error;
  }
}

/** A look-up by reads that throw. What refuses it says nothing about the key. */
export async function lookedUp(read: () => Promise<Entries>): Promise<port.FindOutcome> {
  return foundEntries(asLookUp(await asAnswer(() => read())));
}

/** The look-up before a send. Nothing may be sent under a key that the books know, and what they know must be what we meant. */
export type AlreadyThere =
  | { readonly outcome: 'nothing' }
  | { readonly outcome: 'draft'; readonly entry: port.ErpEntry }
  | { readonly outcome: 'answer'; readonly answer: port.PostOutcome };

const DIFFERENCES_SHOWN = 5;

export function alreadyThere(
  found: port.FindOutcome,
  journal: Journal,
  capabilities: port.ErpCapabilities,
): AlreadyThere {
  switch (found.outcome) {
    case 'none':
      return { outcome: 'nothing' };
    case 'one':
      return found.entry.state === 'draft'
        ? { outcome: 'draft', entry: found.entry }
        : { outcome: 'answer', answer: confirmed(found.entry, journal, capabilities) };
    case 'many': {
      const words = told('SEVERAL_UNDER_KEY', { count: found.entries.length });
      return { outcome: 'answer', answer: rejected('duplicate', words) };
    }
    case 'transient':
    case 'auth':
      return { outcome: 'answer', answer: found };
  }
}

/** Posted (or pending) when the entry is what was meant; a collision otherwise. */
export function confirmed(
  entry: port.ErpEntry,
  journal: Journal,
  capabilities: port.ErpCapabilities,
): port.PostOutcome {
  const differences = entryDifferences(journal, entry, capabilities);
  if (differences.length === 0) {
    return { outcome: entry.state, reference: entry.reference };
  }
  const shown = firstDifferences(differences);
  const name = entry.reference.number ?? entry.reference.id;
  return rejected('collision', told('NOT_WHAT_WAS_SENT', { entry: name, differences: shown }));
}

/** As many as a person reads. */
export function firstDifferences(differences: readonly Message[]): Message {
  return message('DIFFERENCES', { each: differences.slice(0, DIFFERENCES_SHOWN) });
}

// Setting a payment or a credit note against its invoice comes after the booking and changes no amount. It looks at what is open before it
// does anything, so that it may be tried again, whatever became of the try before; a few times, and then a person is told.

const PAUSES_MS = [0, 300, 1_500] as const;

interface SetAgainst {
  readonly system: string;
  /** What a bookkeeper finds the entry by. */
  readonly entry: string;
  readonly log: ErpLog;
  readonly pausesMs?: readonly number[];
}

/** Undefined when it is done, or when there is nothing to do. A read that fails in it is a try that failed. */
export async function setAgainst(
  { system, entry, log, pausesMs = PAUSES_MS }: SetAgainst,
  match: () => Promise<Answer<unknown>>,
): Promise<Told | undefined> {
  let answer: Answer<unknown> = { outcome: 'ok', value: undefined };
  for (const pauseMs of pausesMs) {
    if (pauseMs > 0) await sleep(pauseMs);
    answer = await orFailure(match);
    if (answer.outcome !== 'transient' && answer.outcome !== 'unknown') break;
  }
  if (answer.outcome === 'ok') return undefined;
  const words = told('NOT_SET_AGAINST', { system, entry, why: saidBy(answer, 250) });
  log.warn({ entry }, words.message);
  return words;
}

/** What was booked stands, whether or not it was set against its invoice. */
export function withUnmatched(outcome: PostOutcome, unmatched: Told | undefined): PostOutcome {
  return outcome.outcome === 'posted' && unmatched ? { ...outcome, unmatched } : outcome;
}
