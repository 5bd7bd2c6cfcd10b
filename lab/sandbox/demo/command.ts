// `ledgerbridge demo`: everything, on this machine, with nothing configured.
import type { RegisterCommand } from '../../../src/cli/command.js';
import { numberBetween } from '../../../src/cli/operate.js';

interface Given {
  once?: boolean;
  json?: boolean;
  reset?: boolean;
  documents: number;
  timeout: number;
}

export const registerDemo: RegisterCommand = (program, io) => {
  program
    .command('demo')
    .description(
      'Starts a sandbox of the invoicing service with three companies and carries their documents into three kinds of books, with believable faults.',
    )
    .option('--once', 'end when all is settled and reconciled; exit code 0 only then')
    .option('--json', 'print the closing figures as JSON')
    .option('--reset', 'forget the earlier runs first')
    .option('--documents <n>', 'documents per company, from 10', numberBetween(10, 20_000), 80)
    .option('--timeout <seconds>', 'give up waiting after this long', numberBetween(1, 86_400), 180)
    .addHelpText(
      'after',
      `
Examples:
  ledgerbridge demo                    run, watch, and go on until Ctrl-C
  ledgerbridge demo --once --json      for scripts
A second run finds what the first one did and posts nothing twice.`,
    )
    .action(async (given: Given) => {
      const { readBridgeSettings } = await import('../../../src/tenants/bridge-settings.js');
      const settings = readBridgeSettings(io.env, io.cwd);
      const { prepareDemo } = await import('./demo-place.js');
      await prepareDemo(settings, given.reset === true);
      const { runDemo } = await import('./run-demo.js');
      await runDemo(io, settings, {
        once: given.once === true,
        json: given.json === true,
        documents: given.documents,
        timeoutMs: given.timeout * 1000,
      });
    });
};
