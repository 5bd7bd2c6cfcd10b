// `ledgerbridge user`: people of the dashboard, for whoever has the machine: the first account, and the way back in.
import type { Command } from 'commander';
import type { UserAccounts } from '../operations/users/user-accounts.js';
import type { UserRole } from '../operations/users/user-records.js';
import { type CliIo, examples, type RegisterCommand } from './command.js';
import { confirm, YES_FLAG } from './prompt.js';
import { withCare } from './perform.js';

interface Given {
  readonly role?: string;
  readonly companies?: string;
  readonly json?: true;
  readonly yes?: boolean;
}

const BY = 'command line';

export const registerUser: RegisterCommand = (program, io) => {
  const user = program.command('user').description('People who may sign in to the dashboard.');
  user
    .command('create <login>')
    .description('Add somebody. The password is read from standard input, or made up and printed once.')
    .option('--role <role>', 'viewer, operator or admin', 'viewer')
    .option('--companies <list>', 'only these: hraun=operator,fjord (default: all companies)')
    .action((login: string, { role = 'viewer', companies = '' }: Given) =>
      withAccounts(io, 'new or old', async (accounts) => {
        const password = await passwordFrom(io);
        const usual = await asRole(role);
        const reach = await readReach(io, companies, usual);
        await accounts.create(login, usual, password.secret, BY, reach);
        const where = reach === null ? '' : ` in ${[...reach.keys()].join(', ')} only`;
        io.out(`${login} can sign in as ${role}${where}.\n${password.note}`);
      }),
    );
  user
    .command('list')
    .description('Show who may sign in.')
    .option('--json', 'as JSON')
    .action(({ json }: Given) => withAccounts(io, 'old', (accounts) => list(io, accounts, json === true)));
  user
    .command('companies <login> [list]')
    .description('Which companies somebody sees: hraun=operator,fjord, or `all`; without a list, show them.')
    .option('--role <role>', 'for companies named without one', 'viewer')
    .action((login: string, list: string | undefined, { role = 'viewer' }: Given) =>
      withAccounts(io, 'old', (accounts) => setCompanies(io, accounts, login, list, role)),
    );
  user
    .command('passwd <login>')
    .description('Set a new password; all their browsers are signed out.')
    .action((login: string) =>
      withAccounts(io, 'old', async (accounts) => {
        const password = await passwordFrom(io);
        await accounts.setPassword(login, password.secret, BY);
        io.out(`The password of ${login} is changed.\n${password.note}`);
      }),
    );
  user
    .command('system-user <login> [name]')
    .description('Declare that a user of the operating system is this person; without a name, take it back.')
    .action((login: string, name: string | undefined) =>
      withAccounts(io, 'old', async (accounts) => {
        await accounts.setSystemUser(login, name ?? null, BY);
        io.out(
          name === undefined
            ? `${login} is no user of the command line any more.\n`
            : `On the command line, the system user ${name} is ${login}.\n`,
        );
      }),
    );
  addEndings(user, io);
  user.addHelpText(
    'after',
    examples(
      ['ledgerbridge user create gudrun --role admin', 'makes up a password and prints it'],
      ['echo "$PASSWORD" | ledgerbridge user passwd gudrun', 'takes it from standard input'],
      ['ledgerbridge user companies gudrun hraun=operator,fjord', 'sees these two and nothing of the others'],
      [
        'ledgerbridge user system-user gudrun gj',
        'where two people must agree, gj on the command line is gudrun',
      ],
      ['ledgerbridge user revoke gudrun', 'no sign-in under that name any more; tokens they made end'],
    ),
  );
};

/** What takes something away from somebody, and asks first. */
function addEndings(user: Command, io: CliIo): void {
  user
    .command('totp')
    .description('The second factor of somebody who lost phone and recovery codes.')
    .command('reset <login>')
    .description('Take it away: the password alone lets them in, until they turn it on again.')
    .option(...YES_FLAG)
    .addHelpText('after', examples(['ledgerbridge user totp reset gudrun', 'asks, then takes it away']))
    .action((login: string, { yes }: Given) =>
      withAccounts(io, 'old', async (accounts) => {
        const consequence = `The password alone lets ${login} in from now on.`;
        if (!(await confirm(io, { consequence, question: 'Take it away?', yes }))) return;
        const had = await accounts.secondFactor.end(login, BY);
        io.out(had ? `${login} has no second factor any more.\n` : `${login} had no second factor.\n`);
      }),
    );
  user
    .command('revoke <login>')
    .description(
      'Disable a person, sign them out everywhere and revoke the API tokens they made. The audit keeps their name.',
    )
    .option(...YES_FLAG)
    .action((login: string, { yes }: Given) =>
      withAccounts(io, 'old', async (accounts) => {
        const consequence = `${login} is signed out everywhere and can no longer sign in; API tokens they made are revoked.`;
        if (!(await confirm(io, { consequence, question: 'Revoke it?', yes }))) return;
        await accounts.disable(login, BY);
        io.out(`${login} can no longer sign in.\n`);
      }),
    );
}

