// Watched folders as beds of the suite: JSON lines, CSV, UBL orders, and a drop directory of receipts.
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SubmissionKind } from '../../../src/domain/submission.js';
import {
  HELD_FACTS,
  type OriginBed,
  type OriginTarget,
  TELLING_TEXT,
} from '../../../src/origins/conformance/target.js';
import { FolderOrigin } from '../../../src/origins/folder/folder-origin.js';
import type { FolderReader } from '../../../src/origins/folder/named-files.js';
import { recordFiles } from '../../../src/origins/folder/record-files.js';
import type { Told } from '../../../src/origins/origin.js';
import { receiptFiles } from '../../../src/origins/receipt-files.js';
import { fieldsOf, kennitalaOf, referenceOf } from './records.js';

export const STABLE_MS = 5_000;

export async function watchedFolder(reader: FolderReader) {
  const directory = await mkdtemp(join(tmpdir(), 'ledgerbridge-origin-'));
  let nowMs = Date.parse('2026-03-01T08:00:00Z');
  const clock = { now: () => new Date(nowMs) };
  return {
    directory,
    open: () => new FolderOrigin('orders', { directory, stableMs: STABLE_MS }, reader, clock),
    pass: (ms: number) => void (nowMs += ms),
    close: () => rm(directory, { recursive: true, force: true }),
  };
}

/** One file a record. */
interface Files {
  readonly reader: FolderReader;
  name(record: number): string;
  write(path: string, record: number, version: 1 | 2): Promise<string>;
  /** What cannot be read: texts by the names of their files. */
  readonly bad: Readonly<Record<string, string>>;
  /** Beside it. */
  companion?(name: string): string;
  /** Writes it again, so that it names a file beside it. */
  naming?(path: string, record: number, file: string): Promise<void>;
  /** Writes it again, with these files inside. */
  inside?(path: string, record: number, files: ReadonlyMap<string, Uint8Array>): Promise<void>;
}

async function folderBed({ reader, name, write, bad, companion, naming, inside }: Files): Promise<OriginBed> {
  const { directory, open, pass, close } = await watchedFolder(reader);
  const files = new Map<string, string>();
  const away = `${directory}-away`;
  let hasAttached = false;
  const pathOf = (record: number) => join(directory, name(record));
  return {
    connect: () => Promise.resolve(open()),
    put: async (record, version = 1) => {
      const reference = await write(pathOf(record), record, version);
      files.set(reference, name(record));
      return reference;
    },
    touch: (record) => utimes(pathOf(record), new Date(), new Date('2026-02-28T12:00:00Z')),
    remove: async (record) => {
      await rm(pathOf(record));
      if (companion) await rm(join(directory, companion(name(record))), { force: true });
    },
    ...(naming
      ? {
          attach: async (record: number, file: string, content: Uint8Array) => {
            await writeFile(join(directory, file), content);
            hasAttached = true;
            await naming(pathOf(record), record, file);
          },
          detach: (_record: number, file: string) => rm(join(directory, file)),
        }
      : {}),
    ...(inside
      ? {
          attach: (record: number, file: string, content: Uint8Array) =>
            inside(pathOf(record), record, new Map([[file, content]])),
          detach: (record: number) => inside(pathOf(record), record, new Map()),
        }
      : {}),
    putBad: async () => {
      for (const [file, text] of Object.entries(bad)) await writeFile(join(directory, file), text);
    },
    mendBad: async () => {
      for (const file of Object.keys(bad)) await rm(join(directory, file));
    },
    ripen: async (origin) => {
      // What a file names is looked at from then on, and has to stand as long; and then both of them together.
      for (let wait = 0; wait < (hasAttached ? 3 : 1); wait++) {
        await origin.changes(null);
        pass(STABLE_MS);
      }
    },
    outage: () => rename(directory, away),
    heal: () => rename(away, directory),
    toldOf: async (reference) => {
      const at = join(directory, 'results', `${files.get(reference) ?? ''}.jsonl`);
      const lines = (await readFile(at, 'utf8')).trim().split('\n');
      return lines.map((line) => JSON.parse(line) as Told).filter((one) => one.reference === reference);
    },
    close: async () => {
      await rm(away, { recursive: true, force: true });
      await close();
    },
  };
}

export function jsonTarget(kind: SubmissionKind): OriginTarget {
  const put = async (path: string, record: number, version: 1 | 2, more: object = {}) => {
    const reference = referenceOf(kind, record);
    const line = { kind, reference, ...fieldsOf(kind, record, version), ...more };
    await writeFile(path, `${JSON.stringify(line)}\n`);
    return reference;
  };
  const files: Files = {
    reader: recordFiles('order'),
    name: (record) => `r${String(record)}.jsonl`,
    write: put,
    ...(kind === 'invoice'
      ? { naming: async (path, record, file) => void (await put(path, record, 1, { files: [file] })) }
      : {}),
    bad: { 'bad.jsonl': `{"kind":"${kind}","reference":"X-1","lines":[]}\n` },
  };
  return {
    ...{ name: `folder of JSON lines: ${kind}`, kind, holds: HELD_FACTS },
    notApplicable: { files: 'a line of JSON brings no file' },
    open: () => folderBed(files),
  };
}

const ROWS: Readonly<
  Partial<Record<SubmissionKind, readonly [header: string, (fields: Record<string, unknown>) => string]>>
