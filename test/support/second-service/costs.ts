import { readKennitala } from './customers.js';
import { day } from './dates.js';
import { COST_ACCOUNTING, COST_CODES, MESSAGE_LENGTH, SETTABLE_ACCOUNTING } from './enumerations.js';
import type { Fields, Json } from './fields.js';
import { readAttachment } from './files.js';
import { maybeFloat } from './json-text.js';
import { isWithin, readPeriod, readStatuses } from './paging.js';
import type { Cost } from './records.js';
import { Refusal } from './refusal.js';
import type { Upload } from './wire.js';
import { find, type World } from './world.js';

function keepCost(world: World, given: Partial<Cost>, queued: boolean): Cost {
  const created = world.now();
  const { aiMs, processingMs } = world.freedoms;
  const cost: Cost = {
    ...world.newKept(),
    description: null,
    supplierId: null,
    amount: null,
    currency: 'ISK',
    vat11: null,
    vat24: null,
    code: null,
    howPaid: null,
    credit: false,
    file: null,
    issueDate: null,
    xml: null,
    ...given,
    created,
    processedAt: created.getTime() + (queued ? aiMs : processingMs),
    queued,
    accountingStatus: 'New',
    accountingMessage: null,
  };
  world.costs.push(cost);
  return cost;
}

/** `create-cost`: "date (required, unless cost AI is enabled), file (required), description". */
export function createCost(world: World, form: Fields, upload: Upload | undefined): Cost {
  const { costAi } = world.freedoms;
  const file = readAttachment(upload);
  if (file === null) throw new Refusal('Field file is required');
  const issueDate = costAi ? form.maybeDate('date') : form.date('date');
  return keepCost(world, { issueDate, file, description: form.maybeText('description') }, costAi);
}

/** "The body of the register-cost call may also be JSON with `description`, `amount`, `date`." */
export function registerCost(world: World, body: Fields): Cost {
  const given = {
    issueDate: body.date('date'),
    amount: body.number('amount'),
    description: body.maybeText('description'),
  };
  return keepCost(world, given, false);
}

/** `create-cost-adv`: all of the first six required, the amount positive also for a credit note (write rule 8). */
export function createCostAdvanced(world: World, form: Fields, upload: Upload | undefined): Cost {
  const issueDate = form.date('date');
  const amount = form.number('amount');
  if (amount <= 0) throw new Refusal('Field amount must be positive');
  const howPaid = form.whole('how_paid');
  if (howPaid < 1 || howPaid > 4) throw new Refusal('Field how_paid must be 1 to 4');
  form.text('supplier_name');
  const supplierId = readKennitala(form.text('supplier_id'));
  const code = form.oneOf('type', COST_CODES);
  const credit = form.maybeWhole('credit_note');
  if (credit !== null && credit !== 1 && credit !== 0) throw new Refusal('Field credit_note must be 1');
  const given: Partial<Cost> = {
    issueDate,
    amount,
    howPaid,
    supplierId,
    code,
    credit: credit === 1,
    description: form.maybeText('description'),
    vat11: form.maybeNumber('vat_11'),
    vat24: form.maybeNumber('vat_24'),
    file: readAttachment(upload),
  };
  return keepCost(world, given, false);
}

const isProcessing = (world: World, cost: Cost): boolean => world.now().getTime() < cost.processedAt;

/** "not listed, counted or deletable until processing finishes (`show_api` true)." */
export const isShown = (world: World, cost: Cost): boolean => !cost.queued || !isProcessing(world, cost);

/** What extraction found, from the moment when it has. */
export function extracted(world: World, cost: Cost): Cost {
  if (!cost.queued || isProcessing(world, cost)) return cost;
  const rewrite = world.freedoms.aiRewritesDescription || cost.description === null;
  return {
    ...cost,
    amount: cost.amount ?? 12_400,
    vat24: cost.vat24 ?? 2_400,
    issueDate: cost.issueDate ?? day(cost.created),
    supplierId: cost.supplierId ?? '5902697199',
    code: cost.code ?? '2383',
    description: rewrite ? 'Office supplies' : cost.description,
  };
}

