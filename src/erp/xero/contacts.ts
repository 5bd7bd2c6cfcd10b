// Contacts of Xero, by kennitala: its tax number, contact number (which programs alone can write) or company number. Names are
// unique among active contacts, which keeps a new one to one whoever makes it; a company that people made without any kennitala is the
// one of that name, and is given it as tax number.
import * as assumed from './assumptions.js';
import { createHash } from 'node:crypto';
import type { JournalParty } from '../../domain/journal.js';
import type { Clock } from '../../domain/runtime.js';
import type { Answer, ReadAnswer } from '../answer.js';
import { clipText } from '../line-text.js';
import type { Rejected } from '../erp-adapter.js';
import { rejected, told } from '../told.js';
import {
  createPartnerDirectory,
  type PartnerDirectory,
  type PartnerWanted,
  partyNumber,
  partySpellings,
} from '../partner-directory.js';
import type { XeroClient } from './client.js';
import { type XeroContact, xeroContacts } from './wire-documents.js';

const CONTACT_LIFE_MS = 10 * 60 * 1000;
const KEPT_MAX = 5_000;
const NUMBERS = ['ContactNumber', 'TaxNumber', 'CompanyNumber'] as const;

export class XeroContacts {
  readonly #client: XeroClient;
  readonly #clock: Clock;
  readonly #directory: PartnerDirectory<XeroContact>;
  /** By kennitala: sixty calls a minute are few, and the same customers come again. */
  readonly #kept = new Map<string, { readonly id: string; readonly until: number }>();
  /** By the id of the contact, for what is read back. */
  readonly #numbers = new Map<string, string>();

