// Loaded into a process before anything else (NODE_OPTIONS=--import …): every statement that goes to PostgreSQL is added to
// the file that RECORD_STATEMENTS names, the first time that it is sent.
import { appendFileSync } from 'node:fs';
import pg from 'pg';

const seen = new Set();
const query = pg.Client.prototype.query;
pg.Client.prototype.query = function recorded(config, ...rest) {
  const text = typeof config === 'string' ? config : config?.text;
  if (typeof text === 'string' && !seen.has(text)) {
    seen.add(text);
    appendFileSync(process.env.RECORD_STATEMENTS, `${JSON.stringify(text)}\n`);
  }
  return query.call(this, config, ...rest);
};