export function requireCost(world: World, key: string): Cost {
  const cost = find(world.costs, key);
  if (cost === undefined) throw new Refusal('No cost found');
  return cost;
}

export function updateCost(world: World, guid: string, data: Fields): Cost {
  const cost = requireCost(world, guid);
  const status = data.maybeText('accounting_status');
  const message = data.maybeText('accounting_message');
  if (status === null || !SETTABLE_ACCOUNTING.includes(status)) {
    throw new Refusal('Accounting status must be one of: Posted, Skipped, Error');
  }
  if ((message ?? '').length > MESSAGE_LENGTH)
    throw new Refusal(`accounting_message is longer than ${MESSAGE_LENGTH}`);
  if (cost.accountingStatus !== 'Created') {
    throw new Refusal('Only costs with accounting_status Created can be updated via the API');
  }
  return Object.assign(cost, { accountingStatus: status, accountingMessage: message, updated: world.now() });
}

export function moveCostToNew(world: World, guid: string): Cost {
  const cost = requireCost(world, guid);
  if (cost.accountingStatus !== 'Created') {
    throw new Refusal(
      'This cost cannot be moved to New (only approved, non-Posted costs can be re-opened for editing)',
    );
  }
  return Object.assign(cost, { accountingStatus: 'New', updated: world.now() });
}

export function deleteCost(world: World, guid: string): void {
  const cost = requireCost(world, guid);
  if (cost.accountingStatus === 'Posted' || isProcessing(world, cost)) {
    throw new Refusal(
      'This cost cannot be deleted. It may have been posted by bookkeeping or is still being processed',
    );
  }
  world.costs.splice(world.costs.indexOf(cost), 1);
}

/** The credential list: newest first by default; the agent's: "stated to return oldest first". */
export function listCosts(world: World, query: Fields, surface: 'credential' | 'agent'): Cost[] {
  const statuses = readStatuses(query, COST_ACCOUNTING, true);
  const [type, supplier] = [query.maybeText('type'), query.maybeText('supplier_id')];
  const filter = query.maybeOneOf('date_filter', ['date', 'created_date']) ?? 'date';
  const period = readPeriod(query);
  const sorts = ['date_desc', 'date_asc', 'created_desc', 'created_asc'];
  const sort = surface === 'agent' ? 'date_asc' : (query.maybeOneOf('sort', sorts) ?? 'date_desc');
  const dateOf = (cost: Cost) =>
    filter === 'created_date' ? day(cost.created) : (cost.issueDate ?? day(cost.created));
  const rank = (cost: Cost) =>
    sort.startsWith('date') ? (cost.issueDate ?? day(cost.created)) : cost.created.toISOString();
  const found = world.costs
    .filter((cost) => isShown(world, cost))
    .map((cost) => extracted(world, cost))
    .filter((cost) => isWithin(dateOf(cost), period) && (statuses?.includes(cost.accountingStatus) ?? true))
    .filter(
      (cost) => (type === null || cost.code === type) && (supplier === null || cost.supplierId === supplier),
    );
  found.sort((one, other) => rank(one).localeCompare(rank(other)) || one.id - other.id);
  return sort.endsWith('desc') ? found.reverse() : found;
}

/** `heavy` is false in the agent's list, which omits `file` and `xml`. */
export function costShape(cost: Cost, heavy: boolean): Json {
  return {
    project_name: '',
    updated_timestamp: day(cost.updated),
    accounting_status: cost.accountingStatus,
    ...(heavy ? { xml: cost.xml, file: cost.file?.bytes.toString('base64') ?? null } : {}),
    created_date: day(cost.created),
    issue_date: cost.issueDate,
    ...(cost.file === null ? {} : { file_extension: cost.file.extension, file_name: cost.file.name }),
    how_paid: cost.howPaid,
    cost_code: cost.code,
    vat_S: maybeFloat(cost.vat24),
    vat_AA: maybeFloat(cost.vat11),
    currency: cost.currency,
    amount: maybeFloat(cost.amount),
    supplier_id: cost.supplierId,
    description: cost.description,
    guid: cost.guid,
  };
}
