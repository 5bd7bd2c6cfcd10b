// The HTTP side of Business Central's API v2.0: token end point, companies, OData lists with filters and expansion, deep
// insert, bound actions, ETags, and $batch with snapshot isolation. Unknown properties and missing headers are refused.
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { Decimal } from '../../../src/domain/money.js';
import { BcDocuments, FAKE_SETS, type FakeSet, setOfLines } from './business-central-documents.js';
import {
  BcError,
  type BcJournalRow,
  type BcLedger,
  type BcLineRow,
  type BcPartnerRow,
} from './business-central-ledger.js';
import { json, readJson } from './fake-json.js';
import { batchBody, code, journalBody, parse, partnerBody, text } from './business-central-bodies.js';
import type { Effect, FakeReply, FakeRequest, FakeVendor } from './fake-server.js';
import { type Entity, filterOf, ODataError } from './odata.js';

export interface BcFakeOptions {
  readonly tenantId: string;
  readonly environment: string;
  readonly companyId: string;
  readonly companyName: string;
  readonly registrationNo?: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

export interface BcFileRow {
  readonly id: string;
  readonly fileName: string;
  readonly parentId: string;
  content: Buffer;
  lastModifiedDateTime: string;
}

export class BusinessCentralFake implements FakeVendor {
  readonly ledger: BcLedger;
  readonly attachments: { id: string; fileName: string; parentId: string; content: Buffer }[] = [];
  readonly files: BcFileRow[] = [];
  readonly documents: BcDocuments;
  readonly #options: BcFakeOptions;
  #tokens = new Set<string>();

  constructor(ledger: BcLedger, options: BcFakeOptions) {
    this.ledger = ledger;
    this.documents = new BcDocuments(ledger);
    this.#options = options;
  }

  expireTokens(): void {
    this.#tokens = new Set();
  }

  effectOf(request: FakeRequest): Effect {
    const path = decodeURIComponent(request.url.pathname);
    if (request.method === 'GET') return 'none';
    if (request.method === 'DELETE') return 'clean-up';
    if (path.includes('attachments')) return 'attach';
    if (path.endsWith('/Microsoft.NAV.post')) return 'book';
    if (/\/(customers|vendors)$/.test(path)) return 'partner';
    const isCreation = ['journals', ...FAKE_SETS].some((set) => path.endsWith(`/${set}`));
    return request.method === 'POST' && isCreation ? 'create' : 'other';
  }

  errorBody(): FakeReply {
    return json(200, { error: { code: 'Unknown', message: 'Something went wrong' } });
  }

  refuseBooking(): FakeReply {
    return errorReply(new BcError(400, 'Application_DialogException', 'The books are being copied.'));
  }

  refuseAttachment(): FakeReply {
    return errorReply(new BcError(400, 'Application_DialogException', 'The file is too large.'));
  }

  answer(request: FakeRequest): FakeReply {
    try {
      const { tenantId, environment } = this.#options;
      if (request.url.pathname === `/${tenantId}/oauth2/v2.0/token`) return this.#token(request);
      const token = /^Bearer (.+)$/.exec(request.headers['authorization'] ?? '')?.[1];
      if (token === undefined || !this.#tokens.has(token)) {
        const message = 'The server has rejected the client credentials.';
        throw new BcError(401, 'Authentication_InvalidCredentials', message);
      }
      const root = `/v2.0/${tenantId}/${environment}/api/v2.0/`;
      const path = decodeURIComponent(request.url.pathname);
      if (!path.startsWith(root)) throw notFound(path);
      if (path === `${root}$batch`) return this.#batch(request);
      return this.#route(path.slice(root.length), request);
    } catch (error) {
      return errorReply(error);
    }
  }

  #token(request: FakeRequest): FakeReply {
    const form = new URLSearchParams(request.body.toString('utf8'));
    const { clientId, clientSecret } = this.#options;
    if (form.get('grant_type') !== 'client_credentials' || !form.get('scope')?.endsWith('/.default')) {
      return json(400, { error: 'invalid_scope' });
    }
    if (form.get('client_id') !== clientId || form.get('client_secret') !== clientSecret) {
      return json(401, { error: 'invalid_client', error_description: 'AADSTS7000215' });
    }
    const token = randomUUID();
    this.#tokens.add(token);
    return json(200, { token_type: 'Bearer', expires_in: 3599, access_token: token });
  }

