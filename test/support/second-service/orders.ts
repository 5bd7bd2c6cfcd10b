import { readKennitala } from './customers.js';
import { addDays, day } from './dates.js';
import type { Fields } from './fields.js';
import { readTerms } from './invoice-body.js';
import { keepInvoice, type Made } from './invoices.js';
import { takeInlineNumbers } from './lines.js';
import type { Customer, Invoice, Order } from './records.js';
import { Refusal } from './refusal.js';
import { find, type World } from './world.js';

/** "kennitala (10-digit string identifying the customer)": somebody must have it. */
function customerOf(world: World, kennitala: string): Customer {
  const customer = world.customers.find((one) => one.active && one.registrationNo === kennitala);
  if (customer === undefined) throw new Refusal('No customer found with this kennitala');
  return customer;
}

function readOrder(world: World, data: Fields): { body: Order['body']; ignored: string[] } {
  const { terms, ignored } = readTerms(world, data);
  if (data.flag('is_claim') && data.flag('mark_paid'))
    throw new Refusal('is_claim cannot be used with mark_paid');
  const kennitala = readKennitala(data.text('kennitala'));
  customerOf(world, kennitala);
  const settlementDays = data.maybeNumber('settlement_date');
  takeInlineNumbers(world, terms.lines);
  return { body: { ...terms, kennitala, settlementDays }, ignored: [...ignored, ...data.unread()] };
}

export function createOrder(world: World, orders: Order[], data: Fields): Made<Order> {
  const { body, ignored } = readOrder(world, data);
  const made: Order = { ...world.newKept(), body };
  orders.push(made);
  return { made, ignored };
}

export function updateOrder(world: World, orders: Order[], guid: string, data: Fields): Made<Order> {
  const order = requireOrder(orders, guid);
  const { body, ignored } = readOrder(world, data);
  return { made: Object.assign(order, { body, updated: world.now() }), ignored };
}

export function deleteOrder(orders: Order[], guid: string): void {
  orders.splice(orders.indexOf(requireOrder(orders, guid)), 1);
}

export function requireOrder(orders: readonly Order[], guid: string): Order {
  const order = find(orders, guid);
  if (order === undefined) throw new Refusal('No order found');
  return order;
}

/** What a person at the service does with an order or a draft: it becomes an invoice. */
export function invoiceOrder(world: World, order: Order): Invoice {
  const issueDate = day(world.now());
  const { kennitala, settlementDays, ...terms } = order.body;
  const settlementDate = addDays(issueDate, settlementDays ?? 7);
  return keepInvoice(
    world,
    {
      ...terms,
      customer: customerOf(world, kennitala),
      issueDate,
      dueDate: issueDate,
      settlementDate,
      type: 'invoice',
      refers: null,
      paid: false,
      claim: false,
      paymentLink: null,
      files: [],
    },
    { fromOrder: order.guid },
  );
}
