// Document 1, Costs.
import {
  costOf,
  costQuery,
  createCost,
  createCostAdvanced,
  deleteCost,
  moveCostToNew,
  updateCostStatus,
} from '../service/costs.js';
import { costAttachment } from '../http/request.js';
import { costFilter, sortOrder, asFaultsHaveIt, readPage } from '../http/paging.js';
import { list } from '../http/reply.js';
import { costOnWire } from '../wire/documents.js';
import { SUCCESS, dataField, guidField, succeed, succeedSilently, type Answer, type Call } from './call.js';

const COSTS_PAGE_SIZE = 10;

export const getCosts: Answer = (call) => {
  const { account, exchange, fields } = call;
  const page = readPage(exchange, COSTS_PAGE_SIZE, account.service.choices.pageSizeMax);
  const query = costQuery(costFilter(fields));
  // One more than asked for says whether there are more.
  const limit = (page.limit ?? COSTS_PAGE_SIZE) + 1;
  const found = account.costs.page({ ...query, ...sortOrder(fields), offset: page.offset, limit });
  const hasMore = found.length === limit;
  const listed = asFaultsHaveIt(exchange, {
    rows: hasMore ? found.slice(0, -1) : found,
    beside: {
      hasMore,
      limit: limit - 1,
      page: page.page,
      next_url: hasMore ? nextUrl(call, page.page) : null,
    },
  });
  return list(
    { status: true, message: SUCCESS },
    listed.rows,
    (row) => costOnWire(account, row),
    listed.beside,
  );
};

/** The request itself with the next page, credentials in its query included. */
function nextUrl(call: Call, page: number): string {
  const query = new URLSearchParams(call.exchange.request.query);
  query.set('page', String(page + 1));
  return `${call.account.service.baseUrl()}${call.exchange.request.path}?${query.toString()}`;
}

export const getCountCosts: Answer = (call) =>
  succeed(call.account.costs.count(costQuery(costFilter(call.fields))));

export const getCost: Answer = (call) =>
  succeed(costOnWire(call.account, costOf(call.account, guidField(call))));

export const postUpdateCost: Answer = (call) =>
  succeed(updateCostStatus(call.account, guidField(call), dataField(call)).guid);

export const postMoveCostToNew: Answer = (call) => succeed(moveCostToNew(call.account, guidField(call)).guid);

export const postDeleteCost: Answer = (call) => {
  deleteCost(call.account, guidField(call));
  return succeedSilently('Cost deleted');
};

export const postCreateCost: Answer = (call) => {
  const cost = createCost(call.account, call.fields, costAttachment(call.exchange.file('file')));
  return succeed(cost.guid, { queue: call.account.profile.cost_ai }, 201);
};

export const postCreateCostAdv: Answer = (call) => {
  const cost = createCostAdvanced(call.account, call.fields, costAttachment(call.exchange.file('file')));
  return succeed(cost.guid, {}, 201);
};