  /** One transaction: when an inner request fails, what the others did is undone. */
  #batch(request: FakeRequest): FakeReply {
    if (request.headers['isolation'] !== 'snapshot')
      throw new BcError(400, 'BadRequest', 'The fake wants snapshot');
    const { requests } = parse(batchBody, readJson(request.body));
    const undo: (() => void)[] = [];
    const responses = requests.map((inner) => {
      try {
        return { id: null, status: 201, headers: {}, body: this.#inner(inner, undo) };
      } catch (error) {
        const { status, value } = errorOf(error);
        return { id: null, status, headers: {}, body: value };
      }
    });
    if (responses.some((response) => response.status > 299)) undo.forEach((each) => each());
    return json(200, { responses });
  }

  #inner(
    { method, url, body }: z.infer<typeof batchBody>['requests'][number],
    undo: (() => void)[],
  ): unknown {
    const { companyId } = this.#options;
    const path = url.startsWith(`companies(${companyId})/`) ? url.slice(companyId.length + 12) : '';
    const [, entity = '', id = '', below = ''] = /^(\w+)\(([^)]+)\)\/(\w+)$/.exec(path) ?? [];
    if (method !== 'POST') throw new BcError(400, 'BadRequest', `The fake knows no ${method} in a batch`);
    if (below === 'dimensionSetLines') {
      const set = setOfLines(entity);
      const line = set ? this.documents.lineOf(set, id) : this.#line(id);
      const sent = parse(z.strictObject({ code: code(20), valueCode: code(20) }), body);
      const row = this.ledger.addDimension(line, sent.code, sent.valueCode);
      undo.push(() => line.dimensionSetLines.splice(line.dimensionSetLines.indexOf(row), 1));
      return row;
    }
    const set = FAKE_SETS.find((each) => each === entity);
    if (!set || setOfLines(below) !== set) throw notFound(url);
    const line = this.documents.addLine(set, id, body);
    const { lines } = this.documents.draft(set, id);
    undo.push(() => lines.splice(lines.indexOf(line), 1));
    const { net, tax, price: _price, dimensionSetLines: _dimensions, ...shownLine } = line;
    return { ...shownLine, netAmount: net, netTaxAmount: tax, netAmountIncludingTax: net.plus(tax) };
  }

  #route(path: string, request: FakeRequest): FakeReply {
    const { companyId, companyName } = this.#options;
    const [, company, rest = ''] = /^companies\(([^)]+)\)\/?(.*)$/.exec(path) ?? [];
    if (company !== companyId)
      throw new BcError(404, 'Internal_CompanyNotFound', 'The company does not exist.');
    if (rest === '') return json(200, { id: companyId, name: companyName, displayName: companyName });
    if (request.method === 'GET') {
      this.ledger.noteRead();
      const content = this.#fileContent(rest);
      if (content)
        return { status: 200, headers: { 'content-type': 'application/octet-stream' }, body: content };
      return this.#list(rest, request.url);
    }
    if (rest === 'journals') return this.#createJournal(request);
    if (rest === 'customers' || rest === 'vendors') return this.#createPartner(rest, request);
    if (rest.includes('attachments')) return this.#attach(rest, request);
    if (rest.includes('documentAttachments')) return this.#keepFile(rest, request);
    const [, entity = '', documentId = '', verb] = DOCUMENT_PATH.exec(rest) ?? [];
    const set = FAKE_SETS.find((each) => each === entity);
    if (set) return this.#document(set, documentId, verb, request);
    const [, id, action] = /^journals\(([^)]+)\)(\/Microsoft\.NAV\.post)?$/.exec(rest) ?? [];
    const journal = this.#journal(id ?? '');
    if (action !== undefined) this.ledger.post(journal);
    else this.#changeJournal(journal, request);
    return { status: 204 };
  }

  #document(set: FakeSet, id: string, verb: string | undefined, request: FakeRequest): FakeReply {
    if (id === '') {
      const { id: made } = this.documents.create(set, readJson(request.body));
      return json(
        201,
        this.documents.shown(set).find((row) => row['id'] === made),
      );
    }
    if (verb !== undefined) this.documents.post(set, id);
    else {
      checkETag(request, this.documents.draft(set, id).etag);
      if (request.method === 'DELETE') this.documents.remove(set, id);
      else this.documents.change(set, id, readJson(request.body));
    }
    return { status: 204 };
  }

  #changeJournal(journal: BcJournalRow, request: FakeRequest): void {
    checkETag(request, journal.etag);
    if (request.method === 'DELETE') {
      this.ledger.journals.splice(this.ledger.journals.indexOf(journal), 1);
      return;
    }
    journal.displayName = parse(
      z.strictObject({ displayName: text(100) }),
      readJson(request.body),
    ).displayName;
    journal.etag++;
  }

  #list(path: string, url: URL): FakeReply {
    const query = url.searchParams;
    const rows = this.#entities(path);
    const filter = query.get('$filter');
    const fitting = filter === null ? rows : rows.filter(filterOf(filter));
    const ordered = inOrder(fitting, query.get('$orderby'));
    const expanded = new Set((query.get('$expand') ?? '').split(/[(),]|\$expand=/));
    const top = Number(query.get('$top') ?? 20_000);
    const select = query.get('$select')?.split(',');
    return json(200, { value: ordered.slice(0, top).map((row) => selected(shown(row, expanded), select)) });
  }

  #entities(path: string): Entity[] {
    const { ledger } = this;
    const { allowPostingFrom, allowPostingTo } = ledger.options;
    const lines = /^journals\(([^)]+)\)\/journalLines$/.exec(path);
    if (lines) return this.#journal(lines[1] ?? '').lines.map(({ lcyAmount: _lcy, ...line }) => line);
    const attached = ATTACHMENTS_PATH.exec(path);
    if (attached) return this.#attachedTo(attached[1] ?? '');
    const beside = FILES_PATH.exec(path);
    if (beside) return this.#filesOf(beside[1] ?? '');
    const set = FAKE_SETS.find((each) => each === path);
    if (set) return this.documents.shown(set);
    switch (path) {
      case 'generalLedgerSetup':
        return [{ id: randomUUID(), allowPostingFrom, allowPostingTo, localCurrencyCode: 'ISK' }];
      case 'accounts':
        return [...ledger.accounts].map(([number, account]) => ({
          ...{ number, displayName: `Account ${number}`, blocked: account.blocked },
          ...{ accountType: account.accountType, directPosting: account.directPosting },
        }));
      case 'taxGroups':
        return [ledger.noVatGroup, ...ledger.vatGroups.keys()].map((group) => ({ code: group }));
      case 'currencyExchangeRates':
        return this.documents.rates.map(({ rate, ...row }) => ({
          ...row,
          exchangeRateAmount: new Decimal(1),
          relationalExchangeRateAmount: rate,
        }));
      case 'companyInformation':
        return [{ id: randomUUID(), taxRegistrationNumber: this.#options.registrationNo ?? '' }];
      case 'dimensions':
        return [...ledger.dimensions].map(([name, values]) => ({
          code: name,
          dimensionValues: [...values].map((value) => ({ code: value })),
        }));
      case 'customers':
        return ledger.customers.map((customer) => ({
          ...{ addressLine1: '', postalCode: '', city: '', email: '', phoneNumber: '' },
          ...{ lastModifiedDateTime: FIRST_STAMP, ...customer },
        }));
      case 'items':
        return ledger.items.map((item) => ({ ...item, type: 'Inventory' }));
      case 'vendors':
        return ledger.vendors.map((vendor) => ({ ...vendor }));
      case 'journals':
        return ledger.journals.map(({ lines: _lines, etag, ...row }) => ({
          '@odata.etag': `W/"${etag}"`,
          ...row,
        }));
      case 'generalLedgerEntries':
        return ledger.entries.map((entry) => ({ ...entry }));
      default:
        throw notFound(path);
    }
  }

  /** A deep insert is one transaction: a line that is refused takes the header with it. */
  #createJournal(request: FakeRequest): FakeReply {
    const body = parse(journalBody, readJson(request.body));
    const journal = this.ledger.addJournal(body.code, body.displayName);
    try {
      for (const line of body.journalLines) this.ledger.addLine(journal, line);
    } catch (error) {
      this.ledger.journals.splice(this.ledger.journals.indexOf(journal), 1);
      throw error;
    }
    return json(201, { id: journal.id, code: journal.code, displayName: journal.displayName });
  }

  #createPartner(kind: 'customers' | 'vendors', request: FakeRequest): FakeReply {
    const body = parse(partnerBody, readJson(request.body));
    if (this.ledger[kind].some((partner) => partner.number === body.number)) {
      throw new BcError(400, 'Internal_EntityWithSameKeyExists', `The record ${body.number} already exists.`);
    }
    const { number, displayName, taxRegistrationNumber } = body;
    const partner: BcPartnerRow = {
      ...{ id: randomUUID(), number, displayName, taxRegistrationNumber },
      ...{ currencyCode: 'ISK', blocked: '_x0020_' },
    };
    this.ledger[kind].push(partner);
    return json(201, partner);
  }

  #attach(path: string, request: FakeRequest): FakeReply {
    const below = ATTACHMENTS_PATH.exec(path);
    if (below && request.method === 'POST') {
      const owners = [...this.ledger.entries, ...this.documents.rows];
      if (!owners.some((owner) => owner.id === below[1])) throw notFound(path);
      const { fileName } = parse(z.strictObject({ fileName: text(250) }), readJson(request.body));
      const attachment = { id: randomUUID(), fileName, parentId: below[1] ?? '', content: Buffer.alloc(0) };
      this.attachments.push(attachment);
      return json(201, { id: attachment.id, fileName, byteSize: 0 });
    }
    const content = /^attachments\(([^)]+)\)\/attachmentContent$/.exec(path);
    const attachment = this.attachments.find((each) => each.id === content?.[1]);
    if (!attachment || request.method !== 'PATCH') throw notFound(path);
    checkETag(request, 1);
    attachment.content = request.body;
    return { status: 204 };
  }

  #keepFile(path: string, request: FakeRequest): FakeReply {
    const below = FILES_PATH.exec(path);
    if (below && request.method === 'POST') {
      const parentId = this.#owner(below[1] ?? '');
      const { fileName } = parse(z.strictObject({ fileName: text(250) }), readJson(request.body));
      const file = this.addFile(parentId, fileName, Buffer.alloc(0));
      return json(201, { id: file.id, fileName, byteSize: 0 });
    }
    const content = CONTENT_PATH.exec(path);
    const file = this.files.find((each) => each.id === content?.[1]);
    if (!file || request.method !== 'PATCH') throw notFound(path);
    checkETag(request, 1);
    file.content = request.body;
    file.lastModifiedDateTime = this.ledger.stamp();
    return { status: 204 };
  }

  addFile(parentId: string, fileName: string, content: Buffer): BcFileRow {
    const file = { id: randomUUID(), fileName, parentId, content, lastModifiedDateTime: this.ledger.stamp() };
    this.files.push(file);
    return file;
  }

  #fileContent(path: string): Buffer | undefined {
    const id = CONTENT_PATH.exec(path)?.[1];
    return this.files.find((file) => file.id === id)?.content;
  }

  #filesOf(id: string): Entity[] {
    const parentId = this.#owner(id);
    return this.files
      .filter((file) => file.parentId === parentId)
      .map(({ content, ...file }) => ({ ...file, byteSize: content.byteLength }));
  }

  #owner(id: string): string {
    const owners = [...this.ledger.customers, ...this.ledger.items, ...this.documents.rows];
    if (owners.some((owner) => owner.id === id)) return id;
    throw new BcError(404, 'BadRequest_NotFound', 'The record does not exist.');
  }

  #attachedTo(parentId: string): Entity[] {
    const there = this.attachments.filter((attachment) => attachment.parentId === parentId);
    return there.map(({ id, fileName, content }) => ({
      ...{ id, parentId, fileName, byteSize: content.byteLength },
    }));
  }

  #journal(id: string): BcJournalRow {
    const journal = this.ledger.journals.find((each) => each.id === id);
    if (!journal) throw new BcError(404, 'BadRequest_NotFound', 'The journal does not exist.');
    return journal;
  }

  #line(id: string): BcLineRow {
    const lines = this.ledger.journals.flatMap((journal) => journal.lines);
    const line = lines.find((each) => each.id === id);
    if (!line) throw new BcError(404, 'BadRequest_NotFound', 'The journal line does not exist.');
    return line;
  }
}

