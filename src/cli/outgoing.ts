// `ledgerbridge outgoing`: the other direction. What would go out and what did; confirm, pause and resume; what waits for a person.
import type { Command } from 'commander';
import { SUBMISSION_KINDS, SUBMISSION_STATES } from '../domain/submission.js';
import type { OutgoingPlan, OutgoingStatus, SubmissionRow } from '../operations/views/outgoing.js';
import { answer, JSON_FLAG, type JsonOption } from './answer.js';
import { type CliIo, examples, type RegisterCommand } from './command.js';
import { EXIT } from './exit-codes.js';
import { moment } from './format.js';
import {
  type ActOptions,
  readAct,
  actOptions,
  numberBetween,
  oneOf,
  sayWhoWorks,
  tenantOption,
  withOperations,
} from './operate.js';
import { registerOutgoingActs } from './outgoing-acts.js';
import { registerOutgoingConflicts } from './outgoing-conflicts.js';
import { submissionText } from './submission-text.js';
import { table } from './table.js';

interface OfTenant extends JsonOption {
  readonly tenant?: string;
}

interface ListOptions extends OfTenant {
  readonly state?: string;
  readonly kind?: string;
  readonly limit: number;
}

const ROWS_MAX = 1_000;

export const registerOutgoing: RegisterCommand = (program, io) => {
  const outgoing = program
    .command('outgoing')
    .description('the other direction: customers and invoices into the invoicing service')
    .addHelpText(
      'after',
      examples(
        ['ledgerbridge outgoing plan hraun', 'what would be sent, and what would not and why'],
        ['ledgerbridge outgoing confirm hraun -r "plan looked at"', 'from now on it is sent'],
        ['ledgerbridge outgoing list --state parked', 'what waits for a person'],
      ),
    );
  registerLooks(outgoing, io);
  registerSteering(outgoing, io);
  registerOutgoingActs(outgoing, io);
  registerOutgoingConflicts(outgoing, io);
};

function registerLooks(outgoing: Command, io: CliIo): void {
  outgoing
    .command('status')
    .description('how the other direction of each tenant is')
    .addOption(tenantOption())
    .option(...JSON_FLAG)
    .action((options: OfTenant) => status(io, options));
  outgoing
    .command('list')
    .description('submissions, the latest change first')
    .addOption(tenantOption())
    .option('--state <state>', SUBMISSION_STATES.join(', '))
    .option('--kind <kind>', SUBMISSION_KINDS.join(', '))
    .option('-n, --limit <number>', 'rows', numberBetween(1, ROWS_MAX), 50)
    .option(...JSON_FLAG)
    .action((options: ListOptions) => list(io, options));
  outgoing
    .command('show <reference>')
    .description('one of them with everything that was sent, by its reference, mark, guid, number or id')
    .addOption(tenantOption())
    .option(...JSON_FLAG)
    .action((reference: string, options: OfTenant) => show(io, reference, options));
  outgoing
    .command('plan <tenant>')
    .description('what would be sent now; nothing is sent and nobody is asked')
    .option(...JSON_FLAG)
    .action((tenant: string, options: JsonOption) => plan(io, tenant, options));
  outgoing
    .command('problems')
    .description('records of origins that cannot be read, with file and line')
    .addOption(tenantOption())
    .option(...JSON_FLAG)
    .action((options: OfTenant) => problems(io, options));
}

async function status(io: CliIo, options: OfTenant): Promise<void> {
  await withOperations(io, async (operations) => {
    const rows = await operations.outgoing(options.tenant);
    answer(io, options, rows, () =>
      rows.length === 0 ? 'No tenant has a section `outgoing`.' : statusTable(io, rows),
    );
  });
}

function statusTable(io: CliIo, rows: readonly OutgoingStatus[]): string {
  return table(
    io,
    [
      { title: 'TENANT', value: (row) => row.tenantName },
      { title: 'ORIGINS', value: (row) => (row.isOn ? row.origins.join(', ') : 'off') },
      {
        title: 'PLAN',
        value: (row) =>
          row.confirmed ? `confirmed by ${row.confirmed.by}` : 'not confirmed: nothing is sent',
      },
      { title: 'PAUSED', value: (row) => (row.paused ? `by ${row.paused.by}: ${row.paused.reason}` : '') },
      { title: 'SENT IN 24 H', value: (row) => `${String(row.sentToday)} of ${String(row.perDay ?? 0)}` },
      {
        title: 'STATES',
        value: (row) =>
          Object.entries(row.counts)
            .map(([state, count]) => `${state} ${String(count)}`)
            .join(', '),
      },
      { title: 'CONFLICTS', value: (row) => (row.conflicts === 0 ? '' : String(row.conflicts)) },
      { title: 'UNREADABLE', value: (row) => (row.problems === 0 ? '' : String(row.problems)) },
    ],
    rows,
  );
}

async function list(io: CliIo, options: ListOptions): Promise<void> {
  const states = options.state === undefined ? undefined : [oneOf(SUBMISSION_STATES, options.state, 'state')];
  const kind = options.kind === undefined ? undefined : oneOf(SUBMISSION_KINDS, options.kind, 'kind');
  await withOperations(io, async (operations) => {
    const { tenant, limit } = options;
    const rows = await operations.submissions({ tenant, states, kind, limit });
    answer(io, options, rows, () => (rows.length === 0 ? 'None.' : listTable(io, rows)));
  });
}

