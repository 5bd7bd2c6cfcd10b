// `ledgerbridge auth`: registering at the invoicing service, signing in, and looking after the grants. Tokens and client
// secrets go into the records, encrypted, and nowhere else.
import type { Command } from 'commander';
import { JSON_FLAG } from './answer.js';
import type { OwnerOptions, RegisterOptions } from './auth-acts.js';
import type { LoginOptions } from './auth-callback.js';
import { examples, type RegisterCommand } from './command.js';
import { YES_FLAG } from './prompt.js';
import type { TenantOptions } from './tenant-files.js';

const OWNER = {
  username: ['--username <name>', 'user name of the account (default: the tenant’s own)'],
  apiKey: ['--api-key <reference>', 'where the API key is kept: env:NAME or file:path'],
} as const;

export const registerAuth: RegisterCommand = (program, io) => {
  const auth = program
    .command('auth')
    .description('OAuth at the invoicing service: register, sign in, status, revoke')
    .addHelpText(
      'after',
      examples(
        [
          'ledgerbridge auth register hraun --redirect-uri https://bridge.example.is/callback',
          'once a tenant',
        ],
        ['ledgerbridge auth login hraun', 'opens a local page for the sign-in'],
        ['ledgerbridge auth login hraun --manual', 'paste the address the browser ends at'],
        ['ledgerbridge auth status', 'every grant, and how long it lives'],
        ['ledgerbridge auth rotate-key', 're-encrypt with LEDGERBRIDGE_KEY'],
      ),
    );
  command(auth, 'register <tenant>', 'register the bridge as a client and keep its secret')
    .option('--name <text>', 'name that people see when they consent', 'ledgerbridge')
    .option('--redirect-uri <url>', 'https address that ends the sign-in (default: the tenant’s redirectUri)')
    .option('--rotate-secret', 'have a new client secret made; the old one stops working')
    .option(...OWNER.username)
    .option(...OWNER.apiKey)
    .action(async (tenant: string, options: RegisterOptions) => {
      const { register } = await import('./auth-acts.js');
      await register(io, tenant, options);
    });
  command(auth, 'login <tenant>', 'sign in and consent, so that the bridge gets tokens')
    .option('--manual', 'paste the address the browser ends at, instead of listening for it')
    .option('--port <number>', 'port to listen on at 127.0.0.1 (default: any free one)', '0')
    .option('--tls-cert <path>', 'certificate, to listen with TLS')
    .option('--tls-key <path>', 'its key')
    .action(async (tenant: string, options: LoginOptions) => {
      const { login } = await import('./auth-acts.js');
      await login(io, tenant, options);
    });
  command(auth, 'status [tenant]', 'show the grants: state, scopes, how long they live').action(
    async (tenant: string | undefined, options: TenantOptions) => {
      const { status } = await import('./auth-acts.js');
      await status(io, tenant, options);
    },
  );
  command(auth, 'revoke <tenant>', 'end the grant at the service and here')
    .option(...OWNER.username)
    .option(...OWNER.apiKey)
    .option(...YES_FLAG)
    .action(async (tenant: string, options: OwnerOptions) => {
      const { revoke } = await import('./auth-acts.js');
      await revoke(io, tenant, options);
    });
  command(auth, 'rotate-key', 'encrypt everything again with LEDGERBRIDGE_KEY').action(
    async (options: TenantOptions) => {
      const { rotate } = await import('./auth-acts.js');
      await rotate(io, options);
    },
  );
};

function command(parent: Command, usage: string, description: string): Command {
  return parent
    .command(usage)
    .description(description)
    .option(
      '-d, --directory <path>',
      'directory of tenant files (default: tenants/ under LEDGERBRIDGE_CONFIG)',
    )
    .option(...JSON_FLAG);
}
