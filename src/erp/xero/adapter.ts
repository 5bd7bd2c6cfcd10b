// The port on Xero's manual journals. A journal is created and posted in one request under an idempotency key that lives
// six minutes; after that the narration, which opens with the key, is what it is found by.
import * as z from 'zod';
import { CodedError } from '../../domain/errors/coded-error.js';
import { isPostingKey } from '../../domain/posting-key.js';
import type { AccessTokens } from '../../http/client-credentials.js';
import type { HttpClient } from '../../http/http-client.js';
import { writeWireJson } from '../../http/wire-json.js';
import { alreadyThere, confirmed } from '../already-there.js';
import { asLookUp, type LookUpAnswer } from '../answer.js';
import { checkJournal } from '../check-journal.js';
import type * as port from '../erp-adapter.js';
import { journalFromPlain, journalJsonSchema, plainJournal } from '../../domain/journal-json.js';
import { REVERSAL_MARK } from '../mirror-journal.js';
import { OneAtATime } from '../one-at-a-time.js';
import { reverseByMirror } from '../reverse-by-mirror.js';
import * as assumed from './assumptions.js';
import { XeroClient } from './client.js';
import type { XeroConfiguration } from './config.js';
import { XeroSetup } from './setup.js';
import { keyOf, toEntry, toXeroJournal, undoneBy } from './translate.js';
import { xeroAttachments, xeroJournals, type XeroJournalRead } from './wire.js';

const preparedRequest = z.object({
  journal: journalJsonSchema,
  body: z.string(),
  /** How often Xero has definitely refused what was prepared under this key before. */
  refusals: z.int().min(0).default(0),
});
const LIVE = new Set(['POSTED', 'DRAFT']);

export class XeroAdapter implements port.ErpAdapter {
  readonly capabilities: port.ErpCapabilities;
  readonly ledger: string;
  readonly #http: HttpClient;
  readonly #client: XeroClient;
  readonly #setup: XeroSetup;
  readonly #configuration: XeroConfiguration;
  readonly #perKey = new OneAtATime();

  constructor(
    configuration: XeroConfiguration,
    services: port.ErpServices,
    http: HttpClient,
    tokens: AccessTokens,
  ) {
    const { clock } = services;
    this.#configuration = configuration;
    this.#http = http;
    this.#client = new XeroClient({ http, clock, tokens, configuration });
    this.capabilities = capabilitiesOf(configuration, services.vatMode);
    this.#setup = new XeroSetup(this.#client, configuration, clock, this.capabilities.vatMode);
    this.ledger = `xero:${configuration.tenantId}`;
  }

  async health(): Promise<port.ErpHealth> {
    const organisation = await this.#setup.organisation();
    if (organisation.outcome !== 'ok') return organisation;
    // The books have shown that they are those of this kennitala, or the connection would be refused.
    const { company: registrationNo } = this.#configuration;
    return { outcome: 'healthy', company: organisation.value, registrationNo };
  }

  validate(expected: port.ExpectedChart): Promise<readonly port.Finding[]> {
    return this.#setup.findings(expected);
  }