  constructor(client: XeroClient, clock: Clock, mayCreate: boolean) {
    this.#client = client;
    this.#clock = clock;
    this.#directory = createPartnerDirectory<XeroContact>({
      mayCreate,
      find: ({ kennitala }) => this.#withNumber(kennitala),
      create: (party) => this.#create(party),
    });
  }

  async resolveId(wanted: PartnerWanted): Promise<ReadAnswer<string>> {
    const { kennitala } = wanted;
    const kept = this.#kept.get(kennitala);
    if (kept && kept.until > this.#clock.now().getTime()) return { outcome: 'ok', value: kept.id };
    const found = await this.#directory.resolve(wanted);
    if (found.outcome !== 'ok') return found;
    const id = found.value.ContactID;
    if (this.#kept.size >= KEPT_MAX) this.forget();
    // Whatever other numbers it has, this is the one that it was found by.
    this.#numbers.set(id, partyNumber(kennitala));
    this.#kept.set(kennitala, { id, until: this.#clock.now().getTime() + CONTACT_LIFE_MS });
    return { outcome: 'ok', value: id };
  }

  /** After a refusal: the contact may have been archived or merged since it was looked up. */
  forget(): void {
    this.#kept.clear();
    this.#numbers.clear();
  }

  /** The kennitala behind each contact; one without a number is left out. */
  async readNumbers(ids: readonly string[]): Promise<ReadAnswer<ReadonlyMap<string, string>>> {
    const unknown = [...new Set(ids)].filter((id) => !this.#numbers.has(id));
    if (unknown.length > 0) {
      const query = { IDs: unknown.join(','), includeArchived: 'true' };
      const answer = await this.#client.get('Contacts', xeroContacts, query);
      if (answer.outcome !== 'ok') return answer;
      if (this.#numbers.size >= KEPT_MAX) this.#numbers.clear();
      for (const contact of answer.value.Contacts) this.#numbers.set(contact.ContactID, numberOf(contact));
    }
    const known = ids.map((id) => [id, this.#numbers.get(id) ?? ''] as const);
    return { outcome: 'ok', value: new Map(known.filter(([, number]) => number !== '')) };
  }

  async #withNumber(kennitala: string): Promise<ReadAnswer<XeroContact[]>> {
    const spellings = partySpellings(kennitala).map(assumed.quoted);
    const where = NUMBERS.flatMap((field) => spellings.map((number) => `${field}==${number}`)).join(' OR ');
    const answer = await this.#client.get('Contacts', xeroContacts, { where });
    return answer.outcome === 'ok' ? { outcome: 'ok', value: answer.value.Contacts } : answer;
  }

  async #create(party: JournalParty, triesLeft = 1): Promise<Answer<XeroContact>> {
    const named = await this.#namesake(party.name);
    if (named.outcome !== 'ok') return named;
    const number = partyNumber(party.kennitala);
    const namesake = named.value;
    if (namesake && numberOf(namesake) === number) return { outcome: 'ok', value: namesake };
    if (namesake && kennitalaOf(namesake) === undefined)
      return isCompany(number) && namesake.TaxNumber === ''
        ? this.#send('POST', number, { ContactID: namesake.ContactID, TaxNumber: number })
        : undecided(party);
    const name = namesake ? `${party.name} (${number})` : party.name;
    const made = await this.#send('PUT', number, newContact({ ...party, name }, number));
    // Somebody of the same name was faster: who that is, is looked at once more.
    const isTaken = made.outcome === 'rejected' && assumed.NAME_TAKEN.test(made.message);
    return isTaken && triesLeft > 0 ? this.#create(party, triesLeft - 1) : made;
  }

  async #namesake(name: string): Promise<ReadAnswer<XeroContact | undefined>> {
    const answer = await this.#client.get('Contacts', xeroContacts, { searchTerm: name });
    if (answer.outcome !== 'ok') return answer;
    const value = answer.value.Contacts.find(({ Name }) => sameName(Name, name));
    return { outcome: 'ok', value };
  }

  async #send(method: 'PUT' | 'POST', number: string, contact: object): Promise<Answer<XeroContact>> {
    const body = JSON.stringify({ Contacts: [contact] });
    const print = createHash('sha256').update(body).digest('hex').slice(0, 16);
    const request = { method, path: 'Contacts', key: `contact-${number}-${print}`, body } as const;
    const answer = await this.#client.write(request, xeroContacts);
    if (answer.outcome !== 'ok') return answer;
    const [made] = answer.value.Contacts;
    return made
      ? { outcome: 'ok', value: made }
      : { outcome: 'unknown', ...told('ANSWERED_WITHOUT_RESULT', { system: 'Xero' }) };
  }
}

function newContact(party: JournalParty, number: string) {
  const { address, zip, city, email } = party;
  const place = { AddressLine1: address, City: city, PostalCode: zip };
  const present = Object.fromEntries(Object.entries(place).filter(([, value]) => value));
  return {
    Name: clipText(party.name, assumed.NAME_LENGTH_MAX),
    ContactNumber: number,
    TaxNumber: number,
    ...(email ? { EmailAddress: email } : {}),
    ...(Object.keys(present).length === 0 ? {} : { Addresses: [{ AddressType: 'POBOX', ...present }] }),
  };
}

const KENNITALA = /^\d{10}$/;

/** Other programs have numbers of their own for contacts, so a kennitala is taken for it wherever it stands. */
function kennitalaOf(contact: XeroContact): string | undefined {
  return numbersOn(contact).find((number) => KENNITALA.test(number));
}

function numberOf(contact: XeroContact): string {
  return kennitalaOf(contact) ?? numbersOn(contact).find((number) => number !== '') ?? '';
}

function numbersOn({ TaxNumber, ContactNumber, CompanyNumber }: XeroContact): string[] {
  return [TaxNumber, ContactNumber, CompanyNumber].map(partyNumber);
}

function sameName(one: string, other: string): boolean {
  const plain = (name: string) => name.normalize('NFC').trim().toLocaleLowerCase('is');
  return plain(one) === plain(other);
}

/** The first digit of a company's kennitala is raised by four; people share their names. */
function isCompany(kennitala: string): boolean {
  return /^[4-7]\d{9}$/.test(kennitala);
}

function undecided({ name, kennitala }: JournalParty): Rejected {
  return rejected('unknown-party', told('CONTACT_WITHOUT_NUMBER', { name, kennitala }), { party: kennitala });
}
