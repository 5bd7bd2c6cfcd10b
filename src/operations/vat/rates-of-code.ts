// At which rates a VAT code is used, by the rules in force: a code is only a name that the ERP knows.
import type { TenantRules } from '../../pipeline/mapping/rules.js';
import { type Treatment, VAT_RATES } from '../../pipeline/mapping/vat-rates.js';

/** In percent, the highest first; empty: only a case of the rules names it, or rules that are gone. */
export function vatRatesOf(code: string, { vat }: Pick<TenantRules, 'vat'>): string[] {
  const used = new Set<Treatment>();
  for (const table of [vat.out, vat.in, vat.inNonDeductible, vat.inPartial])
    for (const [treatment, named] of Object.entries(table))
      if (named === code && treatment in VAT_RATES) used.add(treatment as Treatment);
  if (vat.reverseCharge === code) used.add('S');
  if (vat.reverseChargeAA === code) used.add('AA');
  const rates = [...used]
    .map((treatment) => VAT_RATES[treatment])
    .sort((one, other) => other.comparedTo(one));
  return [...new Set(rates.map((rate) => rate.times(100).toFixed()))];
}
