import {
  costShape,
  createCost,
  createCostAdvanced,
  deleteCost,
  extracted,
  listCosts,
  moveCostToNew,
  registerCost,
  requireCost,
  updateCost,
} from './costs.js';
import { done, enveloped, get, post, put, remove, type Ask, type Endpoints } from './endpoint.js';
import { readData, type Json } from './fields.js';
import { takePage } from './paging.js';
import type { Cost } from './records.js';

/** "Register-cost response as shown: {success, cost_id: integer, action_id}", and "`result.queue = true`" when queued. */
function registered(ask: Ask, cost: Cost): Json {
  ask.ignore(ask.body.unread());
  return { ...(cost.queued ? { result: { queue: true } } : {}), cost_id: cost.id, success: true };
}

export const AGENT_COSTS: Endpoints = {
  '/costs': get(({ world, query }) => {
    const { things } = takePage(listCosts(world, query, 'agent'), query, 10);
    return enveloped(things.map((cost) => costShape(cost, false)));
  }, 'cost'),
  '/costs/count': get(
    ({ world, query }) => enveloped({ count: listCosts(world, query, 'agent').length }),
    'cost',
  ),
  'POST /costs': post((ask) => {
    const { world, body, uploads } = ask;
    return registered(ask, ask.isForm ? createCost(world, body, uploads['file']) : registerCost(world, body));
  }, 'cost'),
  'POST /costs/advanced': post(
    (ask) => registered(ask, createCostAdvanced(ask.world, ask.body, ask.uploads['file'])),
    'cost',
  ),
  '/costs/{id}': get(
    ({ world, id }) => enveloped(costShape(extracted(world, requireCost(world, id)), true)),
    'cost',
  ),
  'PUT /costs/{id}': put(
    ({ world, body, id }) => enveloped(updateCost(world, id, readData(body)).guid),
    'cost',
  ),
  'DELETE /costs/{id}': remove(({ world, id }) => {
    deleteCost(world, id);
    return done();
  }, 'cost'),
  'POST /costs/{id}/move-to-new': post(({ world, id }) => enveloped(moveCostToNew(world, id).guid), 'cost'),
};