  async prepare(request: port.PostRequest): Promise<port.PrepareOutcome> {
    const { journal, key } = request;
    const crooked = checkJournal(journal, this.capabilities) ?? (await this.#setup.check(journal));
    if (crooked) return crooked;
    const refusals = refusalsBefore(request);
    const { vatMode } = this.capabilities;
    const sent = toXeroJournal(key, journal, this.#configuration, vatMode);
    const body = writeWireJson({ ManualJournals: [sent] });
    const stored = JSON.stringify({ journal: plainJournal(journal), body, refusals });
    return { outcome: 'prepared', prepared: { key, request: stored } };
  }

  post(prepared: port.PreparedPost): Promise<port.PostOutcome> {
    return this.#perKey.run(prepared.key, () => this.#postOnce(prepared));
  }

  /** The narration of a reversal names the key that it undoes, so one request finds an entry and what became of it. */
  async findByKey(key: string): Promise<port.FindOutcome> {
    const answer = asLookUp(await this.#client.journals(assumed.narrationContains(key), 1));
    if (answer.outcome !== 'ok') return answer;
    const live = answer.value.filter((journal) => LIVE.has(journal.Status));
    const wasReversed = live.some(
      (journal) => journal.Status === 'POSTED' && undoneBy(journal.Narration) === key,
    );
    const ours = live.filter((journal) => keyOf(journal.Narration) === key);
    return this.#found({ outcome: 'ok', value: ours }, wasReversed);
  }

  async findByReference(reference: string): Promise<port.FindOutcome> {
    if (!z.guid().safeParse(reference).success) return { outcome: 'none' };
    const answer = await this.#client.get(`ManualJournals/${reference}`, xeroJournals);
    if (answer.outcome === 'rejected') return { outcome: 'none' };
    if (answer.outcome !== 'ok') return answer;
    const [journal] = answer.value.ManualJournals;
    if (!journal || !LIVE.has(journal.Status)) return { outcome: 'none' };
    const key = keyOf(journal.Narration);
    return isPostingKey(key) ? this.findByKey(key) : this.#found({ outcome: 'ok', value: [journal] }, false);
  }

  async resume(draft: port.ErpEntry, prepared: port.PreparedPost): Promise<port.PostOutcome> {
    const journal = journalOf(prepared);
    const same = confirmed(draft, journal, this.capabilities);
    if (same.outcome === 'rejected') return same;
    const answer = await this.#change(draft, 'POSTED');
    return answer.outcome === 'ok'
      ? confirmed(toEntry(answer.value, this.#configuration), journal, this.capabilities)
      : answer;
  }

  reverse(request: port.ReverseRequest): Promise<port.PostOutcome> {
    const { key, original } = request;
    return this.#perKey.run(original.key, () =>
      reverseByMirror(this, request, (journal) => this.prepare({ key, journal })),
    );
  }

  /** Asked twice it is one attachment: the same name with as many bytes is there already. */
  async attach(reference: port.ErpReference, attachment: port.Attachment): Promise<port.AttachOutcome> {
    const { fileName, contentType, content } = attachment;
    const path = `ManualJournals/${reference.id}/Attachments`;
    const there = await this.#client.get(path, xeroAttachments);
    if (there.outcome !== 'ok') return there;
    const isThere = there.value.Attachments.some(
      ({ FileName, ContentLength }) => FileName === fileName && ContentLength === content.byteLength,
    );
    if (isThere) return { outcome: 'attached' };
    const answer = await this.#client.attach(reference.id, fileName, contentType, content);
    return answer.outcome === 'ok' ? { outcome: 'attached' } : answer;
  }

  async *entries(period: { readonly from: string; readonly to: string }): AsyncIterable<port.ErpEntry> {
    const where = `Date>=${dateTime(period.from)} AND Date<=${dateTime(period.to)}`;
    let undone: ReadonlySet<string> | undefined;
    for await (const journal of this.#listed(where)) {
      const key = keyOf(journal.Narration);
      if (!LIVE.has(journal.Status) || !isPostingKey(key)) continue;
      undone ??= await this.#undone();
      yield toEntry(journal, this.#configuration, undone.has(key));
    }
  }

  /** Keys that a reversal of ours names. It may lie in another period than what it undoes, so none is left out. */
  async #undone(): Promise<ReadonlySet<string>> {
    const undone = new Set<string>();
    for await (const { Narration, Status } of this.#listed(assumed.narrationContains(`${REVERSAL_MARK} `))) {
      const key = undoneBy(Narration);
      if (Status === 'POSTED' && key !== undefined) undone.add(key);
    }
    return undone;
  }

  async *#listed(where: string): AsyncIterable<XeroJournalRead> {
    for (let page = 1; page <= assumed.LIST_PAGES_MAX; page++) {
      const answer = await this.#client.journals(where, page);
      if (answer.outcome !== 'ok') throw new CodedError('ERP_LIST_FAILED', answer.message);
      yield* answer.value;
      if (answer.value.length < assumed.PAGE_SIZE) return;
    }
  }

  close(): Promise<void> {
    return this.#http.close();
  }

  async #postOnce(prepared: port.PreparedPost): Promise<port.PostOutcome> {
    const { body, refusals } = readStored(prepared);
    const journal = journalOf(prepared);
    const answer = await this.#client.createJournal(idempotencyKey(prepared.key, refusals), body);
    if (answer.outcome === 'rejected' && assumed.OTHER_BODY.test(answer.message)) {
      return this.#afterOtherBody(prepared.key, journal);
    }
    if (answer.outcome !== 'ok') return answer;
    return confirmed(toEntry(answer.value, this.#configuration), journal, this.capabilities);
  }

  /** Another body went out under this key within six minutes. If it was booked, that is a collision; if not, wait. */
  async #afterOtherBody(key: string, journal: ReturnType<typeof journalOf>): Promise<port.PostOutcome> {
    const there = alreadyThere(await this.findByKey(key), journal, this.capabilities);
    if (there.outcome === 'answer') return there.answer;
    const message = 'Xero still holds an earlier version of this document under its key.';
    return { outcome: 'transient', message, retryAfterMs: assumed.KEY_HELD_MS };
  }

  #change(draft: port.ErpEntry, Status: 'POSTED' | 'DELETED') {
    const { id } = draft.reference;
    const body = JSON.stringify({ ManualJournals: [{ ManualJournalID: id, Status }] });
    return this.#client.changeJournal(id, `${draft.key}-${Status}`, body);
  }

  #found(answer: LookUpAnswer<XeroJournalRead[]>, wasReversed: boolean): port.FindOutcome {
    if (answer.outcome !== 'ok') return answer;
    const entries = answer.value.map((journal) => toEntry(journal, this.#configuration, wasReversed));
    const [entry] = entries;
    if (!entry) return { outcome: 'none' };
    return entries.length === 1 ? { outcome: 'one', entry } : { outcome: 'many', entries };
  }
}

function readStored(prepared: Pick<port.PreparedPost, 'request'>) {
  return preparedRequest.parse(JSON.parse(prepared.request));
}

/** One more than what was refused had: it stays the same for whatever is sent again without a definite answer. */
function refusalsBefore({ earlier }: port.PostRequest): number {
  // Another adapter may have prepared it; then Xero has not seen the key.
  const stored = earlier && preparedRequest.safeParse(JSON.parse(earlier.request));
  return stored?.success ? stored.data.refusals + (earlier?.isRefused ? 1 : 0) : 0;
}

/** A refusal is held like any other answer, so what is sent after it goes under a key that Xero has not seen. */
function idempotencyKey(key: string, refusals: number): string {
  return refusals === 0 ? key : `${key}-${String(refusals)}`;
}

function journalOf(prepared: port.PreparedPost) {
  return journalFromPlain(readStored(prepared).journal);
}

/** A day in Xero's filter language. */
function dateTime(day: string): string {
  const [year, month, date] = day.split('-').map(Number);
  return `DateTime(${year ?? 0}, ${month ?? 0}, ${date ?? 0})`;
}

function capabilitiesOf(
  configuration: XeroConfiguration,
  vatMode: port.VatMode = 'explicit-lines',
): port.ErpCapabilities {
  return {
    idempotency: 'native-key',
    nativeKeyLifeMs: assumed.NATIVE_KEY_LIFE_MS,
    lookUp: 'posted-and-draft',
    lookUpLagMs: 2_000,
    finality: 'posted',
    atomicPost: true,
    readBack: 'lines',
    attachments: true,
    dimensions: Object.keys(configuration.dimensions).length > 0,
    foreignCurrency: configuration.foreignDocuments === 'in-isk' ? 'in-isk' : 'none',
    subledger: false,
    vatMode,
    splitsVat: true,
    reverse: true,
    keyLengthMax: 128,
    concurrency: assumed.CONCURRENCY,
    requestsPerSecond: assumed.REQUESTS_PER_SECOND,
  };
}
