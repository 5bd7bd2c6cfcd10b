// `ledgerbridge originals`: where PDFs, receipts and e-invoices are, and whether the store still holds them unchanged.
import { ORIGINAL_STATES } from '../domain/original.js';
import { originalWord } from '../language/originals.js';
import { answer, JSON_FLAG, type JsonOption } from './answer.js';
import { type CliIo, examples, type RegisterCommand } from './command.js';
import { addExpire } from './expire-originals.js';
import { EXIT } from './exit-codes.js';
import { moment, table } from './table.js';
import { type ActOptions, actOptions, numberBetween, oneOf, tenantOption, withOpened } from './operate.js';
import { perform } from './perform.js';
import { progress } from './progress.js';

interface ListOptions extends JsonOption {
  readonly tenant?: string;
  readonly state?: string;
  readonly limit: number;
}

const ROWS_MAX = 1_000;

export const registerOriginals: RegisterCommand = (program, io) => {
  const originals = program
    .command('originals')
    .description('PDFs, receipts and e-invoices: where they are, and whether they are whole')
    .addHelpText(
      'after',
      examples(
        ['ledgerbridge originals list --state parked', 'what waits for a person, and why'],
        ['ledgerbridge originals verify', 'every file is hashed again'],
        ['ledgerbridge originals expire --dry-run', 'what is older than the law asks to keep'],
      ),
    );
  originals
    .command('list')
    .description('originals, the latest change first')
    .addOption(tenantOption())
    .option('--state <state>', ORIGINAL_STATES.join(', '))
    .option('-n, --limit <number>', 'rows', numberBetween(1, ROWS_MAX), 50)
    .option(...JSON_FLAG)
    .action((options: ListOptions) => list(io, options));
  originals
    .command('verify')
    .description('hash every file again and name what is missing or changed')
    .option(...JSON_FLAG)
    .action((options: JsonOption) => verify(io, options));
  addExpire(originals, io);
  const retry = originals
    .command('retry <id>')
    .description('try one again that is parked, absent or only kept');
  actOptions(retry, { asks: false }).action((id: string, options: ActOptions) => retryOne(io, id, options));
};

async function list(io: CliIo, options: ListOptions): Promise<void> {
  const state = options.state === undefined ? undefined : oneOf(ORIGINAL_STATES, options.state, 'state');
  await withOpened(io, async ({ originals }) => {
    const { tenant, limit } = options;
    const rows = await originals.list({ tenant, state, limit });
    const counts = await originals.counts(tenant);
    answer(io, options, { counts, originals: rows }, () => {
      const totals = Object.entries(counts).map(([name, count]) => `${name} ${String(count)}`);
      const shown = table(
        io,
        [
          { title: 'TENANT', value: (row) => row.tenantName },
          { title: 'DOCUMENT', value: (row) => `${row.kind} ${row.number || row.guid.slice(0, 8)}` },
          { title: 'WHAT', value: (row) => row.role },
          { title: 'STATE', value: (row) => (row.expiredAt === null ? row.state : 'expired') },
          { title: 'SINCE', value: (row) => moment(row.since) },
          {
            title: 'WHY',
            value: (row) =>
              row.reason === null ? '' : originalWord('en', 'reasons', row.reason, row.detail ?? ''),
          },
          { title: 'SHA-256', value: (row) => row.sha256?.slice(0, 12) ?? '' },
          { title: 'ENTRY', value: (row) => row.erpNumber ?? '' },
          { title: 'ID', value: (row) => row.id },
        ],
        rows,
      );
      return rows.length === 0 ? `None. ${totals.join(', ')}`.trim() : `${totals.join(', ')}\n\n${shown}`;
    });
  });
}

async function verify(io: CliIo, options: JsonOption): Promise<void> {
  await withOpened(io, async ({ originals }) => {
    let bar: ReturnType<typeof progress> | null = null;
    let seen = 0;
    const verified = await originals.verify((done, total) => {
      bar ??= progress(io, 'originals', total);
      bar.advance(done - seen);
      seen = done;
    });
    answer(io, options, verified, () =>
      verified.whole
        ? `${String(verified.files)} files are there and unchanged.`
        : [
            ...verified.problems.map(({ sha256, what, of }) => `${what}  ${sha256}  ${of.join(', ')}`),
            ...(verified.more > 0 ? [`and ${String(verified.more)} more`] : []),
          ].join('\n'),
    );
    if (!verified.whole) io.setExitCode(EXIT.problems);
  });
}

async function retryOne(io: CliIo, id: string, options: ActOptions): Promise<void> {
  await withOpened(io, async ({ originals }) => {
    await perform(io, options, (act) => ({
      consequence: 'It is tried again.',
      would: { value: { would: id }, text: 'It would be tried again.' },
      carryOut: async () => {
        const done = await originals.retry(id, act);
        const text = done ? 'It is tried again.' : 'It is not one that waits for a person.';
        return { value: { retried: done }, text, exitCode: done ? undefined : EXIT.problems };
      },
    }));
  });
}
