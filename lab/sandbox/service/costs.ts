// Costs: New → Created by approval inside the service, Created → Posted, Skipped or Error through the API, back to New
// by move-cost-to-new. Posted is the end.
import {
  COST_ACCOUNTING_STATUSES,
  COST_CODES,
  WRITABLE_ACCOUNTING_STATUSES,
  type Attachment,
  type Cost,
} from '../model.js';
import { timestampText } from '../clock.js';
import { isKennitala } from '../kennitala.js';
import { hasTwoDecimals, isDecimalText, parseHundredths } from '../money.js';
import type { Account } from './account.js';
import type { DataObject } from './data-object.js';
import type { DocumentQuery } from './document-index.js';
import { ACCOUNTING_MESSAGE_MAX, characters, readStatuses, type DocumentFilter } from './invoices.js';
import { Refusal } from './refusal.js';

export function costOf(account: Account, guid: string): Cost {
  const cost = account.costs.get(guid);
  if (cost === undefined) throw new Refusal('unknown-record', 'No cost found');
  return cost;
}

export function updateCostStatus(account: Account, guid: string, data: DataObject): Cost {
  const cost = costOf(account, guid);
  const wanted = WRITABLE_ACCOUNTING_STATUSES.find((value) => value === data.text('accounting_status'));
  if (wanted === undefined)
    throw new Refusal('accounting-status-value', 'Accounting status must be one of: Posted, Skipped, Error');
  const message = data.text('accounting_message');
  if (characters(message) > ACCOUNTING_MESSAGE_MAX)
    throw new Refusal('accounting-message-length', 'accounting_message has at most 500 characters');
  if (cost.accounting_status !== 'Created')
    throw new Refusal(
      'cost-not-created',
      'Only costs with accounting_status Created can be updated via the API',
    );
  account.costs.change(cost, () => {
    cost.accounting_status = wanted;
    cost.accounting_message = message;
    cost.updated_timestamp = account.service.clock.timestamp();
  });
  account.service.onStatus?.(cost.guid, wanted);
  return cost;
}

export function moveCostToNew(account: Account, guid: string): Cost {
  const cost = costOf(account, guid);
  const from = account.service.choices.moveToNewFrom;
  const movable = from === 'created' ? ['Created'] : ['Created', 'Skipped', 'Error'];
  if (!movable.includes(cost.accounting_status))
    throw new Refusal(
      'move-to-new',
      'This cost cannot be moved to New (only approved, non-Posted costs can be re-opened for editing)',
    );
  account.costs.change(cost, () => {
    cost.accounting_status = 'New';
    cost.xml_written_at = null;
    cost.updated_timestamp = account.service.clock.timestamp();
  });
  return cost;
}

/** "Created is written internally": a person approves it, and the XML is written anew. */
export function approveCost(account: Account, guid: string): Cost {
  const cost = costOf(account, guid);
  if (cost.accounting_status !== 'New')
    throw new Refusal('cost-not-created', 'Only costs with accounting_status New can be approved');
  const { clock, choices } = account.service;
  account.costs.change(cost, () => {
    cost.accounting_status = 'Created';
    cost.accounting_message = '';
    cost.xml_written_at = timestampText(clock.nowMs() + choices.xmlSeconds * 1000);
    cost.updated_timestamp = clock.timestamp();
  });
  return cost;
}

export function deleteCost(account: Account, guid: string): void {
  const cost = account.costs.get(guid);
  const refused =
    'This cost cannot be deleted. It may have been posted by bookkeeping or is still being processed';
  if (cost === undefined && account.hiddenCosts.has(guid)) throw new Refusal('cost-delete', refused);
  if (cost === undefined) throw new Refusal('unknown-record', 'No cost found');
  if (cost.accounting_status === 'Posted') throw new Refusal('cost-delete', refused);
  account.costs.delete(cost);
}

export interface CostFilter extends DocumentFilter {
  readonly type: string;
  readonly supplierId: string;
}

export function costQuery(filter: CostFilter): DocumentQuery<Cost> {
  const { type, supplierId } = filter;
  if (type !== '' && !isCostCode(type))
    throw new Refusal('cost-code', `Field type must be a numeric cost code, not ${type}`);
  const query = {
    statuses: readStatuses(filter.accountingStatus, COST_ACCOUNTING_STATUSES),
    filterBy: filter.dateFilter,
    from: filter.from,
    to: filter.to,
  };
  if (type === '' && supplierId === '') return query;
  return {
    ...query,
    where: (cost) =>
      (type === '' || cost.cost_code === type) && (supplierId === '' || cost.supplier_id === supplierId),
  };
}

