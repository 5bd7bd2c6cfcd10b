import {
  costShape,
  createCost,
  createCostAdvanced,
  deleteCost,
  extracted,
  listCosts,
  moveCostToNew,
  requireCost,
  updateCost,
} from './costs.js';
import { done, enveloped, get, post, type Ask, type Endpoints } from './endpoint.js';
import { readData } from './fields.js';
import { takePage } from './paging.js';

/** The list with its page: costs are the one resource whose list says whether there is more. */
function listedCosts({ world, query }: Ask) {
  const page = takePage(listCosts(world, query, 'credential'), query, 10, world.freedoms.costPageCap);
  const next = page.more ? `/api/v1/get-costs?page=${page.page + 1}&limit=${page.limit}` : null;
  return enveloped(
    page.things.map((cost) => costShape(cost, true)),
    { next_url: next, page: page.page, limit: page.limit, hasMore: page.more },
  );
}

export const CREDENTIAL_COSTS: Endpoints = {
  'get-costs': get(listedCosts),
  'get-count-costs': get(({ world, query }) => enveloped(listCosts(world, query, 'credential').length)),
  'get-cost': get(({ world, query }) =>
    enveloped(costShape(extracted(world, requireCost(world, query.text('guid'))), true)),
  ),
  'update-cost': post(({ world, body }) =>
    enveloped(updateCost(world, body.text('guid'), readData(body)).guid),
  ),
  'move-cost-to-new': post(({ world, body }) => enveloped(moveCostToNew(world, body.text('guid')).guid)),
  'delete-cost': post(({ world, body }) => {
    deleteCost(world, body.text('guid'));
    return done();
  }),
  'create-cost': {
    method: 'POST',
    status: 201,
    run: (ask) => {
      const cost = createCost(ask.world, ask.body, ask.uploads['file']);
      ask.ignore(ask.body.unread());
      return enveloped(cost.guid, { queue: cost.queued });
    },
  },
  'create-cost-adv': {
    method: 'POST',
    status: 201,
    run: (ask) => {
      const cost = createCostAdvanced(ask.world, ask.body, ask.uploads['file']);
      ask.ignore(ask.body.unread());
      return enveloped(cost.guid);
    },
  },
};