async function asRole(text: string) {
  const { CodedError } = await import('../domain/errors/coded-error.js');
  const { USER_ROLES } = await import('../operations/users/user-records.js');
  const role = USER_ROLES.find((known) => known === text);
  if (role) return role;
  throw new CodedError('CLI_USAGE', `There is no role "${text}". Use one of: ${USER_ROLES.join(', ')}.`);
}

/** The companies are those that have a file; `all` and nothing mean every one. */
async function readReach(io: CliIo, list: string, usual: UserRole) {
  const { readBridgeSettings } = await import('../tenants/bridge-settings.js');
  const { loadTenants } = await import('../tenants/load-tenants.js');
  const { companyRoles } = await import('../operations/users/company-roles.js');
  const { tenantsDirectory } = readBridgeSettings(io.env, io.cwd);
  const { tenants } = await loadTenants(tenantsDirectory);
  const names = tenants.map(({ name }) => name);
  return companyRoles(list === 'all' ? '' : list, usual, names);
}

async function setCompanies(
  io: CliIo,
  accounts: UserAccounts,
  login: string,
  list: string | undefined,
  role: string,
): Promise<void> {
  const { companyText } = await import('../operations/users/company-roles.js');
  if (list !== undefined) await accounts.setReach(login, await readReach(io, list, await asRole(role)), BY);
  const user = (await accounts.list()).find((one) => one.login === login.toLowerCase());
  if (!user) {
    const { CodedError } = await import('../domain/errors/coded-error.js');
    throw new CodedError('USER_NOT_FOUND', `Nobody has the login ${login}.`);
  }
  io.out(
    `${login} sees ${user.reach === null ? 'all companies' : companyText(user.reach) || 'no company'}.\n`,
  );
}

/** The first account may come before the first start, and makes the records; nothing else does. */
async function withAccounts(
  io: CliIo,
  records: 'old' | 'new or old',
  work: (accounts: UserAccounts) => Promise<void>,
): Promise<void> {
  await withCare(io, { records, migrated: true }, (care) => work(care.people()));
}

const INPUT_CHARACTERS_MAX = 1_000;

/** Never an argument: those stand in the history of the shell and in the list of processes. */
async function passwordFrom(io: CliIo) {
  const { Secret } = await import('../domain/secret.js');
  const given = io.stdin.isTTY ? '' : await readInput(io);
  // Nothing was given: a script whose standard input is empty, or a person at a terminal.
  if (given === '') {
    const { randomBytes } = await import('node:crypto');
    const made = randomBytes(15).toString('base64url');
    return { secret: new Secret(made), note: `Password (shown once): ${made}\n` };
  }
  return { secret: new Secret(given.split(/\r?\n/, 1)[0] ?? ''), note: '' };
}

async function readInput(io: CliIo): Promise<string> {
  let text = '';
  for await (const chunk of io.stdin) {
    text += String(chunk);
    if (text.length > INPUT_CHARACTERS_MAX) break;
  }
  return text;
}

async function list(io: CliIo, accounts: UserAccounts, json: boolean): Promise<void> {
  const users = await accounts.list();
  const shown = users.map(({ reach, ...user }) => ({
    ...user,
    companies: reach === null ? null : Object.fromEntries(reach),
  }));
  if (json) io.out(`${JSON.stringify(shown, null, 2)}\n`);
  else if (users.length === 0)
    io.out('Nobody can sign in yet: ledgerbridge user create <login> --role admin\n');
  const { companyText } = await import('../operations/users/company-roles.js');
  for (const { login, role, reach, disabled, sessions, external, secondFactor } of json ? [] : users) {
    const marks = [
      disabled ? 'disabled' : `${sessions} browsers`,
      ...(secondFactor ? ['second factor'] : []),
      ...(external ? ['signs in elsewhere'] : []),
      ...(reach === null ? [] : [companyText(reach)]),
    ];
    io.out(`${login.padEnd(20)} ${role.padEnd(9)} ${marks.join('  ')}\n`);
  }
}
