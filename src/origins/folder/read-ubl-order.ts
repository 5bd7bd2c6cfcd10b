// A UBL 2.1 order: what somebody has ordered from the company, as one record. Elements are found by namespace, not by prefix.
import type { Told } from '../../domain/message.js';
import type { SubmissionKind } from '../../domain/submission.js';
import type { XmlElement } from '../../pipeline/mapping/ubl/read-xml.js';
import type { RawReading } from './raw-record.js';
import { at, CAC, CBC, children, orderIn, textAt, textIn } from './ubl-order.js';
import { filesOfOrder } from './ubl-order-files.js';

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
