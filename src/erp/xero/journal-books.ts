// Manual journals as Xero keeps them, in our terms. The narration opens with the key; that of a reversal names the key it undoes as well.
import { isPostingKey } from '../../domain/posting-key.js';
import type { Answer, ReadAnswer } from '../answer.js';
import type { ErpEntry } from '../erp-adapter.js';
import { listFailed } from '../told.js';
import { REVERSAL_MARK } from '../reversal.js';
import * as assumed from './assumptions.js';
import type { XeroClient } from './client.js';
import { keyOf, toEntry, type TranslateSettings, undoneBy } from './translate.js';
import { type XeroJournalRead, xeroJournals } from './wire.js';

const LIVE = new Set(['POSTED', 'DRAFT']);

export class XeroJournalBooks {
  readonly #client: XeroClient;
  readonly #settings: TranslateSettings;

  constructor(client: XeroClient, settings: TranslateSettings) {
    this.#client = client;
    this.#settings = settings;
  }

  async create(key: string, body: string): Promise<Answer<ErpEntry>> {
    return this.#shown(await this.#client.createJournal(key, body));
  }

  /** A draft is posted. */
  async book({ key, reference: { id } }: ErpEntry): Promise<Answer<ErpEntry>> {
    const body = JSON.stringify({ ManualJournals: [{ ManualJournalID: id, Status: 'POSTED' }] });
    return this.#shown(await this.#client.changeJournal(id, `${key}-POSTED`, body));
  }

  /** One request finds an entry and what became of it, also where the entry itself is a document. */
  async withKey(key: string): Promise<ReadAnswer<{ entries: ErpEntry[]; wasReversed: boolean }>> {
    const answer = await this.#client.journals(assumed.narrationContains(key), 1);
    if (answer.outcome !== 'ok') return answer;
    const live = answer.value.filter(({ Status }) => LIVE.has(Status));
    const wasReversed = live.some(
      ({ Status, Narration }) => Status === 'POSTED' && undoneBy(Narration) === key,
    );
    const ours = live.filter(({ Narration }) => keyOf(Narration) === key);
    const entries = ours.map((journal) => toEntry(journal, this.#settings, wasReversed));
    return { outcome: 'ok', value: { entries, wasReversed } };
  }

  async byId(id: string): Promise<ReadAnswer<ErpEntry[]>> {
    const answer = await this.#client.get(`ManualJournals/${id}`, xeroJournals);
    if (answer.outcome !== 'ok') return answer;
    const live = answer.value.ManualJournals.filter(({ Status }) => LIVE.has(Status));
    return { outcome: 'ok', value: live.map((journal) => toEntry(journal, this.#settings)) };
  }

  async *listed(days: string, isUndone: (key: string) => Promise<boolean>): AsyncIterable<ErpEntry> {
    for await (const journal of this.#pages(days)) {
      const key = keyOf(journal.Narration);
      if (!LIVE.has(journal.Status) || !isPostingKey(key)) continue;
      yield toEntry(journal, this.#settings, await isUndone(key));
    }
  }

  /** Keys that a reversal of ours names. It may lie in another period than what it undoes, so none is left out. */
  async undone(): Promise<ReadonlySet<string>> {
    const undone = new Set<string>();
    for await (const { Narration, Status } of this.#pages(assumed.narrationContains(`${REVERSAL_MARK} `))) {
      const key = undoneBy(Narration);
      if (Status === 'POSTED' && key !== undefined) undone.add(key);
    }
    return undone;
  }

  async *#pages(where: string): AsyncIterable<XeroJournalRead> {
    for (let page = 1; page <= assumed.LIST_PAGES_MAX; page++) {
      const answer = await this.#client.journals(where, page);
      if (answer.outcome !== 'ok') throw listFailed(answer);
      yield* answer.value;
      if (answer.value.length < assumed.PAGE_SIZE) return;
    }
  }

  #shown(answer: Answer<XeroJournalRead>): Answer<ErpEntry> {
    return answer.outcome === 'ok' ? { outcome: 'ok', value: toEntry(answer.value, this.#settings) } : answer;
  }
}
