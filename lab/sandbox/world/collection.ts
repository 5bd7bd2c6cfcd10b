// What a bank claim adds to an invoice: interest and charges when it was paid late, less the tax withheld from interest.
import type { Hundredths, Invoice } from '../model.js';
import type { Random } from '../random.js';
import { between } from './chance.js';

type ClaimFields = Pick<
  Invoice,
  | 'claim_id'
  | 'claim_status'
  | 'capital_gains_tax'
  | 'other_default_costs_amount'
  | 'default_charge_amount'
  | 'default_interest_amount'
  | 'bank_transaction_amount'
>;

export const NO_CLAIM: ClaimFields = {
  claim_id: '',
  claim_status: '',
  capital_gains_tax: 0,
  other_default_costs_amount: 0,
  default_charge_amount: 0,
  default_interest_amount: 0,
  bank_transaction_amount: 0,
};

const CAPITAL_GAINS_TAX = 0.22;
const LATE_CHARGE: Hundredths = 95_000;

export function openClaim(random: Random): ClaimFields {
  return { ...NO_CLAIM, claim_id: claimId(random), claim_status: 'sent' };
}

/** Deposited = amount + interest + charges − tax on the interest. */
export function paidClaim(random: Random, amount: Hundredths, paidLate: boolean): ClaimFields {
  const interest = paidLate ? Math.round((amount * between(random, 5, 60)) / 10_000 / 100) * 100 : 0;
  const charge = paidLate ? LATE_CHARGE : 0;
  const tax = Math.round((interest * CAPITAL_GAINS_TAX) / 100) * 100;
  return {
    claim_id: claimId(random),
    claim_status: 'paid',
    capital_gains_tax: tax,
    other_default_costs_amount: 0,
    default_charge_amount: charge,
    default_interest_amount: interest,
    bank_transaction_amount: amount + interest + charge - tax,
  };
}

/** Bank, ledger 66 of claims, number. */
function claimId(random: Random): string {
  return `0${between(random, 101, 899)}-66-${between(random, 100_000, 999_999)}`;
}
