// A UBL 2.1 order as XML. Elements are found by namespace, not by prefix.
import { readXml, type XmlElement } from '../../domain/read-xml.js';
import { told, type Words } from '../told.js';
import type { Told } from '../../domain/message.js';
import type { SubmissionKind } from '../../domain/submission.js';
import type { RawReading } from './read-table.js';
import { goesWith } from '../file-patterns.js';
import { bytesIn, type FileFacts, fileFacts, isPlainName } from './named-files.js';

const ORDER = 'urn:oasis:names:specification:ubl:schema:xsd:Order-2';
const CAC = 'urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2';
const CBC = 'urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2';

/** Words: it is none. */
function orderIn(text: string): XmlElement | Words {
  const read = readXml(text.replace(/^\uFEFF/, ''));
  if (read.outcome === 'unreadable') return told('FILE_NO_XML', { why: read.problem });
  const { root } = read;
  return root.name === 'Order' && root.namespace === ORDER ? root : told('NO_UBL_ORDER');
}

function at(element: XmlElement, ...names: readonly string[]): XmlElement | undefined {
  let found: XmlElement | undefined = element;
  for (const name of names) found = found && children(found, CAC, name)[0];
  return found;
}

function textAt(element: XmlElement, name: string): string {
  return children(element, CBC, name)[0]?.text.trim() ?? '';
}

function textIn(element: XmlElement | undefined, name: string): string {
  return element === undefined ? '' : textAt(element, name);
}

function children(element: XmlElement, namespace: string, name: string): XmlElement[] {
  return element.children.filter((child) => child.namespace === namespace && child.name === name);
}

// A UBL 2.1 order: what somebody has ordered from the company, as one record. Elements are found by namespace, not by prefix.

const VAT_CODES: Readonly<Record<string, string>> = { '24': 'S', '11': 'AA', '0': 'Z' };

/** `embedded`: patterns of the files in it that go with it. */
export function readUblOrder(
  text: string,
  kind: SubmissionKind,
  embedded: readonly string[] = [],
): RawReading {
  const root = orderIn(text);
  if ('said' in root) return problem(root);
  const files = filesOfOrder(root, embedded);
  if ('said' in files) return problem(files);
  const reference = textAt(root, 'ID');
  const value = {
    ...given({ currency: textAt(root, 'DocumentCurrencyCode'), issue_date: textAt(root, 'IssueDate') }),
    ...given({ description: textAt(root, 'Note'), booking: textAt(root, 'CustomerReference') }),
    ...(files.length > 0 ? { files } : {}),
    customer: buyerOf(root),
    lines: children(root, CAC, 'OrderLine').map(lineOf),
  };
  return { records: [{ kind, reference, line: 1, value }], problems: [] };
}

function problem(words: Told): RawReading {
  return { records: [], problems: [{ line: 1, words }] };
}

function buyerOf(root: XmlElement): Readonly<Record<string, string>> {
  const party = at(root, 'BuyerCustomerParty', 'Party');
  const address = party && at(party, 'PostalAddress');
  const legal = party && at(party, 'PartyLegalEntity');
  const contact = party && at(party, 'Contact');
  const named = party && at(party, 'PartyName');
  const identified = party && at(party, 'PartyIdentification');
  const numbers = [textIn(party, 'EndpointID'), textIn(legal, 'CompanyID'), textIn(identified, 'ID')];
  return given({
    kennitala:
      numbers.map((written) => written.replaceAll(/[\s-]/g, '')).find((digits) => /^\d{10}$/.test(digits)) ??
      '',
    name: textIn(named, 'Name') || textIn(legal, 'RegistrationName'),
    email: textIn(contact, 'ElectronicMail'),
    address: textIn(address, 'StreetName'),
    zip: textIn(address, 'PostalZone'),
    city: textIn(address, 'CityName'),
  });
}

