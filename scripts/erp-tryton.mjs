// `npm run erp:tryton [-- port]`: a real Tryton with a demo company, for trying the adapter by hand. Ends with Ctrl-C, and
// its books with it. Needs Debian's tryton-server and tryton-modules-account, -account-invoice, -analytic-account and -analytic-invoice
// (the tests of origins want -sale too).
import { register } from 'tsx/esm/api';

register();
const { startTryton, TRYTON_DATABASE, TRYTON_PASSWORD, TRYTON_USER } =
  await import('../test/support/erp/tryton-server.ts');
const { TRYTON_AXIS, TRYTON_COMPANY, TRYTON_TAXES } = await import('../test/support/erp/tryton-company.ts');

console.log('Starting Tryton (the first time makes a database, which takes about half a minute) …');
const server = await startTryton(Number(process.argv[2] ?? 0));
console.log(`
Tryton runs on ${server.url}: database ${TRYTON_DATABASE}, user ${TRYTON_USER}, password ${TRYTON_PASSWORD}.
Company ${TRYTON_COMPANY.name}, 2026 open, 2025 closed. In a tenant file:

  erp:
    adapter: tryton
    settings:
      baseUrl: ${server.url}
      database: ${TRYTON_DATABASE}
      user: ${TRYTON_USER}
      password: env:TRYTON_PASSWORD
      company: '${TRYTON_COMPANY.kennitala}'
      partners: { create: true }
      dimensions:
        costLocation: { root: ${TRYTON_AXIS} }
      books: documents # invoices and bills; without it plain moves
      taxes:
${Object.entries(TRYTON_TAXES)
  .map(([code, name]) => `        ${code}: ${name}`)
  .join('\n')}

Press Ctrl-C to end it.`);
await new Promise((resolve) => {
  process.once('SIGINT', resolve);
  process.once('SIGTERM', resolve);
});
await server.stop();
process.exit(0);
