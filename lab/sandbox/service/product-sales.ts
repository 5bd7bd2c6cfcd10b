// Product sales are read-only, and only event sales have attendees.
import type { Attendee, ProductSale } from '../model.js';
import type { Account } from './account.js';
import { Refusal } from './refusal.js';

export function findProductSales(account: Account, search: string): ProductSale[] {
  const wanted = search.toLowerCase();
  return [...account.productSales.values()].filter(
    (sale) => sale.description.toLowerCase().includes(wanted) || sale.name.toLowerCase().includes(wanted),
  );
}

export function attendeesOf(account: Account, guid: string): readonly Attendee[] {
  const sale = account.productSales.get(guid);
  if (sale === undefined) throw new Refusal('unknown-record', 'No product sale found');
  if (sale.type !== 'EVENT') throw new Refusal('event-sale', 'Only event sales have attendees');
  return sale.attendees;
}
