// Customers: profiles are never merged by kennitala, and how an invoice reaches one decides which fields it needs.
import { CURRENCIES, type Customer, type InvoiceCustomer } from '../model.js';
import { isKennitala } from '../kennitala.js';
import type { Account } from './account.js';
import type { DataObject } from './data-object.js';
import { Refusal } from './refusal.js';

/** Both surfaces: Document 1 says registration_no where Document 2 says kennitala. */
export function createCustomer(account: Account, data: DataObject): Customer {
  const customer: Customer = {
    guid: account.guid(),
    name: data.required('name'),
    output_select: '3',
    address: '',
    zip: '',
    city: '',
    registration_no: '',
    email: '',
    term: '',
    photo: '',
    due_date: 3,
    settlement_date: 7,
    trading_partner_id: '',
    phone_number: '',
    vat: '',
    lang: 'is',
    currency: 'ISK',
    tax_exempt: false,
    updated_timestamp: '',
    is_claim: false,
    is_discount: false,
    active: true,
    customer_number: '',
  };
  apply(account, customer, data);
  account.customers.set(customer.guid, customer);
  return customer;
}

export function updateCustomer(account: Account, guid: string, data: DataObject): Customer {
  const changed = { ...customerOf(account, guid) };
  apply(account, changed, data);
  account.customers.set(guid, changed);
  return changed;
}

export function customerOf(account: Account, guid: string): Customer {
  const customer = account.customers.get(guid);
  if (customer === undefined) throw new Refusal('unknown-record', 'No customer found');
  return customer;
}

function apply(account: Account, customer: Customer, data: DataObject): void {
  for (const name of ['name', 'address', 'zip', 'city', 'email', 'term', 'photo'] as const)
    customer[name] = data.text(name, customer[name]);
  for (const name of ['trading_partner_id', 'phone_number', 'vat'] as const)
    customer[name] = data.text(name, customer[name]);
  customer.registration_no = data.text('registration_no', data.text('kennitala', customer.registration_no));
  customer.output_select = data.oneOf('output_select', ['2', '3', '4'], customer.output_select);
  customer.lang = data.oneOf('lang', ['is', 'en'], customer.lang);
  customer.currency = data.has('currency') ? data.oneOf('currency', CURRENCIES, null) : customer.currency;
  for (const name of ['due_date', 'settlement_date'] as const)
    customer[name] = data.integer(name, customer[name]);
  for (const name of ['tax_exempt', 'is_claim', 'is_discount'] as const)
    customer[name] = data.flag(name, customer[name]);
  customer.updated_timestamp = account.service.clock.timestamp();
  check(customer);
}

function check(customer: Customer): void {
  if (customer.name === '') throw new Refusal('required-field', 'Field name is required');
  if (customer.registration_no !== '' && !isKennitala(customer.registration_no))
    throw new Refusal('kennitala', 'Field registration_no is not a valid kennitala');
  if (customer.output_select !== '4' && customer.email === '')
    throw new Refusal('customer-delivery', 'Field email is required unless output_select is 4');
  if (customer.output_select !== '2') return;
  if (customer.trading_partner_id === '')
    throw new Refusal('customer-delivery', 'Field trading_partner_id is required when output_select is 2');
  if (!/^\d{10}$/.test(customer.trading_partner_id))
    throw new Refusal('customer-delivery', 'Field trading_partner_id must be a bare kennitala');
}

export function asInvoiceCustomer(customer: Customer): InvoiceCustomer {
  const { guid, name, address, zip, city, registration_no, email } = customer;
  return { guid, name, address, zip, city, registration_no, email };
}

export interface CustomerFilter {
  readonly search?: string;
  /** Document 2's search looks at kennitala and e-mail too, and at deactivated profiles. */
  readonly searchEverywhere?: boolean;
  readonly kennitala?: string;
}

export function findCustomers(account: Account, filter: CustomerFilter): Customer[] {
  const search = (filter.search ?? '').toLowerCase();
  const everywhere = filter.searchEverywhere === true;
  const found: Customer[] = [];
  for (const customer of account.customers.values()) {
    if (!customer.active && !everywhere) continue;
    if (filter.kennitala !== undefined && customer.registration_no !== filter.kennitala) continue;
    if (search !== '' && !matches(customer, search, everywhere)) continue;
    found.push(customer);
  }
  return found;
}

function matches(customer: Customer, search: string, everywhere: boolean): boolean {
  if (customer.name.toLowerCase().includes(search)) return true;
  return (
    everywhere && (customer.registration_no.includes(search) || customer.email.toLowerCase().includes(search))
  );
}
