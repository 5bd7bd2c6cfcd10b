// `ledgerbridge token`: who may use the operator API, and as what.
import type { Command } from 'commander';
import { type OperatorRole, ROLES } from '../operations/token-records.js';
import { answer, type JsonOption, JSON_FLAG } from './answer.js';
import { type CliIo, examples, type RegisterCommand } from './command.js';
import { moment, table } from './table.js';
import { type ActOptions, actOptions, oneOf, wholeNumber, withOperations } from './operate.js';
import { perform } from './perform.js';

interface TokenOptions extends ActOptions {
  readonly role: string;
  readonly days?: number;
  readonly companies?: string;
}

function namesOf(list: string | undefined): string[] | undefined {
  const names = list?.split(',').map((name) => name.trim());
  return names?.filter((name) => name !== '');
}

export const registerToken: RegisterCommand = (program, io) => {
  const token = program
    .command('token')
    .description('bearer tokens of the operator API')
    .addHelpText(
      'after',
      examples(
        ['ledgerbridge token create monitoring --role viewer --days 365', 'shown once'],
        ['ledgerbridge token list', 'with their ids, never their values'],
        ['ledgerbridge token revoke <id>', 'refused from then on'],
      ),
    );
  actOptions(
    token
      .command('create <name>')
      .description('make a token; its value is shown once')
      .option('--role <role>', ROLES.join(', '), 'viewer')
      .option('--companies <names>', 'the only companies it is good for, joined by commas (default: all)')
      .option('--days <number>', 'how many days it is valid (default: 90)', wholeNumber),
    { asks: false },
  ).action((name: string, options: TokenOptions) =>
    withOperations(io, async (operations) => {
      const role = oneOf<OperatorRole>(ROLES, options.role, 'role');
      const wanted = { name, role, days: options.days, companies: namesOf(options.companies) };
      const said = { reason: 'made on the command line', ...options };
      const made = await perform(io, said, (act) => ({
        consequence: `A ${role} token is made.`,
        would: { value: { would: name }, text: `A ${role} token would be made.` },
        carryOut: async () => {
          const token = await operations.createToken(wanted, act);
          return { value: token, text: token.value };
        },
      }));
      if (made) io.err('This is shown once; the database keeps only its hash.\n');
    }),
  );
  registerList(token, io);
  actOptions(token.command('revoke <id>').description('end a token at once')).action(
    (id: string, options: ActOptions) =>
      withOperations(io, async (operations) => {
        await perform(io, { reason: 'revoked on the command line', ...options }, (act) => ({
          consequence: `Whoever uses token ${id} is refused from now on.`,
          question: 'Revoke it?',
          would: { value: { would: id }, text: 'It would be revoked.' },
          carryOut: async () => {
            await operations.revokeToken(id, act);
            return { value: { revoked: id }, text: 'It is revoked.' };
          },
        }));
      }),
  );
};

function registerList(token: Command, io: CliIo): void {
  token
    .command('list')
    .description('show the tokens, never their values')
    .option(...JSON_FLAG)
    .action((options: JsonOption) =>
      withOperations(io, async (operations) => {
        const tokens = await operations.tokens();
        answer(io, options, tokens, () =>
          table(
            io,
            [
              { title: 'ID', value: (row) => row.id },
              { title: 'NAME', value: (row) => row.name },
              { title: 'ROLE', value: (row) => row.role },
              { title: 'COMPANIES', value: (row) => row.companies?.join(', ') ?? 'all' },
              { title: 'CREATED', value: (row) => moment(row.createdAt) },
              { title: 'LAST USED', value: (row) => moment(row.lastUsedAt) || 'never' },
              {
                title: 'UNTIL',
                value: (row) => (row.revokedAt === null ? moment(row.expiresAt) || 'no end' : 'revoked'),
              },
            ],
            tokens,
          ),
        );
      }),
    );
}
