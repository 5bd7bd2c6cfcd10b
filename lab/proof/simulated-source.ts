// The invoicing service of a simulated run: documents that people hand over late, edit, delete and reopen, lists that are late,
// and a network that loses answers before and after their effect.
import type { Guid } from '../../src/domain/ids.js';
import { CodedError } from '../../src/domain/errors/coded-error.js';
import type { Secret } from '../../src/domain/secret.js';
import { SENDS_MAX } from '../../src/service/oauth/token-outcome.js';
import type { CurrentToken, NewerToken, TokenSource } from '../../src/service/oauth/token-source.js';
import type { WritableStatus } from '../../src/domain/posting.js';
import type {
  FetchOutcome,
  InvoicingSource,
  ListedDocument,
  ListPage,
  ListQuery,
  UpdateOutcome,
} from '../../src/service/invoicing-source.js';
import type { Kernel } from './kernel.js';
import type { Life, SimulatedDocument } from './life.js';
import { type Company, PRUFA } from './memory-records.js';
import { filesOf } from './originals.js';
import type { Outage } from './outages.js';
import { isGood, type ServiceGrant } from './signed-in.js';
import { readDocument } from './source-snapshot.js';

export type { SimulatedDocument } from './life.js';

export interface SourceFlaws {
  /** The pipeline is told what it wants to hear when it reads back. */
  readonly echoReadBack?: boolean;
  /** The content looks the same after every edit. */
  readonly hideEdits?: boolean;
  /** A credit note does not say which invoice it takes back. */
  readonly hideReferences?: boolean;
}

export class SimulatedService {
  readonly documents = new Map<string, SimulatedDocument>();
  readonly kernel: Kernel;
  /** Whose it is. */
  readonly company: Company;
  readonly violations: string[] = [];
  faulty = true;
  /** Documents on a page of a list. */
  pageSize = 7;
  readonly flaws: SourceFlaws;
  outage: Outage | null = null;
  /** Whether an invoice that we set to Error or Skipped takes another status from us: the documents leave it open. */
  reconsiders = true;
  /** Every status that was ever written through the API, in order. */
  readonly writes: { guid: Guid; status: WritableStatus; at: number }[] = [];
  /** Every time that a record was asked for and could not be read. */
  readonly unread: { readonly guid: Guid; readonly at: number }[] = [];
  /** Guid → how often a person has set it back to Created. */
  readonly reopenings = new Map<string, number>();
  /** Guid → when it was handed over late, in the place of one that was deleted. */
  readonly swapped = new Map<string, number>();
  /** Lists say which invoice a credit note refers to. */
  listsReferences = true;
  /** Invoices that were cancelled, each with its credit note, and when both had been handed over. */
  readonly cancelledPairs: { readonly invoice: Guid; readonly note: Guid; readonly at: number }[] = [];
  /** Until when lists still show what has another status by now. */
  readonly listsLate = new Map<string, number>();

  constructor(kernel: Kernel, flaws: SourceFlaws, company: Company = PRUFA) {
    this.kernel = kernel;
    this.flaws = flaws;
    this.company = company;
  }

  /** Of a service that wants tokens; null: it wants a key, which is always good. */
  grant: ServiceGrant | null = null;

  takes(token: Secret): boolean {
    return this.grant === null || isGood(this.grant, token, this.kernel.nowMs);
  }

  existing(): SimulatedDocument[] {
    return [...this.documents.values()].filter(({ deleted }) => !deleted);
  }

  created(): SimulatedDocument[] {
    return this.existing().filter(({ accountingStatus }) => accountingStatus === 'Created');
  }

  /** As lists and counts show it, which may be some minutes late. */
  listed({ kind, accountingStatus, fromDate = '', toDate = '9999' }: ListQuery): SimulatedDocument[] {
    return this.existing().filter((document) => {
      if (document.kind !== kind || document.issueDate < fromDate || document.issueDate > toDate)
        return false;
      const isLate = (this.listsLate.get(document.guid) ?? 0) > this.kernel.nowMs;
      return (isLate ? 'Created' : document.accountingStatus) === accountingStatus;
    });
  }
}