/** Of what was there before anybody looked. */
const FIRST_STAMP = '2026-01-01T00:00:00Z';
const DOCUMENT_PATH = /^(\w+)(?:\(([^)]+)\)(\/Microsoft\.NAV\.post)?)?$/;
const ATTACHMENTS_PATH = /^(?:generalLedgerEntries|\w+(?:Invoices|CreditMemos))\(([^)]+)\)\/attachments$/;
/** Files beside a record; `attachments` are files of an incoming document, which customers do not have. */
const CONTENT_PATH = /^documentAttachments\(([^)]+)\)\/attachmentContent$/;
const FILES_PATH = /^(?:customers|items|sales\w+)\(([^)]+)\)\/documentAttachments$/;
const NESTED = /^(dimensionSetLines|dimensionValues|\w+Lines)$/;

function shown(row: Entity, expanded: ReadonlySet<string>): Entity {
  return Object.fromEntries(
    Object.entries(row)
      .filter(([name]) => !NESTED.test(name) || expanded.has(name))
      .map(([name, value]) => [
        name,
        NESTED.test(name) ? (value as Entity[]).map((each) => shown(each, expanded)) : value,
      ]),
  );
}

/** What the entity lacks is refused by name. */
function selected(row: Entity, names: readonly string[] | undefined): Entity {
  if (names === undefined) return row;
  const stray = names.find((name) => !(name in row));
  if (stray !== undefined) throw new ODataError(`Could not find a property named '${stray}'`);
  return Object.fromEntries(names.map((name) => [name, row[name]]));
}

