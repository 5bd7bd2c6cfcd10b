// What an ERP adapter is told of the tenant's rules: what each account is used for, and who is to split VAT.
import type { ErpServices } from '../../erp/erp-adapter.js';
import { ruleClasses } from './rule-accounts.js';
import type { TenantRules } from './rules.js';

export function saidByRules(rules: TenantRules): Pick<ErpServices, 'accountClasses' | 'vatMode'> {
  const { mode } = rules.vat;
  return { accountClasses: ruleClasses(rules), ...(mode === undefined ? {} : { vatMode: mode }) };
}