function listTable(io: CliIo, rows: readonly SubmissionRow[]): string {
  return table(
    io,
    [
      { title: 'TENANT', value: (row) => row.tenantName },
      { title: 'KIND', value: (row) => row.kind },
      { title: 'REFERENCE', value: (row) => row.reference },
      { title: 'CUSTOMER', value: (row) => row.counterparty },
      {
        title: 'AMOUNT',
        value: (row) => (row.amount === null ? '' : `${row.amount} ${row.currency ?? ''}`),
        align: 'right',
      },
      { title: 'STATE', value: (row) => row.state },
      { title: 'SINCE', value: (row) => moment(row.since) },
      { title: 'NUMBER', value: (row) => row.number ?? '' },
      { title: 'WHY', value: (row) => row.reason?.sentence ?? '' },
    ],
    rows,
  );
}

async function show(io: CliIo, reference: string, options: OfTenant): Promise<void> {
  await withOperations(io, async (operations) => {
    const story = await operations.submission(reference, options.tenant);
    answer(io, options, story, () => submissionText(story));
  });
}

async function plan(io: CliIo, tenant: string, options: JsonOption): Promise<void> {
  await withOperations(io, async (operations) => {
    const planned = await operations.outgoingPlan(tenant);
    answer(io, options, planned, () => planText(io, planned));
  });
}

function planText(io: CliIo, { planned, sums, problems, isWhole, tenantName }: OutgoingPlan): string {
  const totals = sums.map(
    ({ kind, currency, count, amount }) =>
      `${String(count)} × ${kind}${currency === '' ? '' : `, ${amount} ${currency}`}`,
  );
  const rows = table(
    io,
    [
      { title: 'KIND', value: (row) => row.kind },
      { title: 'REFERENCE', value: (row) => row.reference },
      { title: 'CUSTOMER', value: (row) => row.counterparty },
      { title: 'ISSUED', value: (row) => row.issueDate ?? '' },
      {
        title: 'AMOUNT',
        value: (row) => (row.amount === null ? '' : `${row.amount} ${row.currency ?? ''}`),
        align: 'right',
      },
      { title: 'WHERE', value: (row) => row.place },
      { title: 'FILES', value: (row) => row.files.join(', ') },
      { title: 'NOT SENT BECAUSE', value: (row) => row.problem ?? '' },
    ],
    planned,
  );
  return [
    planned.length === 0 ? `Nothing of ${tenantName} waits to be sent.` : rows,
    ...(totals.length > 0 ? [`Would be sent: ${totals.join('; ')}.`] : []),
    ...(isWhole ? [] : ['There are more than are shown.']),
    ...(problems === 0
      ? []
      : [`${String(problems)} records cannot be read: ledgerbridge outgoing problems -t ${tenantName}`]),
  ].join('\n');
}

async function problems(io: CliIo, options: OfTenant): Promise<void> {
  await withOperations(io, async (operations) => {
    const rows = await operations.outgoingProblems(options.tenant);
    answer(io, options, rows, () =>
      rows.length === 0
        ? 'Every record can be read.'
        : rows.map(({ tenantName, place, problem }) => `${tenantName}  ${place}  ${problem}`).join('\n'),
    );
    if (rows.length > 0) io.setExitCode(EXIT.problems);
  });
}

type Steered = 'confirm' | 'pause' | 'resume';
const STEERED = {
  confirm: {
    operation: 'confirmOutgoing',
    does: 'the plan was looked at: from now on it is sent',
    done: 'confirmed',
    before: 'was confirmed before',
  },
  pause: {
    operation: 'pauseOutgoing',
    does: 'nothing more of it is sent',
    done: 'paused',
    before: 'was paused before',
  },
  resume: { operation: 'resumeOutgoing', does: 'it goes on', done: 'resumed', before: 'was not paused' },
} as const;

function registerSteering(outgoing: Command, io: CliIo): void {
  for (const how of Object.keys(STEERED) as Steered[]) {
    const command = outgoing.command(`${how} <tenant>`).description(STEERED[how].does);
    actOptions(command, { asks: false }).action((tenant: string, options: ActOptions) =>
      steer(io, how, tenant, options),
    );
  }
}

async function steer(io: CliIo, how: Steered, tenant: string, options: ActOptions): Promise<void> {
  const act = await readAct(io, options);
  if (options.dryRun) {
    answer(
      io,
      options,
      { would: how, tenant },
      () => `The other direction of ${tenant} would be ${STEERED[how].done}.`,
    );
    return;
  }
  await withOperations(io, async (operations) => {
    const done = await operations[STEERED[how].operation](tenant, act);
    answer(
      io,
      options,
      { [STEERED[how].done]: done },
      () => `The other direction of ${tenant} ${done ? `is ${STEERED[how].done}` : STEERED[how].before}.`,
    );
    await sayWhoWorks(io, operations);
  });
}
