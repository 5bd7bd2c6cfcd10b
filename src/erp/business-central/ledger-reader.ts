// Entries as Business Central holds them: ledger entries by document number, and journals of ours that are not posted yet.
import { isPostingKey, POSTING_KEY_LETTERS } from '../../domain/posting-key.js';
import type { Clock } from '../../domain/runtime.js';
import type { ReadAnswer } from '../answer.js';
import type { ErpEntry } from '../erp-adapter.js';
import { keyUndoneBy, REVERSAL_MARK } from '../reversal.js';
import { told } from '../told.js';
import * as assumed from './assumptions.js';
import { type BcClient, literal } from './client.js';
import type { BusinessCentralConfiguration } from './config.js';
import { splitBookings } from './split-bookings.js';
import { batchCode, isBlank, toDraft, toEntry } from './translate.js';
import { bcEntry, type BcEntry, bcJournal, type BcJournalHeader, bcLine, type BcLine } from './wire.js';

const SCHEDULED = /scheduled (\S+)$/;
const WITH_DIMENSIONS = { $expand: 'dimensionSetLines' };

export class BcLedgerReader {
  readonly #client: BcClient;
  readonly #configuration: BusinessCentralConfiguration;
  readonly #clock: Clock;

  constructor(client: BcClient, configuration: BusinessCentralConfiguration, clock: Clock) {
    this.#client = client;
    this.#configuration = configuration;
    this.#clock = clock;
  }

  /**
   * Posted entries and drafts under that key. Drafts first: what is posted between the two looks is then seen twice rather
   * than not at all, and a second look at the draft tells. Posting moves the lines, so both at once is an alarm.
   */
  async byKey(key: string): Promise<ReadAnswer<ErpEntry[]>> {
    const before = await this.draft(key);
    if (before.outcome !== 'ok') return before;
    const posted = await this.posted(key);
    if (posted.outcome !== 'ok') return posted;
    if (!before.value || posted.value.length === 0)
      return { outcome: 'ok', value: [...posted.value, ...(before.value ? [before.value] : [])] };
    const after = await this.draft(key);
    if (after.outcome !== 'ok') return after;
    return { outcome: 'ok', value: [...posted.value, ...(after.value ? [after.value] : [])] };
  }

