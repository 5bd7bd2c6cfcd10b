// GET /audit: which agent did what, newest first.
import { json } from '../http/reply.js';
import type { AgentAnswer } from './call.js';

const LIMIT_DEFAULT = 50;
const LIMIT_MAX = 200;

export const audit: AgentAnswer = ({ account, fields, actionId }) => {
  const agent = fields.text('agent_id');
  const limit = Math.min(LIMIT_MAX, Math.max(1, fields.integer('limit', LIMIT_DEFAULT)));
  const page = Math.max(1, fields.integer('page', 1));
  const records = account.audit.filter((record) => agent === '' || record.agent_id === agent).reverse();
  const data = records.slice((page - 1) * limit, page * limit);
  return json(200, { data, total: records.length, page, limit, action_id: actionId });
};
