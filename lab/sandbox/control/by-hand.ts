// Documents entered by a person on the start page: a few fields, the rest as the service's own forms would fill it in,
// through the same rules as the API.
import { addDays } from '../clock.js';
import { TAX_CODES, type Cost, type Invoice } from '../model.js';
import { totalsOf } from '../money.js';
import type { Account } from '../service/account.js';
import { createCostAdvanced } from '../service/costs.js';
import { taskOf } from '../service/tasks.js';
import { DataObject } from '../service/data-object.js';
import { createInvoice } from '../service/invoice-create.js';

export interface SimpleSale {
  /** Left out: the account's first customer. */
  readonly customerGuid?: string;
  readonly description?: string;
  readonly qty?: number;
  /** Excluding VAT. */
  readonly unitPrice?: string | number;
  readonly tax?: string;
  readonly issueDate?: string;
}

export function issueSimpleInvoice(account: Account, sale: SimpleSale): Invoice {
  const fields = new DataObject({ ...sale });
  const today = account.service.clock.today();
  const issue = fields.date('issueDate') ?? today;
  const line = {
    qty: fields.integer('qty', 1),
    unit_price: fields.decimal('unitPrice', '10000'),
    tax: fields.oneOf('tax', TAX_CODES, 'S'),
    discount: '0',
    discount_type: false,
  };
  const customer = fields.text('customerGuid') || account.customers.keys().next().value;
  const buyer = customer === undefined ? undefined : account.customers.get(customer);
  const description = fields.text('description') || 'Entered by hand';
  return createInvoice(
    account,
    new DataObject({
      type: 'invoice',
      currency: 'ISK',
      amount: totalsOf([line], buyer?.tax_exempt ?? false).amount / 100,
      issue_date: issue,
      due_date: addDays(issue, buyer?.due_date ?? 3),
      settlement_date: addDays(issue, Math.max(buyer?.due_date ?? 3, buyer?.settlement_date ?? 7)),
      description,
      customer: { guid: customer ?? '' },
      items: [{ ...line, add_new: 1, item_number: account.nextItemNumber(), description, uom: 'C62' }],
    }),
  );
}

/**
 * What a person does on the page of a task: an invoice of the hours that stand there, which the task names from then on. `stays`: more is to
 * be worked on it, so that it is still open.
 */
export function invoiceTask(account: Account, guid: string, stays: boolean): Invoice {
  const task = taskOf(account, guid);
  const hours = task.logs.reduce((sum, log) => sum + log.quantity, 0) / 100;
  const { unit_price: unitPrice, tax } = task.item;
  const sale = { description: task.name, qty: Math.max(1, Math.round(hours)), unitPrice, tax };
  const customerGuid = task.customer?.guid;
  const invoice = issueSimpleInvoice(account, customerGuid === undefined ? sale : { ...sale, customerGuid });
  task.invoices = [...task.invoices, invoice.guid];
  if (!stays) task.status = 'invoiced';
  return invoice;
}

/** The fields of create-cost-adv, each with a default; what is not among them (currency, project_name) is set as given. */
export function enterCost(account: Account, given: Record<string, unknown>): Cost {
  const [known] = account.costs.values();
  const fields = {
    date: account.service.clock.today(),
    how_paid: 1,
    type: '2533',
    supplier_id: known?.supplier_id ?? account.profile.registration_no,
    supplier_name: known?.supplier_name ?? account.profile.name,
    ...withoutEmpty(given),
  };
  const cost = createCostAdvanced(account, new DataObject(fields), null);
  if (typeof given['currency'] === 'string' && given['currency'] !== '') cost.currency = given['currency'];
  if (typeof given['project_name'] === 'string') cost.project_name = given['project_name'];
  return cost;
}

function withoutEmpty(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== '' && value !== null));
}