function inOrder(rows: readonly Entity[], order: string | null): readonly Entity[] {
  const [field, direction = 'asc'] = (order ?? '').split(' ');
  if (field === undefined || field === '') return rows;
  const sign = direction === 'desc' ? -1 : 1;
  const compare = (one: unknown, other: unknown) =>
    typeof one === 'number' && typeof other === 'number'
      ? one - other
      : String(one).localeCompare(String(other), 'en');
  return [...rows].sort((one, other) => sign * compare(one[field], other[field]));
}

function checkETag(request: FakeRequest, etag: number): void {
  const sent = request.headers['if-match'];
  if (sent === undefined) {
    const message = 'Could not validate the client concurrency token required by the service.';
    throw new BcError(400, 'BadRequest_InvalidToken', message);
  }
  if (sent !== '*' && sent !== `W/"${etag}"`) {
    throw new BcError(409, 'Request_EntityChanged', 'Another user has already changed the record.');
  }
}

function notFound(path: string): BcError {
  return new BcError(404, 'BadRequest_ResourceNotFound', `Resource not found for the segment '${path}'.`);
}

function errorOf(error: unknown): { status: number; value: unknown } {
  if (error instanceof BcError) {
    return { status: error.status, value: { error: { code: error.code, message: error.message } } };
  }
  const message = error instanceof Error ? error.message : String(error);
  const failure = error instanceof ODataError ? 'BadRequest_NotFound' : 'Internal_ServerError';
  return { status: error instanceof ODataError ? 400 : 500, value: { error: { code: failure, message } } };
}

function errorReply(error: unknown): FakeReply {
  const { status, value } = errorOf(error);
  return json(status, value);
}
