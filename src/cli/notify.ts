// `ledgerbridge notify test`: does a message reach those who are to be told?
import { answer, type JsonOption, JSON_FLAG } from './answer.js';
import { type CliIo, examples, type RegisterCommand } from './command.js';
import { EXIT } from './exit-codes.js';
import { tenantOption, withOperations } from './operate.js';

interface TestOptions extends JsonOption {
  readonly tenant?: string;
}

export const registerNotify: RegisterCommand = (program, io) => {
  const notify = program.command('notify').description('who is told, and whether a message reaches them');
  notify
    .command('test')
    .description('send a test message to the channels of notifications.yaml, or to those of one tenant')
    .addOption(tenantOption())
    .option(...JSON_FLAG)
    .addHelpText(
      'after',
      examples(
        ['ledgerbridge notify test', `exits with ${String(EXIT.problems)} when one does not arrive`],
        ['ledgerbridge notify test -t hraun', 'the people of one company'],
      ),
    )
    .action((options: TestOptions) => test(io, options));
};

async function test(io: CliIo, options: TestOptions): Promise<void> {
  await withOperations(io, async (operations) => {
    const trials = await operations.testNotifications(options.tenant ?? null);
    answer(io, options, trials, () => {
      const lines = trials.map(
        ({ channel, delivered, answer: said }) => `${delivered ? '✓' : '✕'} ${channel}: ${said}`,
      );
      const nobody = 'Nobody is told: no channel is configured. See docs/how-to/operate.md, Telling people.';
      return lines.length === 0 ? nobody : lines.join('\n');
    });
    if (trials.some(({ delivered }) => !delivered)) io.setExitCode(EXIT.problems);
  });
}
