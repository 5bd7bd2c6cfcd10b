// Order invoices and draft invoices: one body, two lists. Their states are not shown, so they have none; issuing one is
// an act inside the service (the start page and the control API offer it).
import { CURRENCIES, type Invoice, type PreparedInvoice } from '../model.js';
import { isKennitala } from '../kennitala.js';
import type { Account } from './account.js';
import { asInvoiceCustomer, createCustomer, findCustomers } from './customers.js';
import { DataObject } from './data-object.js';
import { iskPerUnit } from './exchange-rates.js';
import {
  blankInvoice,
  checkedAmount,
  datesFrom,
  markPaid,
  commitLines,
  draftLines,
  withoutVat,
} from './invoice-create.js';
import { Refusal } from './refusal.js';

type Kind = PreparedInvoice['kind'];

export function createPrepared(account: Account, kind: Kind, data: DataObject): PreparedInvoice {
  const prepared: PreparedInvoice = {
    guid: account.guid(),
    kind,
    amount: 0,
    currency: data.oneOf('currency', CURRENCIES, null),
    settlement_date: 0,
    description: '',
    booking: '',
    cost_provide: '',
    terms: '',
    delivery_date: null,
    is_claim: false,
    is_discount: false,
    discount_type: false,
    discount_value: '0',
    mark_paid: false,
    kennitala: data.required('kennitala'),
    items: [],
  };
  if (!data.has('items')) throw new Refusal('required-field', 'Field items is required');
  apply(account, prepared, data);
  account.prepared.set(prepared.guid, prepared);
  return prepared;
}

export function updatePrepared(
  account: Account,
  kind: Kind,
  guid: string,
  data: DataObject,
): PreparedInvoice {
  const changed = { ...preparedOf(account, kind, guid) };
  apply(account, changed, data);
  account.prepared.set(guid, changed);
  return changed;
}

export function deletePrepared(account: Account, kind: Kind, guid: string): void {
  account.prepared.delete(preparedOf(account, kind, guid).guid);
}

export function preparedOf(account: Account, kind: Kind, guid: string): PreparedInvoice {
  const prepared = account.prepared.get(guid);
  if (prepared?.kind !== kind) throw new Refusal('unknown-record', `No ${kind} found`);
  return prepared;
}

function apply(account: Account, prepared: PreparedInvoice, data: DataObject): void {
  prepared.currency = data.has('currency') ? data.oneOf('currency', CURRENCIES, null) : prepared.currency;
  prepared.settlement_date = data.integer('settlement_date', prepared.settlement_date);
  for (const name of ['description', 'booking', 'cost_provide', 'terms'] as const)
    prepared[name] = data.text(name, prepared[name]);
  for (const name of ['is_claim', 'is_discount', 'discount_type', 'mark_paid'] as const)
    prepared[name] = data.flag(name, prepared[name]);
  prepared.delivery_date = data.date('delivery_date') ?? prepared.delivery_date;
  prepared.discount_value = data.decimal('discount_value', prepared.discount_value);
  prepared.kennitala = data.text('kennitala', prepared.kennitala);
  if (!isKennitala(prepared.kennitala))
    throw new Refusal('kennitala', 'Field kennitala is not a valid kennitala');
  if (prepared.is_claim && prepared.mark_paid)
    throw new Refusal('flags-conflict', 'Only one of is_claim and mark_paid can be true');
  if (!data.has('items')) return;
  const drafts = draftLines(account, data.list('items'));
  const exempt = findCustomers(account, { kennitala: prepared.kennitala })[0]?.tax_exempt ?? false;
  prepared.amount = checkedAmount(
    account,
    data,
    drafts.map(({ line }) => line),
    exempt,
  );
  prepared.items = withoutVat(commitLines(account, drafts), exempt);
}

/** Issues an invoice from an order or a draft; the order stays and can be issued again. */
export function issuePrepared(account: Account, guid: string): Invoice {
  const prepared = account.prepared.get(guid);
  if (prepared === undefined) throw new Refusal('unknown-record', 'No order or draft found');
  const { description, booking, cost_provide, terms, amount, currency, items, delivery_date } = prepared;
  const invoice: Invoice = {
    ...blankInvoice(account, 'invoice', null),
    ...datesFrom(account.service.clock.today(), 0, prepared.settlement_date),
    ...{ description, booking, cost_provide, terms, amount, currency, items, delivery_date },
    number: account.nextInvoiceNumber(),
    exchange_rate: iskPerUnit(currency),
    customer: asInvoiceCustomer(buyerOf(account, prepared.kennitala)),
    origin: { kind: prepared.kind, guid },
  };
  if (prepared.mark_paid) markPaid(invoice, null);
  account.invoices.add(invoice);
  return invoice;
}

function buyerOf(account: Account, kennitala: string) {
  const known = findCustomers(account, { kennitala })[0];
  return (
    known ??
    createCustomer(
      account,
      new DataObject({ name: kennitala, registration_no: kennitala, output_select: '4' }),
    )
  );
}

export function invoicesFrom(account: Account, guid: string): Invoice[] {
  const found: Invoice[] = [];
  for (const invoice of account.invoices.values()) if (invoice.origin?.guid === guid) found.push(invoice);
  return found;
}