/** `tokens`: of a process that signs in with them. */
export function simulatedSource(
  service: SimulatedService,
  life: Life,
  tokens?: TokenSource,
): InvoicingSource {
  const { kernel } = service;
  const call = async <T>(effect: () => T): Promise<T> => {
    const token = await tokens?.current();
    await life.step(kernel.between('a question takes', 5, 60));
    refuseWhileDown(service);
    if (token && tokens) await renewExpired(service, tokens, token);
    if (service.faulty && kernel.chance('the source does not answer', 0.04))
      throw new CodedError('SOURCE_UNREACHABLE', 'no answer before anything happened');
    const result = effect();
    if (service.faulty && kernel.chance('the answer of the source is lost', 0.04))
      throw new CodedError('SOURCE_UNREACHABLE', 'the answer was lost');
    await life.step(kernel.between('an answer takes', 5, 30));
    return result;
  };
  return {
    hello: () =>
      call(() => {
        const { name, account: registrationNo } = service.company;
        return { name, registrationNo, vatNo: '', clockSkewMs: 0 };
      }),
    list: async (query, page) => {
      const read = await call(() => listPage(service, query, page));
      // Read at once, and a long time on its way: much happens meanwhile.
      if (service.faulty && kernel.chance('a list is long on its way', 0.2))
        await life.step(kernel.between('how long a list is on its way', 5_000, 100_000));
      return read;
    },
    count: (query) => call(() => service.listed(query).length),
    get: (_kind, guid) => call(() => fetchDocument(service, guid)),
    updateStatus: (_kind, guid, status) => {
      const word = { guid, status, worker: life.worker ?? '' };
      noteWord(service, word, 'say');
      return call(() => update(service, word));
    },
    moveCostToNew: (guid) => call(() => moveToNew(service, guid)),
    customer: () => Promise.resolve(null),
    item: () => Promise.resolve(null),
    originals: (_kind, guid) =>
      call(() => {
        const document = service.documents.get(guid);
        return !document || document.deleted ? { outcome: 'gone' } : filesOf(document);
      }),
    close: () => Promise.resolve(),
  };
}

/** As the client of the service does (service/api-client.ts). */
async function renewExpired(
  service: SimulatedService,
  tokens: TokenSource,
  first: CurrentToken,
): Promise<void> {
  let token: NewerToken = { ...first, isRefreshed: false };
  for (let sends = 1; !service.takes(token.accessToken); sends++) {
    if (sends === SENDS_MAX || token.isRefreshed) {
      service.violations.push(`19: tokens that had only expired were refused at ${service.kernel.nowMs}`);
      throw new CodedError('SOURCE_CREDENTIALS_REFUSED', 'the tokens expired on their way');
    }
    token = await tokens.newerThan(token.version);
  }
}

function listPage(service: SimulatedService, query: ListQuery, page: number): ListPage {
  const some = service.listed(query).slice((page - 1) * service.pageSize, page * service.pageSize);
  return {
    documents: some.map((document) => ({
      guid: document.guid,
      kind: document.kind,
      accountingStatus: query.accountingStatus,
      issueDate: document.issueDate,
      number: document.number,
      amount: String(document.amount),
      currency: 'ISK',
      counterpartyName: '',
      counterpartyKennitala: '',
      updatedTimestamp: '',
      ...paymentOf(document),
      ...(service.listsReferences ? referenceOf(document, service.flaws) : {}),
    })),
    problems: [],
    hasMore: null,
    fingerprint: some.map((document) => document.guid).join(),
  };
}

function paymentOf(document: SimulatedDocument): Pick<ListedDocument, 'payment'> {
  const { decoded } = readDocument(document, {});
  return decoded.outcome === 'decoded' && decoded.document.kind === 'invoice'
    ? { payment: decoded.document }
    : {};
}

function referenceOf(
  { credits }: SimulatedDocument,
  { hideReferences }: SourceFlaws,
): Pick<ListedDocument, 'referGuid'> {
  return credits === undefined || hideReferences ? {} : { referGuid: credits };
}

