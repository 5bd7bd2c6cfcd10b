// `ledgerbridge outgoing`: outbound records. What would go out and what did; confirm, pause and resume; what waits for a person.
import { type Command, InvalidArgumentError } from 'commander';
import { SUBMISSIONS } from '../operations/lists.js';
import { PAGE_DEFAULT } from '../operations/page-size.js';
import { addFields, readFields } from './fields.js';
import type {
  OutgoingPlan,
  OutgoingStatus,
  SubmissionRow,
  SubmissionStory,
} from '../operations/views/outgoing.js';
import { answer, JSON_FLAG, type JsonOption } from './answer.js';
import { type CliIo, examples, type RegisterCommand } from './command.js';
import { EXIT } from './exit-codes.js';
import { moment, table } from './table.js';
import {
  type ActOptions,
  readAct,
  actOptions,
  sayWhoWorks,
  tenantOption,
  withOperations,
} from './operate.js';
import { registerOutgoingConflicts } from './outgoing-conflicts.js';
import type { Operations } from '../operations/operations.js';
import type { Act } from '../operations/act.js';
import { perform } from './perform.js';

interface OfTenant extends JsonOption {
  readonly tenant?: string;
}

export const registerOutgoing: RegisterCommand = (program, io) => {
  const outgoing = program
    .command('outgoing')
    .description('outbound records: customers, invoices and more into the invoicing service')
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
    .description('show the outbound state of each tenant')
    .addOption(tenantOption())
    .option(...JSON_FLAG)
    .action((options: OfTenant) => status(io, options));
  const submissions = outgoing.command('list').description('submissions, the latest change first');
  addFields(submissions, SUBMISSIONS, { limit: PAGE_DEFAULT })
    .option(...JSON_FLAG)
    .action((options: JsonOption) => list(io, options));
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

async function list(io: CliIo, options: JsonOption): Promise<void> {
  const { state, ...rest } = readFields(SUBMISSIONS, [], { ...options });
  await withOperations(io, async (operations) => {
    const rows = await operations.submissions({ ...rest, ...(state && { states: [state] }) });
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
    answer(io, options, { would: how, tenant }, () => `Outbound of ${tenant} would be ${STEERED[how].done}.`);
    return;
  }
  await withOperations(io, async (operations) => {
    const done = await operations[STEERED[how].operation](tenant, act);
    answer(
      io,
      options,
      { [STEERED[how].done]: done },
      () => `Outbound of ${tenant} ${done ? `is ${STEERED[how].done}` : STEERED[how].before}.`,
    );
    await sayWhoWorks(io, operations);
  });
}

// What a person does to one submission: replay it, skip it, or say which of several customers is meant.

interface ReplayOptions extends ActOptions {
  readonly surelyAbsent?: boolean;
  readonly sends?: number;
}

function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('A whole number is needed.');
  return Number(text);
}

export function registerOutgoingActs(outgoing: Command, io: CliIo): void {
  const replay = outgoing
    .command('replay <reference>')
    .description(
      'take one up again that was parked, refused or skipped; what may have been sent is searched for first',
    )
    .option('--surely-absent', 'somebody has looked: the service surely has nothing of it')
    .option(
      '--sends <count>',
      'with --surely-absent: how many requests `outgoing show` had when they looked; refused if there are more by now',
      wholeNumber,
    );
  actOptions(replay, { asks: false }).action((reference: string, options: ReplayOptions) =>
    doIt(io, reference, options, (operations, id, act) =>
      operations.replaySubmission(id, act, {
        ...{ surelyAbsent: options.surelyAbsent, sends: options.sends },
      }),
    ),
  );
  const skip = outgoing.command('skip <reference>').description('it is not sent; its origin is told');
  actOptions(skip, { asks: false }).action((reference: string, options: ActOptions) =>
    doIt(io, reference, options, (operations, id, act) => operations.skipSubmission(id, act)),
  );
  const withdraw = outgoing
    .command('withdraw <reference>')
    .description('delete a cost, draft or order at the service again, where its rules allow that');
  actOptions(withdraw, { asks: false }).action((reference: string, options: ActOptions) =>
    doIt(io, reference, options, (operations, id, act) => operations.withdrawSubmission(id, act)),
  );
  const use = outgoing
    .command('use <reference> <guid>')
    .description(
      'which customer or item at the service is meant, where several have the kennitala or number',
    );
  actOptions(use, { asks: false }).action((reference: string, guid: string, options: ActOptions) =>
    doIt(io, reference, options, (operations, id, act) => operations.chooseCustomer(id, guid, act)),
  );
}

async function doIt(
  io: CliIo,
  reference: string,
  options: ActOptions,
  work: (operations: Operations, id: string, act: Act) => Promise<SubmissionRow>,
): Promise<void> {
  await withOperations(io, async (operations) => {
    const performed = await perform(io, options, async (act) => {
      const { id, kind, reference: name, state } = await operations.submission(reference);
      return {
        consequence: `${kind} ${name} is ${state}.`,
        would: { value: { would: id, state }, text: `${kind} ${name} is ${state}; nothing was changed.` },
        carryOut: async () => {
          const row = await work(operations, id, act);
          return { value: row, text: `${kind} ${name} is ${row.state} now.` };
        },
      };
    });
    if (performed) await sayWhoWorks(io, operations);
  });
}

// One record of an origin in words: for `outgoing show`, and for `explain` where no document is meant.

export function submissionText(story: SubmissionStory, withAudit = false): string {
  const { kind, reference, tenantName, origin, place, state, since, mark, guid, number, paymentLink } = story;
  return [
    `${kind} ${reference} of ${tenantName}: ${state} since ${moment(since)}`,
    `from ${origin || 'an invoice that needs it'}, ${place}; mark ${mark}; id ${story.id}`,
    ...(guid === null ? [] : [`at the service: ${guid}${number === null ? '' : `, number ${number}`}`]),
    ...(paymentLink === null ? [] : [`payment link: ${paymentLink}`]),
    story.sentence,
    ...story.conflicts.map(
      ({ field, origin: ours, service }) => `${field}: ${ours} at the origin, ${service} at the service`,
    ),
    ...story.files.map(({ name, bytes }) => `with the file ${name} (${bytes} bytes)`),
    ...story.generated.map((invoice) => `made invoice ${invoice.number || invoice.guid}`),
    ...story.attempts.map((attempt) =>
      `request ${String(attempt.number)} on ${moment(attempt.startedAt)}: ${attempt.outcome ?? 'not known'} ${attempt.message ?? ''}`.trimEnd(),
    ),
    ...(story.attempts.length === 0
      ? []
      : [`sent ${String(story.sends)} times; searched for: ${story.lookUp}`]),
    ...(story.canDo.length === 0
      ? []
      : ['You can:', ...story.canDo.map(({ what, command }) => `  ${what}\n    ${command}`)]),
    ...(withAudit ? ['Audit, newest first', ...story.history.map(auditLine)] : []),
  ].join('\n');
}

function auditLine({ at, actor, action, reason }: SubmissionStory['history'][number]): string {
  return `  ${moment(at)}  ${actor}  ${action}${reason === null || reason === '' ? '' : `: ${reason}`}`;
}
