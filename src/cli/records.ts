// `ledgerbridge incidents`, `audit` and `export`: the records around the documents.
import { CodedError } from '../domain/errors/coded-error.js';
import {
  EXPORT_FORMATS,
  EXPORT_SUBJECTS,
  type ExportFormat,
  type ExportSubject,
} from '../operations/export.js';
import { auditFacts } from '../operations/history.js';
import { AUDIT } from '../operations/lists.js';
import { PAGE_DEFAULT } from '../operations/page-size.js';
import { answer, type JsonOption, JSON_FLAG } from './answer.js';
import { type CliIo, examples, type RegisterCommand } from './command.js';
import { EXIT } from './exit-codes.js';
import { addFields, readFields } from './fields.js';
import { moment, table } from './table.js';
import {
  type ActOptions,
  actOptions,
  exportBy,
  oneOf,
  tenantOption,
  withOperations,
  withReading,
} from './operate.js';
import { perform } from './perform.js';
import { isReport, type Report, type ReportOptions, REPORTS } from './report-options.js';

interface IncidentsOptions extends JsonOption {
  readonly tenant?: string;
  readonly all?: boolean;
}

export const registerIncidents: RegisterCommand = (program, io) => {
  const incidents = program
    .command('incidents')
    .description('what a person should know, until somebody says that it is settled')
    .addOption(tenantOption())
    .option('--all', 'resolved ones too')
    .option(...JSON_FLAG)
    .addHelpText(
      'after',
      examples(
        ['ledgerbridge incidents', 'those that nobody has settled'],
        ['ledgerbridge incidents resolve <id> -r "the ERP team knows"', 'no more reminders of this one'],
      ),
    )
    .action((options: IncidentsOptions) => listIncidents(io, options));
  for (const name of ['acknowledge', 'resolve'] as const) {
    const about =
      name === 'resolve' ? 'say that an incident is settled' : 'say that somebody looks after an incident';
    actOptions(incidents.command(`${name} <id>`).description(about), { asks: name === 'resolve' }).action(
      (id: string, options: ActOptions) =>
        withOperations(io, async (operations) => {
          const isEnd = name === 'resolve';
          await perform(io, options, (act) => ({
            consequence: `Nobody is reminded of incident ${id} any more, unless it happens again.`,
            question: isEnd ? 'Resolve it?' : undefined,
            would: { value: { would: name }, text: `It would be ${name}d.` },
            carryOut: async () => {
              const row = await (isEnd
                ? operations.resolveIncident(id, act)
                : operations.acknowledgeIncident(id, act));
              return { value: row, text: `${row.title}: ${row.state}.` };
            },
          }));
        }),
    );
  }
};

async function listIncidents(io: CliIo, options: IncidentsOptions): Promise<void> {
  await withReading(io, 'none', async (reading) => {
    const states = options.all ? (['open', 'acknowledged', 'resolved'] as const) : undefined;
    const { items } = await reading.incidents({ tenant: options.tenant, states, limit: 200 });
    answer(io, options, items, () =>
      items.length === 0
        ? 'No incident is open.'
        : table(
            io,
            [
              { title: 'SEVERITY', value: (row) => row.severity },
              { title: 'STATE', value: (row) => row.state },
              { title: 'TENANT', value: (row) => row.tenantName ?? '' },
              { title: 'LAST SEEN', value: (row) => moment(row.lastSeenAt) },
              { title: 'TIMES', align: 'right', value: (row) => String(row.count) },
              { title: 'WHAT', value: (row) => row.title },
              { title: 'WHAT TO DO', value: (row) => row.nextStep },
              { title: 'ID', value: (row) => row.id },
            ],
            items,
          ),
    );
  });
}