function fetchDocument(service: SimulatedService, guid: Guid): FetchOutcome {
  const document = service.documents.get(guid);
  if (!document || document.deleted) return { outcome: 'gone' };
  if (document.isGarbled === true) {
    service.unread.push({ guid, at: service.kernel.nowMs });
    return { outcome: 'unreadable', problem: 'amount is no number', snapshot: '{"amount":"x"}' };
  }
  const { snapshot, decoded } = readDocument(document, service.flaws);
  if (decoded.outcome === 'malformed') return { outcome: 'unreadable', problem: decoded.problem, snapshot };
  return { outcome: 'found', document: decoded.document, snapshot };
}

function refuseWhileDown({ outage }: SimulatedService): void {
  if (!outage) return;
  outage.asked++;
  if (outage.how === 'refuses') throw new CodedError('SOURCE_CREDENTIALS_REFUSED', 'the key is wrong');
  throw new CodedError('SOURCE_UNREACHABLE', 'it cannot be reached');
}

/** Posted is terminal, and a cost leaves Skipped and Error only by New. */
function takesStatus(
  { reconsiders }: SimulatedService,
  { kind, accountingStatus }: SimulatedDocument,
): boolean {
  if (accountingStatus === 'Created') return true;
  return reconsiders && kind === 'invoice' && ['Error', 'Skipped'].includes(accountingStatus);
}

interface Word {
  readonly guid: Guid;
  readonly status: WritableStatus;
  /** Whose claim it was said under. */
  readonly worker: string;
}

function noteWord({ kernel }: SimulatedService, { guid, status, worker }: Word, what: 'say' | 'tell'): void {
  kernel.history.note(`${what}${status === 'Posted' ? 'Posted' : 'Decided'}`, { guid, key: '' }, worker);
}

function update(service: SimulatedService, word: Word): UpdateOutcome {
  const { kernel } = service;
  const { guid, status } = word;
  const document = service.documents.get(guid);
  const unheard = <Outcome>(outcome: Outcome): Outcome => {
    kernel.history.note('goUnheard', { guid, key: '' }, word.worker);
    return outcome;
  };
  if (!document || document.deleted) return unheard({ outcome: 'refused', message: 'No such document' });
  if (!takesStatus(service, document))
    return unheard({ outcome: 'refused', message: 'It cannot be updated' });
  // A no-op that says it succeeded: form fields on one surface, JSON on the other.
  if (service.faulty && kernel.chance('the source says yes and does nothing', 0.02))
    return unheard({ outcome: 'accepted' });
  document.accountingStatus = status;
  if (service.faulty && kernel.chance('lists are late', 0.3))
    service.listsLate.set(guid, kernel.nowMs + kernel.between('how late lists are', 1_000, 180_000));
  service.writes.push({ guid, status, at: kernel.nowMs });
  noteWord(service, word, 'tell');
  kernel.note(`source ${document.number} = ${status}`);
  return { outcome: 'accepted' };
}

function moveToNew(service: SimulatedService, guid: Guid): UpdateOutcome {
  const document = service.documents.get(guid);
  if (!document || document.deleted || !['Skipped', 'Error'].includes(document.accountingStatus))
    return { outcome: 'refused', message: 'Only what was decided can be moved' };
  document.accountingStatus = 'New';
  service.kernel.note(`source ${document.number} is moved to New`);
  return { outcome: 'accepted' };
}

/** Takes the read-back away: after a write the pipeline hears what it wrote. */
export function echoing(source: InvoicingSource): InvoicingSource {
  const written = new Map<string, WritableStatus>();
  return {
    ...source,
    updateStatus: async (kind, guid, status, message) => {
      written.set(guid, status);
      return source.updateStatus(kind, guid, status, message);
    },
    get: async (kind, guid) => {
      const fetched = await source.get(kind, guid);
      const status = written.get(guid);
      if (fetched.outcome !== 'found' || status === undefined) return fetched;
      return { ...fetched, document: { ...fetched.document, accountingStatus: status } };
    },
  };
}