  async posted(key: string): Promise<ReadAnswer<ErpEntry[]>> {
    const $filter = `documentNumber eq ${literal(key)}`;
    const answer = await this.#entries($filter);
    if (answer.outcome !== 'ok') return answer;
    if (answer.value.length === 0) return { outcome: 'ok', value: [] };
    const reversed = await this.isReversed(key);
    if (reversed.outcome !== 'ok') return reversed;
    const bookings = splitBookings(answer.value);
    return {
      outcome: 'ok',
      value: bookings.map((entries) => toEntry(entries, this.#configuration, reversed.value)),
    };
  }

  async draft(key: string): Promise<ReadAnswer<ErpEntry | undefined>> {
    const journal = await this.journal(batchCode(key));
    if (journal.outcome !== 'ok') return journal;
    if (!journal.value) return { outcome: 'ok', value: undefined };
    const lines = await this.lines(journal.value.id);
    if (lines.outcome !== 'ok') return lines;
    return { outcome: 'ok', value: this.#draftOf(journal.value, lines.value, key) };
  }

  async journal(code: string): Promise<ReadAnswer<BcJournalHeader | undefined>> {
    const answer = await this.#client.list('journals', { $filter: `code eq ${literal(code)}` }, bcJournal);
    return answer.outcome === 'ok' ? { outcome: 'ok', value: answer.value[0] } : answer;
  }

  lines(journalId: string): Promise<ReadAnswer<BcLine[]>> {
    return this.#client.list(`journals(${journalId})/journalLines`, WITH_DIMENSIONS, bcLine);
  }

  async byEntryNumber(number: number): Promise<ReadAnswer<string | undefined>> {
    const answer = await this.#entries(`entryNumber eq ${number}`);
    return answer.outcome === 'ok' ? { outcome: 'ok', value: answer.value[0]?.documentNumber } : answer;
  }

  /** All ledger entries under these document numbers. */
  async ofNumbers(numbers: readonly string[]): Promise<ReadAnswer<BcEntry[]>> {
    const all: BcEntry[] = [];
    const ours = numbers.map((number) => `documentNumber eq ${literal(number)}`).join(' or ');
    for (let page = 0; page < assumed.ENTRIES_PAGES_MAX; page++) {
      const answer = await this.#entries(`(${ours}) and entryNumber gt ${all.at(-1)?.entryNumber ?? 0}`);
      if (answer.outcome !== 'ok') return answer;
      all.push(...answer.value);
      if (answer.value.length < assumed.ENTRIES_PAGE_SIZE) break;
    }
    return { outcome: 'ok', value: all };
  }

  /** One page of ledger entries of a period, oldest first. */
  period(from: string, to: string, afterEntry: number): Promise<ReadAnswer<BcEntry[]>> {
    const ours = POSTING_KEY_LETTERS.map((letter) => `startswith(documentNumber,${literal(letter)})`);
    const days = `postingDate ge ${from} and postingDate le ${to}`;
    return this.#entries(`${days} and entryNumber gt ${afterEntry} and (${ours.join(' or ')})`);
  }

  /**
   * Keys whose entries have been undone since. A reversal may lie in another period than what it undoes, but it is always
   * the later one, so no entry before the first of the list can matter.
   */
  async undoneAfter(firstEntry: number): Promise<ReadAnswer<ReadonlySet<string>>> {
    const undone = new Set<string>();
    let last = firstEntry;
    for (let page = 0; page < assumed.ENTRIES_PAGES_MAX; page++) {
      const marked = `startswith(description,${literal(`${REVERSAL_MARK} `)})`;
      const answer = await this.#entries(`entryNumber gt ${last} and ${marked}`);
      if (answer.outcome !== 'ok') return answer;
      for (const entry of answer.value) {
        const key = keyUndoneBy(entry.description);
        if (key !== undefined) undone.add(key);
        last = entry.entryNumber;
      }
      if (answer.value.length < assumed.ENTRIES_PAGE_SIZE) return { outcome: 'ok', value: undone };
    }
    return {
      outcome: 'transient',
      ...told('SYSTEM_SHOWS_TOO_MUCH', { system: 'Business Central', what: 'reversals' }),
    };
  }

  /** Our journals that are not posted. */
  async drafts(): Promise<ReadAnswer<ErpEntry[]>> {
    const $filter = `startswith(code,${literal(assumed.BATCH_CODE_START)})`;
    const query = { $filter, $top: String(assumed.JOURNALS_MAX) };
    const journals = await this.#client.list('journals', query, bcJournal);
    if (journals.outcome !== 'ok') return journals;
    const drafts: ErpEntry[] = [];
    for (const journal of journals.value) {
      const lines = await this.lines(journal.id);
      if (lines.outcome !== 'ok') return lines;
      const key = lines.value.find((line) => isPostingKey(line.documentNumber))?.documentNumber;
      const draft = key === undefined ? undefined : this.#draftOf(journal, lines.value, key);
      if (draft) drafts.push(draft);
    }
    return { outcome: 'ok', value: drafts };
  }

  /** Ledger entries of one document, when it is one of ours. */
  toEntries(entries: readonly BcEntry[], undone: ReadonlySet<string>): ErpEntry[] {
    const ours = entries.filter((entry) => isPostingKey(entry.documentNumber));
    return splitBookings(ours).map((booking) =>
      toEntry(booking, this.#configuration, undone.has(booking[0]?.documentNumber ?? '')),
    );
  }

  #entries($filter: string): Promise<ReadAnswer<BcEntry[]>> {
    const query = {
      $filter,
      $orderby: 'entryNumber',
      $top: String(assumed.ENTRIES_PAGE_SIZE),
      ...WITH_DIMENSIONS,
    };
    return this.#client.list('generalLedgerEntries', query, bcEntry);
  }

  async isReversed(key: string): Promise<ReadAnswer<boolean>> {
    const $filter = `startswith(description,${literal(`${REVERSAL_MARK} ${key}`)})`;
    const answer = await this.#client.list('generalLedgerEntries', { $filter, $top: '1' }, bcEntry);
    return answer.outcome === 'ok' ? { outcome: 'ok', value: answer.value.length > 0 } : answer;
  }

  /** After a post a journal keeps a blank line; lines of another key mean that two documents share a batch code. */
  #draftOf(journal: BcJournalHeader, lines: readonly BcLine[], key: string): ErpEntry | undefined {
    const ours = lines.filter((line) => line.documentNumber === key && !isBlank(line));
    if (ours.length === 0 || journal.displayName === assumed.UNFINISHED_NAME) return undefined;
    const state = this.#isScheduled(journal) ? 'pending' : 'draft';
    return toDraft(journal, ours, this.#configuration, state);
  }

  #isScheduled(journal: BcJournalHeader): boolean {
    const since = SCHEDULED.exec(journal.displayName)?.[1];
    if (since === undefined) return false;
    const minutes = (this.#clock.now().getTime() - Date.parse(since)) / 60_000;
    return minutes < assumed.SCHEDULED_MINUTES_MAX;
  }
}
