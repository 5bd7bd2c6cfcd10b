// Document 2, costs: lists come oldest first and without `file` and `xml`.
import type { Cost } from '../model.js';
import {
  costOf,
  costQuery,
  createCost,
  createCostAdvanced,
  deleteCost,
  moveCostToNew,
  registerCost,
  updateCostStatus,
} from '../service/costs.js';
import { Refusal } from '../service/refusal.js';
import { costAttachment } from '../http/request.js';
import { costFilter } from '../http/paging.js';
import { json } from '../http/reply.js';
import { costOnWire, costSummaryOnWire } from '../wire/documents.js';
import {
  agentPage,
  dataOf,
  succeed,
  succeedWithCreated,
  succeedWithList,
  type AgentAnswer,
  type AgentCall,
} from './call.js';

export const listCosts: AgentAnswer = (call) => {
  const query = costQuery(costFilter(call.fields));
  const order = { sortBy: query.filterBy, descending: false } as const;
  const rows = call.account.costs.page({ ...query, ...order, ...agentPage(call) });
  return succeedWithList(call, rows, costSummaryOnWire);
};

/** "→ `result.count`", and without date_filter: always by issue date. */
export const countCosts: AgentAnswer = (call) =>
  succeed(call, {
    count: call.account.costs.count({ ...costQuery(costFilter(call.fields)), filterBy: 'issue' }),
  });

/** The guid, or the integer that register-cost returned as cost_id. */
function named(call: AgentCall): Cost {
  const byId = /^\d{1,9}$/.test(call.id) ? call.account.costs.byId(Number(call.id)) : undefined;
  return byId ?? costOf(call.account, call.id);
}

export const showCost: AgentAnswer = (call) => succeed(call, costOnWire(call.account, named(call)));

export const changeCost: AgentAnswer = (call) => {
  const { guid } = named(call);
  updateCostStatus(call.account, guid, dataOf(call));
  return succeed(call, guid);
};

export const removeCost: AgentAnswer = (call) => {
  const byId = /^\d{1,9}$/.test(call.id) ? call.account.costs.byId(Number(call.id)) : undefined;
  deleteCost(call.account, byId?.guid ?? call.id);
  return succeed(call, null);
};

/** Its refusals carry `result: ''`, unlike the others. */
export const reopenCost: AgentAnswer = (call) => {
  try {
    return succeed(call, moveCostToNew(call.account, call.id).guid);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    call.exchange.broke(error.rule, error.message);
    call.exchange.message = error.message;
    const body = { status: false, message: error.message, result: '', action_id: call.actionId };
    return json(call.state.choices.handledFailureStatus, body);
  }
};

/** A file as multipart, or what is known of it as JSON. */
export const addCost: AgentAnswer = (call) => {
  const { account, exchange, fields } = call;
  const cost =
    exchange.request.body.kind === 'json'
      ? registerCost(account, fields)
      : createCost(account, fields, costAttachment(exchange.file('file')));
  return created(call, cost, cost.attachment !== null && account.profile.cost_ai);
};

export const addCostAdvanced: AgentAnswer = (call) => {
  const file = costAttachment(call.exchange.file('file'));
  return created(call, createCostAdvanced(call.account, call.fields, file), false);
};

function created(call: AgentCall, cost: Cost, queue: boolean) {
  return succeedWithCreated(call, { guid: cost.guid, queue }, { cost_id: cost.id });
}
