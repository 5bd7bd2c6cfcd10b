// What lines of invoices and orders point at: taxes, products, accounts.
import type { OdooReader } from './reader.js';
import type { SaleParts } from './sales.js';
import { odooAccountCode, odooCoded, odooRate, type OdooSaleLine } from './wire.js';

export const LINES_MAX = 10_000;

export async function readParts(reader: OdooReader, lines: readonly OdooSaleLine[]): Promise<SaleParts> {
  const among = (ids: readonly number[]) => [['id', 'in', [...new Set(ids)]]];
  const taxes = among(lines.flatMap(({ tax_ids: ids }) => ids));
  const products = among(lines.flatMap(({ product_id: id }) => id ?? []));
  const accounts = among(lines.flatMap(({ account_id: id }) => id ?? []));
  const rates = await reader.find('account.tax', taxes, ['amount', 'amount_type', 'price_include'], odooRate);
  const codes = await reader.find('product.product', products, ['default_code'], odooCoded);
  const named = await reader.find('account.account', accounts, ['code'], odooAccountCode);
  return {
    lines,
    taxes: new Map(rates.map((rate) => [rate.id, rate])),
    codes: new Map(codes.map(({ id, default_code: code }) => [id, code])),
    accounts: new Map(named.map(({ id, code }) => [id, code])),
  };
}
