// `ledgerbridge problems` and `ledgerbridge inbox`: what needs a person, one row a cause.
import type { Suggestion } from '../operations/suggestion-records.js';
import { answer, type JsonOption, JSON_FLAG } from './answer.js';
import { examples, type RegisterCommand } from './command.js';
import { EXIT } from './exit-codes.js';
import { moment, table } from './table.js';
import { tenantOption, withReading } from './operate.js';

interface ProblemsOptions extends JsonOption {
  readonly tenant?: string;
}

/** Without a bridge no document is found or moves, so an empty list is no good news. */
function nothingHeldUp(isRunning: boolean): string {
  return isRunning
    ? 'Nothing is held up.'
    : 'Nothing on record is held up, but no bridge is running, so nothing moves.\nStart one: ledgerbridge serve';
}

export const registerProblems: RegisterCommand = (program, io) => {
  program
    .command('problems')
    .description('show why documents do not move, one row a cause')
    .addOption(tenantOption())
    .option(...JSON_FLAG)
    .addHelpText(
      'after',
      `${examples(
        ['ledgerbridge problems', 'all of them, those that need a person first'],
        [
          'ledgerbridge replay --cause "ERP_REFUSED:invalid" --reason "mended"',
          'the whole group, after a preview',
        ],
      )}\n\nExit code ${String(EXIT.problems)} when there is any.`,
    )
    .action((options: ProblemsOptions) =>
      withReading(io, 'none', async (reading) => {
        const problems = await reading.problems(options.tenant);
        const isRunning = await reading.isBridgeRunning();
        answer(io, options, problems, () =>
          problems.length === 0
            ? nothingHeldUp(isRunning)
            : table(
                io,
                [
                  { title: 'COUNT', align: 'right', value: (row) => String(row.count) },
                  { title: 'CAUSE', value: (row) => row.id },
                  { title: 'TENANTS', value: (row) => row.tenants.map(({ name }) => name).join(', ') },
                  { title: 'SINCE', value: (row) => moment(row.firstSeenAt) },
                  { title: 'STATE', value: (row) => row.states.join(', ') },
                  { title: 'WHY', value: (row) => row.sentence },
                  { title: 'WHAT TO DO', value: (row) => row.whatToDo },
                  { title: 'THEN', value: (row) => row.action },
                ],
                problems,
              ),
        );
        if (problems.length > 0) io.setExitCode(EXIT.problems);
      }),
    );
  program
    .command('inbox')
    .description(
      'show what the tenant files or the ERP lack: one row a missing thing, with the lines to write',
    )
    .addOption(tenantOption())
    .option(...JSON_FLAG)
    .addHelpText(
      'after',
      `${examples(['ledgerbridge inbox -t hraun', 'what to write where'])}

Mend the file and save it: every document that waits for it moves by itself.`,
    )
    .action((options: ProblemsOptions) =>
      withReading(io, 'all', async (reading) => {
        const rows = await reading.inbox(options.tenant);
        answer(io, options, rows, () =>
          rows.length === 0
            ? 'Nothing is missing.'
            : rows
                .map(
                  ({ tenantName, subject, count, sentence, mend }) =>
                    `${tenantName}: ${subject || sentence}, ${String(count)} waiting\n  ${sentence}\n  ${mend.file}${mend.path === '' ? '' : ` (${mend.path})`}\n${indented(mend.example)}${mend.suggestions.map(suggested).join('')}`,
                )
                .join('\n\n'),
        );
      }),
    );
};

function indented(text: string): string {
  return text
    .split('\n')
    .map((line) => `    ${line}`)
    .join('\n');
}

function suggested({ value, by, of, times, lastDocument, lastDate }: Suggestion): string {
  const what = {
    supplier: `of ${of}`,
    customer: `to ${of}`,
    item: `with item ${of}`,
    text: `with the text "${of}"`,
  }[by];
  return `\n  ${value}: so ${String(times)} before ${what}, last ${lastDocument} of ${lastDate}`;
}
