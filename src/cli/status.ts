// `ledgerbridge status`: is every document in the books, and if not, who has to do something?
import { needingAPerson } from '../operations/conditions.js';
import type { ConditionView, Overview, TenantOverview } from '../operations/views/overview.js';
import { answer, type JsonOption, JSON_FLAG } from './answer.js';
import { type CliIo, examples, type RegisterCommand } from './command.js';
import { EXIT } from './exit-codes.js';
import { ago, duration, money, moment, table } from './table.js';
import { sayWhoWorks, tenantOption, withReading } from './operate.js';

interface StatusOptions extends JsonOption {
  readonly tenant?: string;
  readonly check?: boolean;
}

export const registerStatus: RegisterCommand = (program, io) => {
  program
    .command('status')
    .description('show how every tenant is: what waits, what needs a person, what is in the books')
    .addOption(tenantOption())
    .option('--check', `exit with ${String(EXIT.problems)} when something needs a person, for monitoring`)
    .option(...JSON_FLAG)
    .addHelpText(
      'after',
      examples(
        ['ledgerbridge status', 'one row a tenant, the worst first'],
        ['ledgerbridge status --check --json', 'for a monitoring system'],
      ),
    )
    .action((options: StatusOptions) => status(io, options));
  program
    .command('schedules')
    .description('show when each tenant is swept')
    .option(...JSON_FLAG)
    .addHelpText('after', examples(['ledgerbridge schedules', 'when the next sweeps come']))
    .action((options: JsonOption) =>
      withReading(io, 'all', async (reading) => {
        const rows = await reading.schedules();
        answer(io, options, rows, () =>
          table(
            io,
            [
              { title: 'TENANT', value: (row) => row.tenantName },
              { title: 'CRON', value: (row) => row.cron },
              { title: 'TIME ZONE', value: (row) => row.timeZone },
              { title: 'LAST', value: (row) => moment(row.lastRunAt) || 'never' },
              { title: 'NEXT', value: (row) => moment(row.nextRunAt) || 'paused' },
            ],
            rows,
          ),
        );
      }),
    );
};

async function status(io: CliIo, options: StatusOptions): Promise<void> {
  await withReading(io, 'all', async (reading) => {
    const overview = await reading.overview(options.tenant);
    answer(io, options, overview, () => text(io, overview));
    await sayWhoWorks(io, reading);
    if (options.check && needingAPerson(overview).length > 0) io.setExitCode(EXIT.problems);
  });
}

function text(io: CliIo, overview: Overview): string {
  const { tenants, totals, at } = overview;
  if (tenants.length === 0)
    return 'No tenant was ever served here. Write one: ledgerbridge tenant init <name>';
  const now = new Date(at);
  const rows = table(io, columns(now), tenants);
  const summary = `${money(String(totals.inBooks))} in the books, ${money(String(totals.waiting))} waiting, ${money(String(totals.needsYou))} need a person (${String(totals.causes)} causes: ledgerbridge problems).`;
  return [rows, summary, ...needingAPerson(overview).slice(0, SAID_MAX).map(said)].join('\n');
}

/** The rest is in `ledgerbridge problems`. */
const SAID_MAX = 20;

function said({ title, nextStep }: ConditionView): string {
  return `! ${title}\n  ${nextStep}`;
}

function columns(now: Date) {
  const number = (title: string, of: (tenant: TenantOverview) => number) => ({
    title,
    align: 'right' as const,
    value: (tenant: TenantOverview) => money(String(of(tenant))),
  });
  return [
    { title: 'TENANT', value: ({ name }: TenantOverview) => name },
    { title: 'HEALTH', value: ({ health }: TenantOverview) => health },
    number('WAITING', ({ waiting }) => waiting),
    number('NEEDS YOU', ({ needsYou }) => needsYou),
    number('IN BOOKS', ({ inBooks }) => inBooks),
    number('TODAY', ({ postedToday }) => postedToday),
    { title: 'LAG', value: ({ lagMs }: TenantOverview) => (lagMs === 0 ? '' : duration(lagMs)) },
    { title: 'SWEPT', value: (tenant: TenantOverview) => swept(tenant, now) },
    {
      title: 'NEXT',
      value: ({ nextRunAt, loaded }: TenantOverview) => moment(nextRunAt) || (loaded ? 'paused' : ''),
    },
    { title: 'SO', value: ({ sentence }: TenantOverview) => sentence },
  ];
}

/** When it was last read completely; that later tries failed is said beside it. */
function swept({ lastSweeps, failedSweeps }: TenantOverview, now: Date): string {
  const oldest = lastSweeps.map(({ startedAt }) => startedAt).sort()[0] ?? null;
  const when = oldest === null ? 'never' : ago(oldest, now);
  return failedSweeps.length === 0 ? when : `${when}, fails since ${ago(failingSince(failedSweeps), now)}`;
}

function failingSince(sweeps: TenantOverview['failedSweeps']): string | null {
  return sweeps.map((sweep) => sweep.failingSince).sort()[0] ?? null;
}
