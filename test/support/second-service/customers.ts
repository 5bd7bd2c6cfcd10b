import { CURRENCIES, isKennitala, LANGUAGES } from './enumerations.js';
import type { Fields, Json } from './fields.js';
import type { Customer } from './records.js';
import { Refusal } from './refusal.js';
import { find, type World } from './world.js';

/** The credential body says registration_no, the agent body kennitala; the agent body has more that is required. */
export type CustomerBody = 'credential' | 'agent';

/** Write rule 7: "every call creates a profile." */
export function createCustomer(world: World, data: Fields, body: CustomerBody): Customer {
  const customer: Customer = {
    ...world.newKept(),
    name: data.text('name'),
    registrationNo: readKennitala(data.text(kennitalaKey(body))),
    outputSelect: readOutput(data, body) ?? 3,
    language: body === 'agent' ? data.oneOf('lang', LANGUAGES) : (data.maybeOneOf('lang', LANGUAGES) ?? 'is'),
    currency:
      body === 'agent'
        ? data.oneOf('currency', CURRENCIES)
        : (data.maybeOneOf('currency', CURRENCIES) ?? 'ISK'),
    ...readContact(data),
    dueDays: data.maybeWhole('due_date') ?? 3,
    settlementDays: data.maybeWhole('settlement_date') ?? 7,
    taxExempt: data.flag('tax_exempt'),
    active: true,
  };
  checkDelivery(customer);
  world.customers.push(customer);
  return customer;
}

/** "Only the fields to change are sent." */
export function updateCustomer(world: World, guid: string, data: Fields, body: CustomerBody): Customer {
  const customer = requireCustomer(world, guid);
  const changed: Customer = { ...customer, updated: world.now() };
  if (data.has('name')) changed.name = data.text('name');
  if (data.has(kennitalaKey(body))) changed.registrationNo = readKennitala(data.text(kennitalaKey(body)));
  changed.outputSelect = readOutput(data, body, true) ?? customer.outputSelect;
  changed.language = data.maybeOneOf('lang', LANGUAGES) ?? customer.language;
  changed.currency = data.maybeOneOf('currency', CURRENCIES) ?? customer.currency;
  const contact = readContact(data);
  for (const key of Object.keys(contact) as (keyof typeof contact)[]) {
    if (contact[key] !== null) changed[key] = contact[key];
  }
  changed.dueDays = data.maybeWhole('due_date') ?? customer.dueDays;
  changed.settlementDays = data.maybeWhole('settlement_date') ?? customer.settlementDays;
  if (data.has('tax_exempt')) changed.taxExempt = data.flag('tax_exempt');
  checkDelivery(changed);
  return Object.assign(customer, changed);
}

export function requireCustomer(world: World, guid: string): Customer {
  const customer = find(world.customers, guid);
  if (customer === undefined) throw new Refusal('No customer found');
  return customer;
}

const kennitalaKey = (body: CustomerBody): string => (body === 'agent' ? 'kennitala' : 'registration_no');

export function readKennitala(text: string): string {
  if (!isKennitala(text)) throw new Refusal('Invalid kennitala');
  return text;
}

/** An integer in the agent body; a string in the table of Document 1, whose conventions write numbers. */
function readOutput(data: Fields, body: CustomerBody, partial = false): number | null {
  const raw = data.raw('output_select');
  if (raw === undefined && (partial || body === 'credential')) return null;
  const value = body === 'credential' && typeof raw === 'string' ? Number(raw) : data.whole('output_select');
  if (![2, 3, 4].includes(value)) throw new Refusal('Field output_select must be one of: 2, 3, 4');
  return value;
}

function readContact(data: Fields) {
  return {
    address: data.maybeText('address'),
    zip: data.maybeText('zip'),
    city: data.maybeText('city'),
    email: data.maybeText('email'),
    term: data.maybeText('term'),
    phone: data.maybeText('phone_number'),
    vat: data.maybeText('vat'),
    tradingPartner: data.maybeText('trading_partner_id'),
  };
}

/** Write rule 6. */
function checkDelivery(customer: Customer): void {
  if (customer.outputSelect !== 4 && (customer.email ?? '').trim() === '')
    throw new Refusal('Field email is required');
  if (customer.outputSelect !== 2) return;
  if ((customer.tradingPartner ?? '') === '') throw new Refusal('Field trading_partner_id is required');
  if (!/^\d{10}$/.test(customer.tradingPartner ?? ''))
    throw new Refusal('trading_partner_id must be a bare kennitala');
}

/** `get-customers`: "search (name)"; the agent's search "matches name, kennitala or e-mail". */
export function searchCustomers(world: World, text: string, where: CustomerBody): Customer[] {
  const wanted = text.toLowerCase();
  return world.customers.filter((customer) => {
    const searched =
      where === 'agent' ? [customer.name, customer.registrationNo, customer.email ?? ''] : [customer.name];
    return searched.some((value) => value.toLowerCase().includes(wanted));
  });
}

export function customersByKennitala(world: World, kennitala: string): Customer[] {
  const { kennitalaForm, kennitalaFindsDeactivated } = world.freedoms;
  return world.customers.filter(
    (customer) =>
      (customer.active || kennitalaFindsDeactivated) &&
      (kennitalaForm === 'partial'
        ? customer.registrationNo.includes(kennitala)
        : customer.registrationNo === kennitala),
  );
}

/** In an order of its own; what nobody has filled in is null or left out. */
export function customerShape(world: World, customer: Customer): Json {
  return {
    updated_timestamp: customer.updated.toISOString(),
    lang: customer.language,
    currency: customer.currency,
    registration_no: customer.registrationNo,
    tax_exempt: customer.taxExempt,
    settlement_date: customer.settlementDays,
    due_date: customer.dueDays,
    ...(customer.phone === null ? {} : { phone_number: customer.phone }),
    ...(customer.tradingPartner === null ? {} : { trading_partner_id: customer.tradingPartner }),
    vat: customer.vat,
    term: customer.term,
    photo: null,
    email: customer.email,
    city: customer.city,
    zip: customer.zip,
    address: customer.address,
    ...(world.freedoms.customersShowName ? { name: customer.name } : {}),
    output_select: String(customer.outputSelect),
    guid: customer.guid,
  };
}
