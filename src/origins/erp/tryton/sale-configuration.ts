// What Tryton does with a sale by itself. By its defaults it makes an invoice of one that is confirmed, and so does `orders: invoice` at the
// service: the sale would be invoiced, and booked, twice.
import * as z from 'zod';
import type { Told } from '../../../domain/message.js';
import { told } from '../../../erp/told.js';
import type { ErpOriginSettings } from '../settings.js';
import type { TrytonReader } from './reader.js';

const MODEL = 'sale.configuration';
const BY_HAND = 'manual';
const wireMethods = z.array(z.object({ sale_invoice_method: z.string().nullable() }));

/** Of new sales. Tryton has one such configuration for a company, and shows its defaults where nobody has saved any. */
export async function doubtsOfSales(
  reader: TrytonReader,
  { hands, orders }: Pick<ErpOriginSettings, 'hands' | 'orders'>,
): Promise<readonly Told[]> {
  if (!hands.includes('orders') || orders !== 'invoice') return [];
  const [found] = await reader.find(MODEL, [], ['sale_invoice_method'], wireMethods, 1);
  const method = found?.sale_invoice_method ?? BY_HAND;
  return method === BY_HAND ? [] : [told('SALES_INVOICED_TOO', { method })];
}
