// `ledgerbridge approvals`: what one person asked for and another has to agree to.
import { answer, JSON_FLAG, type JsonOption } from './answer.js';
import { examples, type RegisterCommand } from './command.js';
import { moment, table } from './table.js';
import { type ActOptions, actOptions, tenantOption, withOperations } from './operate.js';
import { perform } from './perform.js';

const DONE = { agree: 'agreed to, and done', withdraw: 'withdrawn' } as const;

export const registerApprovals: RegisterCommand = (program, io) => {
  const approvals = program
    .command('approvals')
    .description('what waits for a second person, where a tenant asks for four eyes')
    .addOption(tenantOption())
    .option(...JSON_FLAG)
    .action((options: JsonOption & { tenant?: string }) =>
      withOperations(io, async (operations) => {
        const waiting = await operations.approvals(options.tenant);
        answer(io, options, waiting, () =>
          waiting.length === 0
            ? 'Nobody waits for a second person.'
            : table(
                io,
                [
                  { title: 'ACT', value: (row) => row.act },
                  { title: 'TENANT', value: (row) => row.tenantName },
                  { title: 'ON', value: (row) => row.subject },
                  { title: 'ASKED BY', value: (row) => row.actor },
                  { title: 'WHY', value: (row) => row.reason },
                  { title: 'UNTIL', value: (row) => moment(row.expiresAt) },
                  { title: 'ID', value: (row) => row.id },
                ],
                waiting,
              ),
        );
      }),
    );
  for (const name of ['agree', 'withdraw'] as const)
    actOptions(
      approvals
        .command(`${name} <id>`)
        .description(name === 'agree' ? 'agree, and do it exactly as it was asked for' : 'take it back'),
    ).action((id: string, options: ActOptions) =>
      withOperations(io, async (operations) => {
        const asked = (await operations.approvals()).find((one) => one.id === id);
        const what = asked ? `${asked.act} on ${asked.subject} of ${asked.tenantName}` : id;
        const plan = name === 'agree' && asked?.act === 'plan' ? await operations.plan(asked.subject) : null;
        const begins = plan === null ? '' : ` ${plan.sentence}`;
        await perform(io, options, (act) => ({
          consequence: name === 'agree' ? `${what} is done at once.${begins}` : `${what} is not done.`,
          question: 'Go on?',
          would: { value: { would: name, approval: asked ?? null }, text: `${what} would be ${DONE[name]}.` },
          carryOut: async () => ({
            value: await operations[name](id, act),
            text: `${what} is ${DONE[name]}.`,
          }),
        }));
      }),
    );
  approvals.addHelpText(
    'after',
    examples(
      ['ledgerbridge approvals', 'who asked for what, and why'],
      ['ledgerbridge approvals agree <id> -r "looked at the entry"', 'somebody else than who asked'],
    ),
  );
};