function lineOf(line: XmlElement): Readonly<Record<string, string>> {
  const ordered = at(line, 'LineItem');
  const item = ordered && at(ordered, 'Item');
  const quantity = ordered && children(ordered, CBC, 'Quantity')[0];
  const price = ordered && at(ordered, 'Price');
  const seller = item && at(item, 'SellersItemIdentification');
  const category = item && at(item, 'ClassifiedTaxCategory');
  const percent = textIn(category, 'Percent').replace(/\.0*$/, '');
  return given({
    item_number: textIn(seller, 'ID') || textIn(ordered, 'ID'),
    description: textIn(item, 'Name') || textIn(item, 'Description'),
    qty: (quantity?.text.trim() ?? '').replace(/\.0*$/, ''),
    uom: quantity?.attributes.get('unitCode') ?? '',
    unit_price: textIn(price, 'PriceAmount'),
    // A rate that Iceland does not have is left for the schema to complain of.
    tax: VAT_CODES[percent] ?? percent,
  });
}

function given(fields: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ''));
}

// Files inside a UBL order, in base64, or named by an address. Whoever writes such an order is a stranger: names are names and no paths,
// nothing is fetched from anywhere, and only the files that the tenant file names go on.

interface FileOfOrder extends FileFacts {
  readonly name: string;
  /** Which of the references of the order it is, from 1. */
  readonly at: string;
}

/** Words: one of them cannot go, and the order not without it. */
function filesOfOrder(order: XmlElement, patterns: readonly string[]): readonly FileOfOrder[] | Words {
  if (patterns.length === 0) return [];
  const files: FileOfOrder[] = [];
  for (const [index, reference] of references(order).entries()) {
    const name = nameOf(reference);
    if (name === null || !goesWith(patterns, name)) continue;
    const shown = name.slice(0, 80);
    if (!isPlainName(name)) return told('FILE_NAME_UNFIT', { name: shown });
    const object = objectOf(reference);
    if (object === undefined) return told('FILE_ELSEWHERE', { file: name });
    const bytes = contentOf(object);
    if (bytes === null) return told('FILE_NO_BASE64', { file: name });
    files.push({ name, ...fileFacts(bytes), at: String(index + 1) });
  }
  return files;
}

/** As it is in the order now. */
export function fileInOrder(text: string, position: string): Uint8Array | null {
  const order = orderIn(text);
  const reference = 'said' in order ? undefined : references(order)[Number(position) - 1];
  const object = reference && objectOf(reference);
  return object === undefined ? null : contentOf(object);
}

function references(order: XmlElement): XmlElement[] {
  return children(order, CAC, 'AdditionalDocumentReference');
}

function objectOf(reference: XmlElement): XmlElement | undefined {
  const attachment = at(reference, 'Attachment');
  return attachment && children(attachment, CBC, 'EmbeddedDocumentBinaryObject')[0];
}

/** Lines of base64 may be broken. */
function contentOf({ text }: XmlElement): Buffer | null {
  return bytesIn(text.replaceAll(/\s/g, ''));
}

const ENDINGS: Readonly<Record<string, string>> = {
  'application/pdf': '.pdf',
  'image/jpeg': '.jpg',
  'image/png': '.png',
  'image/gif': '.gif',
};

/** null: the reference is a number of some document and no file. One without a name has the number of the reference. */
function nameOf(reference: XmlElement): string | null {
  const object = objectOf(reference);
  if (object !== undefined) {
    const given = object.attributes.get('filename')?.trim() ?? '';
    return given === ''
      ? textAt(reference, 'ID') + (ENDINGS[object.attributes.get('mimeCode') ?? ''] ?? '')
      : given;
  }
  const external = at(reference, 'Attachment', 'ExternalReference');
  if (external === undefined) return null;
  const [path = ''] = textIn(external, 'URI').split(/[?#]/, 1);
  const last = path.slice(path.lastIndexOf('/') + 1);
  return [textIn(external, 'FileName'), last, textAt(reference, 'ID')].find((name) => name !== '') ?? '';
}