> = {
  invoice: [
    'reference,kennitala,customer_name,customer_email,issue_date,terms,item_number,description,qty,unit_price,tax',
    ({ terms = '' }) => `Prufa ehf.,a@b.is,2026-03-01,${String(terms)},V-1,${TELLING_TEXT},2,1000,S`,
  ],
  customer: ['kennitala,name,city', ({ city = '' }) => `${TELLING_TEXT},${String(city)}`],
  item: [
    'item_number,description,unit_price,tax',
    ({ unit_price: price }) => `${TELLING_TEXT},${String(price)},S`,
  ],
  task: [
    'reference,kennitala,customer_name,name,unit_price,tax',
    ({ unit_price: price }) => `Prufa,${TELLING_TEXT},${String(price)},S`,
  ],
  hours: [
    'reference,task,date,from,to,description',
    ({ to }) => `T-1,2026-03-01,09:00,${String(to)},${TELLING_TEXT}`,
  ],
};

export function csvTarget(kind: 'invoice' | 'customer' | 'item' | 'task' | 'hours'): OriginTarget {
  const [header, rest] = ROWS[kind]!;
  const lead = (record: number) =>
    kind === 'customer' || kind === 'hours' || kind === 'item'
      ? referenceOf(kind, record)
      : `${referenceOf(kind, record)},${kennitalaOf(record)}`;
  const files: Files = {
    reader: recordFiles('order'),
    name: (record) => `r${String(record)}.csv`,
    write: async (path, record, version) => {
      await writeFile(path, `${header}\n${lead(record)},${rest(fieldsOf(kind, record, version))}\n`);
      return referenceOf(kind, record);
    },
    bad: { 'bad.csv': `${header},no_such\n${lead(99)},${rest(fieldsOf(kind, 99, 1))},1\n` },
  };
  return { name: `folder of CSV: ${kind}`, kind, holds: HELD_FACTS, open: () => folderBed(files) };
}

export function ublTarget(kind: 'order' | 'draft' | 'invoice'): OriginTarget {
  const files: Files = {
    reader: recordFiles(kind, undefined, ['*']),
    name: (record) => `po${String(record)}.xml`,
    write: async (path, record, version) => {
      await writeFile(path, ublOrder(`PO-${String(record)}`, version === 2 ? '4' : '3'));
      return `PO-${String(record)}`;
    },
    ...(kind === 'invoice'
      ? {
          inside: async (path, record, files) => {
            const references = [...files].map(([name, content]) => embeddedIn(name, content)).join('');
            await writeFile(path, ublOrder(`PO-${String(record)}`, '3', references));
          },
        }
      : {}),
    bad: { 'other.xml': '<a/>' },
  };
  return { name: `folder of UBL orders: ${kind}`, kind, holds: HELD_FACTS, open: () => folderBed(files) };
}

/** Another version of a receipt is what somebody says of it: its bytes are what it is. */
export function receiptTarget(): OriginTarget {
  const files: Files = {
    reader: receiptFiles('optional'),
    name: (record) => `kvittun ${String(record)} ${TELLING_TEXT}.pdf`,
    companion: (name) => `${name}.json`,
    write: async (path, record, version) => {
      const bytes = `%PDF-1.4 ${String(record)}`;
      await writeFile(path, bytes);
      if (version === 2) await writeFile(`${path}.json`, '{"description":"Bensín"}');
      return createHash('sha256').update(bytes).digest('hex').slice(0, 32);
    },
    bad: { 'bad.pdf': '%PDF-1.4 bad', 'bad.pdf.json': '{' },
  };
  return {
    ...{ name: 'drop directory of receipts', kind: 'cost', holds: HELD_FACTS },
    notApplicable: {
      touched: 'the day of its file is kept with a cost, and makes it no other (content-cost.ts)',
    },
    open: () => folderBed(files),
  };
}

export function embeddedIn(name: string, content: Uint8Array): string {
  const base64 = Buffer.from(content)
    .toString('base64')
    .replaceAll(/(.{10})/g, '$1\n');
  return `<cac:AdditionalDocumentReference><cbc:ID>1</cbc:ID><cac:Attachment>
    <cbc:EmbeddedDocumentBinaryObject mimeCode="application/pdf" filename="${name}">${base64}</cbc:EmbeddedDocumentBinaryObject>
  </cac:Attachment></cac:AdditionalDocumentReference>`;
}

/** `references`: what stands behind the head of it. */
export function ublOrder(id: string, quantity: string, references = ''): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<Order xmlns="urn:oasis:names:specification:ubl:schema:xsd:Order-2"
  xmlns:cac="urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2"
  xmlns:cbc="urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2">
  <cbc:ID>${id}</cbc:ID><cbc:IssueDate>2026-03-01</cbc:IssueDate><cbc:DocumentCurrencyCode>ISK</cbc:DocumentCurrencyCode>
  ${references}
  <cac:BuyerCustomerParty><cac:Party>
    <cbc:EndpointID schemeID="0196">5402696029</cbc:EndpointID>
    <cac:PartyName><cbc:Name>Prufa ehf.</cbc:Name></cac:PartyName>
    <cac:PostalAddress><cbc:CityName>Reykjavík</cbc:CityName></cac:PostalAddress>
    <cac:Contact><cbc:ElectronicMail>a@b.is</cbc:ElectronicMail></cac:Contact>
  </cac:Party></cac:BuyerCustomerParty>
  <cac:OrderLine><cac:LineItem>
    <cbc:ID>1</cbc:ID><cbc:Quantity unitCode="C62">${quantity}.0</cbc:Quantity>
    <cac:Price><cbc:PriceAmount currencyID="ISK">1000</cbc:PriceAmount></cac:Price>
    <cac:Item><cbc:Name>${TELLING_TEXT}</cbc:Name>
      <cac:SellersItemIdentification><cbc:ID>V-1</cbc:ID></cac:SellersItemIdentification>
      <cac:ClassifiedTaxCategory><cbc:ID>S</cbc:ID><cbc:Percent>24</cbc:Percent></cac:ClassifiedTaxCategory>
    </cac:Item>
  </cac:LineItem></cac:OrderLine>
</Order>`;
}
