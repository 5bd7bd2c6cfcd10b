// A handful of plain documents, until the generator of believable companies stands in world/.
import { addDays } from './clock.js';
import { checkDigit } from './kennitala.js';
import { SCOPES, type AccountData, type Cost, type Invoice, type InvoiceLine } from './model.js';
import { totalsOf } from './money.js';
import { seededRandom } from './random.js';

export interface PlainWorldOptions {
  readonly seed: string | number;
  readonly name: string;
  readonly invoices: number;
  readonly costs: number;
  readonly from: string;
  readonly to: string;
}

export function plainAccount(options: PlainWorldOptions): AccountData {
  const random = seededRandom(options.seed);
  const kennitala = () => {
    for (;;) {
      const eight = String(41_000_000 + random.below(30_000_000)).padStart(8, '0');
      const digit = checkDigit(eight);
      if (digit !== null) return `${eight}${digit}9`;
    }
  };
  const customer = {
    guid: random.guid(),
    name: 'Bakaríið á horninu ehf.',
    address: 'Laugavegur 1',
    zip: '101',
    city: 'Reykjavík',
    registration_no: kennitala(),
    email: 'bokhald@example.is',
  };
  const line: InvoiceLine = {
    guid: random.guid(),
    item_number: '0001',
    description: 'Ráðgjöf',
    qty: 3,
    uom: 'HUR',
    tax: 'S',
    unit_price: '18500',
    discount: '0',
    discount_type: true,
  };
  const at = `${options.from} 09:00:00`;
  const invoices = Array.from({ length: options.invoices }, (_, index): Invoice => {
    const issue = addDays(options.from, index % 28);
    const items = [{ ...line, qty: 1 + (index % 7) }];
    return {
      guid: random.guid(),
      id: index + 1,
      number: String(1001 + index),
      amount: totalsOf(items).amount,
      currency: 'ISK',
      status: 'Sent',
      created_date: issue,
      created_at: `${issue} 10:00:00`,
      issue_date: issue,
      due_date: addDays(issue, 14),
      settlement_date: addDays(issue, 28),
      delivery_date: null,
      description: 'Vinna',
      booking: '',
      cost_provide: '',
      terms: '',
      type: 'invoice',
      refer_guid: null,
      accounting_status: 'Created',
      accounting_message: '',
      updated_timestamp: `${issue} 10:00:00`,
      xml_status: '',
      claim_id: '',
      claim_status: '',
      capital_gains_tax: 0,
      other_default_costs_amount: 0,
      default_charge_amount: 0,
      default_interest_amount: 0,
      bank_transaction_amount: 0,
      exchange_rate: '1',
      items,
      customer,
      method_payment: null,
      credited_by: [],
      payment_link: null,
      files: [],
      origin: null,
    };
  });
  const supplier = kennitala();
  const costs = Array.from({ length: options.costs }, (_, index): Cost => {
    const issue = addDays(options.from, index % 28);
    return {
      guid: random.guid(),
      id: options.invoices + index + 1,
      description: 'Rekstrarvörur',
      supplier_id: supplier,
      amount: 124_000,
      currency: 'ISK',
      vat_AA: 0,
      vat_S: 24_000,
      cost_code: '2093',
      how_paid: 1,
      attachment: { file_name: 'receipt.pdf', file_extension: 'pdf', content: null },
      issue_date: issue,
      created_date: issue,
      created_at: `${issue} 11:00:00`,
      accounting_status: index % 5 === 4 ? 'New' : 'Created',
      updated_timestamp: `${issue} 11:00:00`,
      project_name: '',
      supplier_name: 'Heildsalan hf.',
      supplier_invoice_number: `H-${index + 1}`,
      credit_note: false,
      exchange_rate: '1',
      accounting_message: '',
      xml_written_at: index % 5 === 4 ? null : `${issue} 11:00:00`,
      processing_until: null,
    };
  });
  return {
    profile: {
      username: 'demo',
      api_key: random.token(16),
      password: 'sandbox',
      name: options.name,
      registration_no: kennitala(),
      vat_no: '123456',
      address: 'Borgartún 1',
      zip: '105',
      city: 'Reykjavík',
      email: 'demo@example.is',
      scopes: SCOPES,
      claim_subscription: true,
      discount_subscription: true,
      payment_link_subscription: true,
      cost_ai: false,
      web_service: true,
    },
    customers: [
      {
        ...customer,
        output_select: '3',
        term: '',
        photo: '',
        due_date: 14,
        settlement_date: 28,
        trading_partner_id: '',
        phone_number: '',
        vat: '',
        lang: 'is',
        currency: 'ISK',
        tax_exempt: false,
        updated_timestamp: at,
        is_claim: false,
        is_discount: false,
        active: true,
        customer_number: '',
      },
    ],
    items: [
      {
        guid: line.guid,
        item_number: '0001',
        description: line.description,
        uom: 'HUR',
        tax: 'S',
        unit_price: '18500',
        category: '',
        active: true,
        updated_timestamp: at,
        product_cost: '0',
      },
    ],
    invoices,
    costs,
    tasks: [],
    product_sales: [],
    orders: [],
    recurring: [],
  };
}
