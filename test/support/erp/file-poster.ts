// A process of its own that posts to journal files until it is done or killed. It prints each key once the adapter has
// answered `posted`: what was printed must be in the books whatever happens next.
import { fileAdapter } from '../../../src/erp/file/index.js';
import { freshKey, sale } from '../../../lab/kit/conformance/journals.js';
import { erpServices } from './erp-services.js';
import { CHART } from './sample-chart.js';

const [directory = '', count = '0', ...keys] = process.argv.slice(2);
const configuration = fileAdapter.configuration.parse({ formats: ['journal', 'beancount'] });
const erp = fileAdapter.create(configuration, erpServices({}, directory));

async function postOne(key: string): Promise<void> {
  const outcome = await erp.prepare({ key, journal: sale(CHART, { text: key, net: '10000' }) });
  if (outcome.outcome !== 'prepared') throw new Error(JSON.stringify(outcome));
  const posted = await erp.post(outcome.prepared);
  process.stdout.write(`${posted.outcome} ${key}\n`);
}

const wanted = keys.length > 0 ? keys : Array.from({ length: Number(count) }, freshKey);
await Promise.all(
  Array.from({ length: 4 }, async () => {
    for (let key = wanted.pop(); key !== undefined; key = wanted.pop()) await postOne(key);
  }),
);
await erp.close();
