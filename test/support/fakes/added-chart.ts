// More accounts and values of the dimension in the books of a fake ERP, for tests that book what real rules make.
import type { Decimal } from '../../../src/domain/money.js';
import type { BusinessCentralFake } from './business-central-fake.js';
import type { DkPlusFake } from './dkplus-fake.js';
import type { OdooFake } from './odoo-fake.js';
import type { UnicontaFake } from './uniconta-fake.js';
import type { XeroFake } from './xero-fake.js';

export interface AddedChart {
  readonly accounts: readonly string[];
  /** Of the one dimension that the fakes have. */
  readonly places: readonly string[];
  /** For ERPs that reckon krónur by rates of their own. */
  readonly rates?: readonly { readonly currency: string; readonly day: string; readonly rate: Decimal }[];
}

const NOTHING: AddedChart = { accounts: [], places: [] };

export const addChart = {
  dkPlus(fake: DkPlusFake, { accounts, places, rates = [] } = NOTHING): DkPlusFake {
    // dk has one rate of a currency at a time: the last that somebody gave it.
    for (const { currency, rate } of rates) fake.rates.set(currency, rate);
    for (const number of accounts) fake.accounts.set(number, { Name: number, TaxCode: '', Closed: false });
    for (const place of places) fake.dimensions.add(place);
    return fake;
  },

  businessCentral(fake: BusinessCentralFake, added = NOTHING): BusinessCentralFake {
    const { accounts, places, rates = [] } = added;
    const { ledger, documents } = fake;
    for (const { currency, day, rate } of rates)
      documents.rates.push({ currencyCode: currency, startingDate: day, rate });
    for (const number of accounts)
      if (!ledger.accounts.has(number))
        ledger.accounts.set(number, { blocked: false, accountType: 'Posting', directPosting: true });
    for (const place of places) ledger.dimensions.get('COSTLOC')?.add(place.toUpperCase());
    return fake;
  },

  odoo(fake: OdooFake, { accounts, places } = NOTHING): OdooFake {
    const { records } = fake;
    for (const { id: company } of records.rows('res.company'))
      for (const code of accounts) {
        const own = [
          ['code', '=', code],
          ['company_id', '=', company],
        ];
        if (records.search('account.account', own).length === 0)
          records.insert('account.account', { name: code, code, tax_ids: false, company_id: company });
      }
    const [plan] = records.rows('account.analytic.plan');
    for (const name of places) records.insert('account.analytic.account', { name, plan_id: plan?.id });
    return fake;
  },

  uniconta(fake: UnicontaFake, { accounts, places } = NOTHING): UnicontaFake {
    for (const number of accounts)
      fake.accounts.set(number, { Name: number, AccountType: 'Account', Blocked: false });
    for (const place of places) fake.dimensions.add(place);
    return fake;
  },

  xero(fake: XeroFake, { accounts, places } = NOTHING): XeroFake {
    const ordinary = { Type: 'CURRENT', Status: 'ACTIVE', SystemAccount: null };
    for (const code of accounts) if (!fake.accounts.has(code)) fake.accounts.set(code, ordinary);
    for (const place of places) fake.tracking.get('Staður')?.add(place);
    return fake;
  },
};
