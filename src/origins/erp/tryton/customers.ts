// Parties of Tryton as customers. Tryton has no mark for customers: a party with a kennitala is one.
import { readKennitala } from '../../../domain/kennitala.js';
import type { ErpRecord } from '../as-reading.js';
import { given } from '../given.js';
import type { WireCustomer } from './wire.js';

const PHONES = ['phone', 'mobile'];

/** null: it has no kennitala. */
export function customerOf(party: WireCustomer): ErpRecord | null {
  const kennitala = kennitalaOf(party);
  if (kennitala === null) return null;
  const addresses = party['addresses.'];
  const address = addresses.find(({ invoice }) => invoice === true) ?? addresses[0];
  const contact = (types: readonly string[]) =>
    party['contact_mechanisms.'].find(({ type }) => types.includes(type))?.value;
  const value = given({
    ...{ kennitala, name: party.name, email: contact(['email']), phone_number: contact(PHONES) },
    // The service has one line for it.
    address: address?.street?.split(/\r?\n/).join(', '),
    ...{ zip: address?.postal_code, city: address?.city, lang: languageOf(party) },
  });
  return { kind: 'customer', reference: kennitala, value };
}

export function kennitalaOf({ code, 'identifiers.': identifiers }: WireCustomer): string | null {
  const numbers = [...identifiers.map((identifier) => identifier.code), code ?? ''];
  for (const written of numbers) {
    const { digits } = readKennitala(written);
    if (digits !== null) return digits;
  }
  return null;
}

function languageOf({ 'lang.': language }: WireCustomer): string | null {
  if (!language) return null;
  return language.code.startsWith('is') ? 'is' : 'en';
}