/** create-cost: a file, to be read by a person or by AI. */
export function createCost(account: Account, data: DataObject, file: Attachment | null): Cost {
  const ai = account.profile.cost_ai;
  const date = data.date('date');
  if (date === null && !ai) throw new Refusal('required-field', 'Field date is required');
  if (file === null) throw new Refusal('required-field', 'Field file is required');
  const cost = blankCost(account, date ?? account.service.clock.today());
  cost.description = data.text('description', file.file_name);
  cost.attachment = file;
  if (ai) pretendToRead(account, cost);
  return store(
    account,
    cost,
    ai ? account.service.choices.aiSeconds : account.service.choices.newCostSeconds,
  );
}

/** The agent surface's register-cost as JSON: description, amount, date, and no file. */
export function registerCost(account: Account, data: DataObject): Cost {
  data.required('date');
  const cost = blankCost(account, data.date('date') ?? '');
  cost.amount = positive(data, 'amount');
  cost.description = data.text('description');
  return store(account, cost, account.service.choices.newCostSeconds);
}

/** create-cost-adv: everything is known already. */
export function createCostAdvanced(account: Account, data: DataObject, file: Attachment | null): Cost {
  for (const name of ['date', 'amount', 'how_paid', 'supplier_name', 'supplier_id', 'type'])
    data.required(name);
  const cost = blankCost(account, data.date('date') ?? '');
  cost.amount = positive(data, 'amount');
  cost.vat_AA = money(data, 'vat_11');
  cost.vat_S = money(data, 'vat_24');
  cost.how_paid = readHowPaid(data);
  cost.supplier_name = data.text('supplier_name');
  cost.supplier_id = data.text('supplier_id');
  if (!isKennitala(cost.supplier_id))
    throw new Refusal('kennitala', 'Field supplier_id is not a valid kennitala');
  cost.cost_code = data.text('type');
  if (!isCostCode(cost.cost_code))
    throw new Refusal('cost-code', 'Field type must be one of the numeric cost codes');
  cost.description = data.text('description', cost.supplier_name);
  cost.credit_note = data.flag('credit_note');
  cost.attachment = file;
  return store(account, cost, account.service.choices.newCostSeconds);
}

export function isCostCode(text: string): boolean {
  return COST_CODES.some((code) => code === text);
}

function blankCost(account: Account, issueDate: string): Cost {
  const { clock } = account.service;
  const id = account.nextId();
  return {
    guid: account.guid(),
    id,
    description: '',
    supplier_id: '',
    amount: 0,
    currency: 'ISK',
    vat_AA: 0,
    vat_S: 0,
    cost_code: '2533',
    how_paid: 1,
    attachment: null,
    issue_date: issueDate,
    created_date: clock.today(),
    created_at: clock.timestamp(),
    accounting_status: 'New',
    updated_timestamp: clock.timestamp(),
    project_name: '',
    supplier_name: '',
    supplier_invoice_number: `S-${id}`,
    credit_note: false,
    credits: '',
    exchange_rate: '1',
    accounting_message: '',
    xml_written_at: null,
    processing_until: null,
  };
}

/** What AI would extract: a plausible supplier of this account and an amount by the cost's own id. */
function pretendToRead(account: Account, cost: Cost): void {
  const known = account.costs.page({
    ...costQuery({
      accountingStatus: '',
      dateFilter: 'issue',
      from: null,
      to: null,
      type: '',
      supplierId: '',
    }),
    sortBy: 'issue',
    descending: true,
    offset: 0,
    limit: 1,
  })[0];
  cost.supplier_id = known?.supplier_id ?? account.profile.registration_no;
  cost.supplier_name = known?.supplier_name ?? account.profile.name;
  const net = 100_000 + (cost.id % 97) * 1_000;
  cost.vat_S = (net * 24) / 100;
  cost.amount = net + cost.vat_S;
}

function store(account: Account, cost: Cost, hiddenSeconds: number): Cost {
  if (hiddenSeconds <= 0) {
    account.costs.add(cost);
    return cost;
  }
  account.hideCost(cost, account.service.clock.nowMs() + hiddenSeconds * 1000);
  return cost;
}

function readHowPaid(data: DataObject): Cost['how_paid'] {
  const number = data.integer('how_paid', 0);
  if (number === 1 || number === 2 || number === 3 || number === 4) return number;
  throw new Refusal('field-format', 'Field how_paid must be between 1 and 4');
}

function positive(data: DataObject, name: string): number {
  const amount = money(data, name);
  if (amount <= 0) throw new Refusal('cost-amount', `Field ${name} must be a positive number`);
  return amount;
}

function money(data: DataObject, name: string): number {
  const text = data.text(name, '0') || '0';
  if (!isDecimalText(text) || !hasTwoDecimals(text))
    throw new Refusal('field-format', `Field ${name} must be a number with at most 2 decimals`);
  return parseHundredths(text);
}
