// Trouble on purpose: documents that a bridge must not book blindly, one of each kind, marked so that a demo can point.
import type { AccountData, Cost, Invoice } from '../model.js';
import { withWrongCheckDigit } from './names.js';

export interface PlantedProblem {
  readonly problem: ProblemName;
  readonly kind: 'invoice' | 'cost';
  readonly guid: string;
}

interface CostProblem {
  readonly kind: 'cost';
  readonly meaning: string;
  fits(cost: Cost): boolean;
  plant(cost: Cost): void;
}

interface InvoiceProblem {
  readonly kind: 'invoice';
  readonly meaning: string;
  fits(invoice: Invoice): boolean;
  plant(invoice: Invoice): void;
}

const anyTaxed = (cost: Cost): boolean => cost.vat_S > 0 && cost.currency === 'ISK';
const plainSale = (invoice: Invoice): boolean =>
  invoice.type === 'invoice' && invoice.currency === 'ISK' && invoice.credited_by.length === 0;

export const PROBLEMS = {
  'unknown-cost-code': {
    kind: 'cost',
    meaning: 'cost_code is a category name that stands for no code.',
    fits: anyTaxed,
    plant: (cost) => (cost.cost_code = 'Travel'),
  },
  'alias-cost-code': {
    kind: 'cost',
    meaning: 'cost_code is Items, the one alias that the documents name (2353).',
    fits: anyTaxed,
    plant: (cost) => (cost.cost_code = 'Items'),
  },
  'unmapped-project': {
    kind: 'cost',
    meaning: 'project_name is one that no table of dimension values will have.',
    fits: anyTaxed,
    plant: (cost) => (cost.project_name = 'Óskráð verkefni'),
  },
  'kennitala-checksum': {
    kind: 'cost',
    meaning: "The supplier's kennitala has a wrong check digit.",
    fits: anyTaxed,
    plant: (cost) => (cost.supplier_id = withWrongCheckDigit(cost.supplier_id)),
  },
  'missing-xml': {
    kind: 'cost',
    meaning: 'Approved, but its XML is never written.',
    fits: anyTaxed,
    plant: (cost) => (cost.xml_written_at = null),
  },
  'vat-on-salary': {
    kind: 'cost',
    meaning: 'VAT on a salary.',
    fits: (cost) => cost.cost_code === '3033',
    plant: (cost) => (cost.vat_S = Math.round((cost.amount * 24) / 124 / 100) * 100),
  },
  'too-much-vat': {
    kind: 'cost',
    meaning: 'More VAT than the amount can hold.',
    fits: anyTaxed,
    plant: (cost) => (cost.vat_S = Math.round(cost.amount / 200) * 100),
  },
  'free-of-charge': {
    kind: 'cost',
    meaning: 'Amount and VAT are zero.',
    fits: anyTaxed,
    plant: (cost) => Object.assign(cost, { amount: 0, vat_S: 0, vat_AA: 0 }),
  },
  'unmapped-cost-location': {
    kind: 'invoice',
    meaning: 'cost_provide is one that no table of dimension values will have.',
    fits: plainSale,
    plant: (invoice) => (invoice.cost_provide = 'Óþekktur staður'),
  },
  'customer-kennitala-checksum': {
    kind: 'invoice',
    meaning: "The customer's kennitala on the invoice has a wrong check digit.",
    fits: plainSale,
    plant: (invoice) => {
      const registration_no = withWrongCheckDigit(invoice.customer.registration_no);
      invoice.customer = { ...invoice.customer, registration_no };
    },
  },
  'amount-differs': {
    kind: 'invoice',
    meaning: 'The amount is not the sum of the lines and their VAT.',
    fits: plainSale,
    plant: (invoice) => (invoice.amount += 123_400),
  },
  'rate-upside-down': {
    kind: 'invoice',
    meaning: 'exchange_rate is foreign units per króna.',
    fits: (invoice) =>
      invoice.type === 'invoice' && invoice.currency !== 'ISK' && invoice.credited_by.length === 0,
    plant: (invoice) => (invoice.exchange_rate = (1 / Number(invoice.exchange_rate)).toFixed(6)),
  },
} as const satisfies Record<string, CostProblem | InvoiceProblem>;

export type ProblemName = keyof typeof PROBLEMS;

/** One of each, on different documents that are handed to bookkeeping; a small account may not have room for all. */
export function plantProblems({
  invoices,
  costs,
}: Pick<AccountData, 'invoices' | 'costs'>): PlantedProblem[] {
  const taken = new Set<string>();
  const planted: PlantedProblem[] = [];
  const free = (document: Invoice | Cost): boolean =>
    document.accounting_status === 'Created' && !taken.has(document.guid);
  const mark = (problem: ProblemName, kind: 'invoice' | 'cost', guid: string): void => {
    taken.add(guid);
    planted.push({ problem, kind, guid });
  };
  for (const [name, problem] of Object.entries(PROBLEMS) as [ProblemName, CostProblem | InvoiceProblem][]) {
    if (problem.kind === 'cost') {
      const cost = costs.find((each) => free(each) && !each.credit_note && problem.fits(each));
      if (cost === undefined) continue;
      problem.plant(cost);
      mark(name, 'cost', cost.guid);
    } else {
      const invoice = invoices.find((each) => free(each) && each.status === 'Sent' && problem.fits(each));
      if (invoice === undefined) continue;
      problem.plant(invoice);
      mark(name, 'invoice', invoice.guid);
    }
  }
  return planted;
}
