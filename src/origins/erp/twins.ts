// At the service a kennitala is one customer; an ERP may have several with it. None of them speaks for it then, or each would overwrite what
// another has said: a person decides, by mending it in the ERP. Invoices of any of them go out all the same, each with its own customer, who is
// taken as it is where the service has the kennitala already.
import type { ErpRecord } from './as-reading.js';

/** Kennitala → what the ERP calls those that have it, where there are several. */
export type Twins = ReadonlyMap<string, string>;

export function twinsAmong(
  all: readonly { readonly record: ErpRecord | null; readonly name: string }[],
): Twins {
  const named = new Map<string, string[]>();
  for (const { record, name } of all)
    if (record !== null)
      named.set(record.reference, [...(named.get(record.reference) ?? []), name.slice(0, 80)]);
  const several = [...named].filter(([, names]) => names.length > 1);
  return new Map(several.map(([kennitala, names]) => [kennitala, names.slice(0, 10).join(', ')]));
}

/** What is sold, behind whom it was sold to. */
export function sold(sale: ErpRecord, customer: ErpRecord, twins: Twins): ErpRecord[] {
  if (!twins.has(customer.reference)) return [customer, sale];
  return [{ ...sale, value: { ...(sale.value as object), customer: customer.value } }];
}
