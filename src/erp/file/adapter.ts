// The port on journal files: what each call means for the books on disk.
import type * as port from '../erp-adapter.js';
import { mkdir, readFile } from 'node:fs/promises';
import { basename, isAbsolute, join, resolve } from 'node:path';
import { PRIVATE_DIRECTORY } from '../../domain/private-files.js';
import { lackingFinding, periodFindings } from '../chart.js';
import { checkJournal } from '../compare-entry.js';
import { type JournalJson, journalJsonSchema } from '../../domain/journal-json.js';
import { failedCheck, rejected, told, wordsOf } from '../told.js';
import { FileLedger, type NewRecord } from './client.js';
import type { FileConfiguration } from './settings.js';
import { type LedgerRecord, replaceFile, UncertainWrite } from './records.js';
import { beancountFormat } from './formats/beancount-format.js';
import type { BookFormat } from './formats/book-format.js';
import { csvFormat } from './formats/csv-format.js';
import { journalFormat } from './formats/journal-format.js';
import {
  accountNaming,
  accountRefusal,
  refusal,
  toEntry,
  toRecord,
  toReference,
  toReversal,
} from './translate.js';
import * as z from 'zod';
import type { AuthFailed, Rejected, Transient, Unknown } from '../erp-adapter.js';
import { isCoded } from '../../domain/errors/coded-error.js';

const CAPABILITIES: port.ErpCapabilities = {
  idempotency: 'unique-reference',
  lookUp: 'posted-and-draft',
  lookUpLagMs: 0,
  finality: 'posted',
  atomicPost: true,
  readBack: 'lines',
  attachments: true,
  dimensions: true,
  foreignCurrency: 'in-currency',
  subledger: true,
  vatMode: 'explicit-lines',
  reverse: true,
  keyLengthMax: 64,
  concurrency: 32,
  requestsPerSecond: 10_000,
};

export class FileAdapter implements port.ErpAdapter {
  readonly capabilities = CAPABILITIES;
  readonly ledger: string;
  readonly #configuration: FileConfiguration;
  readonly #directory: string;
  readonly #books: FileLedger;
  readonly #company: string;
  #claiming: Promise<port.Rejected | null> | null = null;

  constructor(configuration: FileConfiguration, services: port.ErpServices) {
    const name = configuration.ledger ?? services.tenantName;
    this.ledger = `file:${name}`;
    this.#configuration = configuration;
    this.#company = configuration.company ?? name;
    this.#directory = directoryOf(configuration, services);
    this.#books = new FileLedger(
      this.#directory,
      formatsOf(configuration, this.#company, services.accountClasses),
      services.clock,
      services.log,
    );
  }

