// `npm test`: every project, on real services. What is not installed is named, with the tests that stay out because of it;
// in CI nothing may stay out.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const services = {
  'redis-server': 'queues on Redis',
  chromium: 'the dashboard in a browser',
  trytond: 'the Tryton adapter against a real Tryton',
  hledger: 'the books judged by hledger',
  ledger: 'the books judged by ledger',
  'bean-check': 'the books judged by beancount',
  promtool: 'the alerts judged by Prometheus',
  curl: 'the tutorial typed line by line',
  'systemd-notify': 'what systemd is told',
};

/** Packages of Debian beside the program, as test/support/services.ts has them, and what stays out without them. */
const modules = {
  'account account_invoice analytic_account analytic_invoice party product': services.trytond,
  sale: 'orders and quotations of a real Tryton, and a real Tryton among the origins that are killed',
};

const missing = Object.keys(services).filter(
  (name) => !(process.env.PATH ?? '').split(':').some((dir) => existsSync(`${dir}/${name}`)),
);
for (const name of missing) console.log(`left out: ${services[name]} (${name} is not installed)`);
if (!missing.includes('trytond'))
  for (const [names, what] of Object.entries(modules)) {
    const lacking = lackedOf(names.split(' '));
    if (lacking.length === 0) continue;
    console.log(`left out: ${what} (of Tryton's modules these are not installed: ${lacking.join(', ')})`);
    missing.push(...lacking);
  }
if (missing.length > 0) console.log('On Debian, .ci/run installs them all.\n');
if (missing.length > 0 && process.env.CI === 'true') {
  console.error(`In CI every service must be there; missing: ${missing.join(', ')}`);
  process.exit(1);
}
const done = spawnSync('npx', ['--no-install', 'vitest', 'run', ...process.argv.slice(2)], {
  stdio: 'inherit',
});
process.exit(done.status ?? 1);

function lackedOf(names) {
  const script = fileURLToPath(new URL('../test/support/erp/missing-modules.py', import.meta.url));
  const { status, stdout } = spawnSync('/usr/bin/python3', [script, ...names], { encoding: 'utf8' });
  return status === 0 ? stdout.split('\n').filter(Boolean) : names;
}