export const registerAudit: RegisterCommand = (program, io) => {
  const audit = program.command('audit').description('who did what, and why; newest first');
  addFields(audit, AUDIT, { limit: PAGE_DEFAULT })
    .option(...JSON_FLAG)
    .addHelpText(
      'after',
      examples(
        ['ledgerbridge audit --actor sigga', 'what one person did'],
        ['ledgerbridge audit verify', 'whether the record is whole'],
      ),
    )
    .action((options: JsonOption) => {
      const { tenant: chain, ...rest } = readFields(AUDIT, [], { ...options });
      return withReading(io, 'none', async (reading) => {
        const page = await reading.audit({ chain, ...rest });
        answer(io, options, page, () => {
          const rows = page.items.map((entry) =>
            [
              moment(entry.at),
              entry.actor,
              entry.action,
              entry.subject,
              entry.reason,
              auditFacts(entry, 'en'),
            ]
              .filter((part) => part !== null && part !== '')
              .join('  '),
          );
          return [...rows, ...(page.next === null ? [] : [`More: --after ${page.next}`])].join('\n');
        });
      });
    });
  audit
    .command('verify')
    .description('check the hash chains: was an entry changed, removed or slipped in, and where?')
    .option(...JSON_FLAG)
    .action((options: JsonOption) =>
      withOperations(io, async (operations) => {
        const check = await operations.verifyAudit();
        answer(io, options, check, () => {
          const breaks = check.breaks.map(({ chain, number, what }) => `✕ ${chain} at ${number}: ${what}`);
          return [
            ...breaks,
            `${check.entries} entries in ${String(check.chains)} chains: ${check.whole ? 'whole' : 'BROKEN'}.`,
          ].join('\n');
        });
        if (!check.whole) io.setExitCode(EXIT.problems);
      }),
    );
};

type ExportOptions = ReportOptions;

const TYPES: Readonly<Record<ExportFormat, string>> = {
  csv: 'text/csv',
  json: 'application/x-ndjson',
  hledger: 'text/plain',
};

export const registerExport: RegisterCommand = (program, io) => {
  program
    .command('export <what> <tenant>')
    .description(
      `write what was posted to standard output (${EXPORT_SUBJECTS.join(', ')}), or what the service knows besides (${REPORTS.join(', ')})`,
    )
    .option('--from <day>', 'first posting date; of a summary, first issue date')
    .option('--to <day>', 'last one')
    .option('--sale <guid>', 'attendees of this event only')
    .option('-f, --format <format>', EXPORT_FORMATS.join(', '), 'csv')
    .option(
      '-d, --directory <path>',
      'directory of tenant files (default: tenants/ under LEDGERBRIDGE_CONFIG)',
    )
    .addHelpText(
      'after',
      examples(
        [
          'ledgerbridge export journals hraun --from 2026-01-01 --to 2026-01-31 > january.csv',
          'safe to open anywhere',
        ],
        [
          'ledgerbridge export journals hraun --from 2026-01-01 --to 2026-12-31 -f hledger > 2026.journal',
          'for hledger',
        ],
        ['ledgerbridge export attendees hraun > guests.csv', 'of all events, read from the service now'],
        ['ledgerbridge export summary hraun --from 2026-01-01 --to 2026-03-31', 'invoices by status'],
      ),
    )
    .action(async (what: string, tenant: string, options: ExportOptions) => {
      const subject = oneOf<ExportSubject | Report>([...EXPORT_SUBJECTS, ...REPORTS], what, 'exported');
      const isTimeless = subject === 'sales' || subject === 'attendees';
      if (!isTimeless && (options.from === undefined || options.to === undefined))
        throw new CodedError('QUERY_INVALID', `${subject} needs --from and --to, days like 2026-01-31.`);
      if (isReport(subject)) {
        const { exportReport } = await import('./service-reports.js');
        await exportReport(io, subject, tenant, options);
        return;
      }
      const format = oneOf<ExportFormat>(EXPORT_FORMATS, options.format, 'format');
      const { from = '', to = '' } = options;
      await withOperations(io, async (operations) => {
        const filter = { what: subject, from, to, format };
        const given = exportBy(io, { what: 'journals', tenant, filter });
        const lines = operations.export({ tenant, from, to, subject, format });
        for await (const line of operations.exports.lines(given, TYPES[format], lines)) io.out(line);
      });
    });
};