  async health(): Promise<port.ErpHealth> {
    try {
      await this.#books.open();
      const refused = await this.#claim();
      return refused ?? { outcome: 'healthy', company: this.#company };
    } catch (error) {
      return orThrow(readFailure(error), error);
    }
  }

  async validate(expected: port.ExpectedChart): Promise<readonly port.Finding[]> {
    const health = await this.health();
    const findings: port.Finding[] = expected.accounts.flatMap((account) => {
      const refused = accountRefusal(account, this.#configuration);
      return refused ? [lackingFinding(refused, told('CORRECT_RULES_OR_CHART'))] : [];
    });
    if (health.outcome !== 'healthy')
      findings.push(failedCheck(health, told('SEE_TO_DIRECTORY', { directory: this.#directory })));
    if (findings.length === 0)
      findings.push({ severity: 'ok', ...told('READY_BOOKS', { directory: this.#directory }) });
    const { closedUntil = '' } = this.#configuration;
    const closed = told('BOOKS_CLOSED_UNTIL', { until: closedUntil });
    return [
      ...findings,
      ...periodFindings(expected.postingDates, (day) => (day <= closedUntil ? closed : null)),
    ];
  }

  async prepare(request: port.PostRequest): Promise<port.PrepareOutcome> {
    const refused =
      checkJournal(request.journal, CAPABILITIES) ??
      refusal(request.key, request.journal, this.#configuration) ??
      (await this.#otherBooks());
    if (refused) return refused;
    const { journal } = toRecord(request.key, request.journal);
    return { outcome: 'prepared', prepared: { key: request.key, request: JSON.stringify(journal) } };
  }

  async post(prepared: port.PreparedPost): Promise<port.PostOutcome> {
    const journal = journalJsonSchema.parse(JSON.parse(prepared.request));
    return this.#append({ key: prepared.key, kind: 'entry', journal });
  }

  /** There are no drafts here, so what looks like one is simply posted. */
  resume(_draft: port.ErpEntry, prepared: port.PreparedPost): Promise<port.PostOutcome> {
    return this.post(prepared);
  }

  async findByKey(key: string): Promise<port.FindOutcome> {
    try {
      return await this.#found(await this.#books.find(key));
    } catch (error) {
      return orThrow(readFailure(error), error);
    }
  }

  async findByReference(reference: string): Promise<port.FindOutcome> {
    try {
      const record = await this.#books.findByNumber(reference);
      return record ? await this.#found([record]) : await this.findByKey(reference);
    } catch (error) {
      return orThrow(readFailure(error), error);
    }
  }

  async reverse(request: port.ReverseRequest): Promise<port.PostOutcome> {
    const { closedUntil } = this.#configuration;
    if (closedUntil !== undefined && request.date <= closedUntil)
      return rejected('closed-period', told('BOOKS_CLOSED_UNTIL', { until: closedUntil }));
    const [original] = await this.#books.find(request.original.key);
    if (!original) return rejected('invalid', told('NOTHING_TO_REVERSE'));
    return this.#append(toReversal(request.key, original, request.date, request.reason));
  }

  async attach(reference: port.ErpReference, attachment: port.Attachment): Promise<port.AttachOutcome> {
    try {
      const [record] = await this.#books.find(reference.id);
      if (!record) return rejected('invalid', told('NO_SUCH_ENTRY', { entry: reference.id }));
      const directory = join(this.#directory, 'attachments', record.key);
      await mkdir(directory, { recursive: true, mode: PRIVATE_DIRECTORY });
      await replaceFile(join(directory, safeFileName(attachment.fileName)), [attachment.content]);
      return { outcome: 'attached' };
    } catch (error) {
      return orThrow(writeFailure(error), error);
    }
  }

  async *entries(period: { readonly from: string; readonly to: string }): AsyncIterable<port.ErpEntry> {
    for await (const record of this.#books.read(period.from, period.to)) yield await this.#entry(record);
  }

  close(): Promise<void> {
    return this.#books.close();
  }

  async #append(record: NewRecord): Promise<port.PostOutcome> {
    try {
      const appended = await this.#books.append(record);
      if (appended.result === 'appended')
        return { outcome: 'posted', reference: toReference(appended.record) };
      if (appended.result === 'already-reversed')
        return rejected('duplicate', told('ALREADY_REVERSED_BY', { entry: appended.by.number }));
      const same = appended.records.find((existing) => isSame(existing, record));
      if (same) return { outcome: 'posted', reference: toReference(same) };
      return rejected('collision', told('OTHER_CONTENT', { key: record.key }));
    } catch (error) {
      return orThrow(writeFailure(error), error);
    }
  }

  async #found(records: readonly LedgerRecord[]): Promise<port.FindOutcome> {
    const entries = await Promise.all(records.map((record) => this.#entry(record)));
    const [entry] = entries;
    if (!entry) return { outcome: 'none' };
    return entries.length === 1 ? { outcome: 'one', entry } : { outcome: 'many', entries };
  }

  async #entry(record: LedgerRecord): Promise<port.ErpEntry> {
    return toEntry(record, await this.#books.isReversed(record.key));
  }

  /** Many who ask at once share one answer. */
  #claim(): Promise<port.Rejected | null> {
    const me = { ledger: this.ledger, company: this.#company };
    this.#claiming ??= claimBooks(this.#directory, me, (work) => this.#books.alone(work)).finally(
      () => (this.#claiming = null),
    );
    return this.#claiming;
  }

  async #otherBooks(): Promise<port.PrepareOutcome | null> {
    try {
      return await this.#claim();
    } catch (error) {
      return orThrow(readFailure(error), error);
    }
  }
}

function directoryOf(configuration: FileConfiguration, services: port.ErpServices): string {
  const { directory } = configuration;
  if (directory === undefined) return join(services.dataDirectory, 'books');
  return isAbsolute(directory) ? directory : resolve(services.configDirectory, directory);
}

function formatsOf(
  configuration: FileConfiguration,
  title: string,
  classes: port.ErpServices['accountClasses'],
): BookFormat[] {
  const nameOf = accountNaming(configuration.accountRoots, classes);
  return [...new Set(configuration.formats)].map((name) => {
    switch (name) {
      case 'journal':
        return journalFormat(title, nameOf);
      case 'beancount':
        return beancountFormat(title, nameOf);
      case 'csv':
        return csvFormat();
    }
  });
}

function isSame(existing: LedgerRecord, wanted: NewRecord): boolean {
  const content = (journal: JournalJson) => JSON.stringify(journal);
  return (
    existing.kind === wanted.kind &&
    existing.reverses === wanted.reverses &&
    content(existing.journal) === content(wanted.journal)
  );
}

function safeFileName(name: string): string {
  const safe = basename(name.normalize('NFC')).replace(/[^\p{L}\p{N}._ -]+/gu, '_');
  return /^[. ]*$/.test(safe) ? 'attachment' : safe.slice(-120);
}

function orThrow<Outcome>(outcome: Outcome | null, error: unknown): Outcome {
  if (outcome === null) throw error;
  return outcome;
}

// Whose books these are, written into the directory once, under its lock. Two tenants that were pointed at one directory by
// mistake are told so before the first entry, also when both come at once.

const ownerSchema = z.object({ ledger: z.string(), company: z.string() });

type Owner = z.infer<typeof ownerSchema>;

/** Null when the books are this company's, or nobody's yet and now this company's. `alone`: nobody else writes meanwhile. */
export async function claimBooks(
  directory: string,
  { ledger, company }: Owner,
  alone: <T>(work: () => Promise<T>) => Promise<T>,
): Promise<Rejected | null> {
  const path = join(directory, 'ledger.json');
  const owner = (await readOwner(path)) ?? (await alone(() => becomeOwner(path, { ledger, company })));
  if (owner.ledger === ledger && owner.company === company) return null;
  const words = told('OTHER_DIRECTORY', { directory, ...owner, wanted: company, wantedLedger: ledger });
  return rejected('wrong-company', words);
}

/** Unless somebody was quicker. */
async function becomeOwner(path: string, me: Owner): Promise<Owner> {
  const owner = await readOwner(path);
  if (owner === null) await replaceFile(path, [`${JSON.stringify(me, null, 2)}\n`]);
  return owner ?? me;
}

async function readOwner(path: string): Promise<Owner | null> {
  try {
    return ownerSchema.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

// What the file system's answers mean. Rights are the operator's to give; room and handles come back by themselves; only a
// write that could not be undone is unknown.

const FILE_DISPOSITIONS: Readonly<Record<string, 'auth' | 'transient' | 'unknown'>> = {
  EACCES: 'auth',
  EPERM: 'auth',
  EROFS: 'auth',
  ENOTDIR: 'auth',
  ENOSPC: 'transient',
  EDQUOT: 'transient',
  EFBIG: 'transient',
  EMFILE: 'transient',
  ENFILE: 'transient',
  EBUSY: 'transient',
  ENOENT: 'transient',
  EIO: 'unknown',
};

/** Null: not the file system's doing, so let it be thrown. */
export function writeFailure(error: unknown): Transient | Unknown | AuthFailed | null {
  if (error instanceof UncertainWrite) return { outcome: 'unknown', ...told('WRITE_NOT_UNDONE') };
  if (isCoded(error, 'ERP_FILE_LOCKED')) return { outcome: 'transient', ...wordsOf(error) };
  const code = errnoOf(error);
  const disposition = FILE_DISPOSITIONS[code];
  if (disposition === undefined) return null;
  return { outcome: disposition, ...told('BOOKS_NOT_WRITTEN', { code }) };
}

/** Reading has no effect, so nothing about it is unknown. */
export function readFailure(error: unknown): Transient | AuthFailed | null {
  const failure = writeFailure(error);
  return failure?.outcome === 'unknown' ? { ...failure, outcome: 'transient' } : failure;
}

function errnoOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}
