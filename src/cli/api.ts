// `ledgerbridge api`: any endpoint of the invoicing service, with the same checks as the bridge itself. Questions are
// simply asked; whatever changes something is shown and confirmed first. No secret is ever printed.
import { type CliIo, examples, type RegisterCommand } from './command.js';
import { JSON_FLAG } from './answer.js';
import type { ApiOptions } from './api-call.js';
import { YES_FLAG } from './prompt.js';

export const registerApi: RegisterCommand = (program, io) => {
  program
    .command('api <tenant> [endpoint]')
    .description('call any endpoint of the invoicing service for a tenant')
    .option('-p, --param <name=value>', 'a parameter; @path reads it from a file (repeat it)', collect, [])
    .option('--list', 'list the endpoints of the tenant’s surface and their parameters')
    .option('--allow-duplicate', 'create a customer although one with this kennitala exists')
    .option(
      '-d, --directory <path>',
      'directory of tenant files (default: tenants/ under LEDGERBRIDGE_CONFIG)',
    )
    .option(...YES_FLAG)
    .option(...JSON_FLAG)
    .addHelpText(
      'after',
      examples(
        ['ledgerbridge api hraun --list', 'every endpoint, its parameters and what it changes'],
        ['ledgerbridge api hraun hello', 'whose account is it'],
        ['ledgerbridge api hraun get-costs -p accounting_status=Created -p limit=5', 'a table'],
        ['ledgerbridge api hraun create-invoice -p data=@invoice.json', 'checked, shown, confirmed, sent'],
      ),
    )
    .action((tenant: string, endpoint: string | undefined, options: ApiOptions) =>
      run(io, tenant, endpoint, options),
    );
};

function collect(value: string, before: readonly string[]): readonly string[] {
  return [...before, value];
}

async function run(
  io: CliIo,
  tenant: string,
  endpoint: string | undefined,
  options: ApiOptions,
): Promise<void> {
  const { callEndpoint, listEndpoints } = await import('./api-call.js');
  if (endpoint === undefined || options.list === true) await listEndpoints(io, tenant, options);
  else await callEndpoint(io, tenant, endpoint, options);
}
