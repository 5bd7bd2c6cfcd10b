// `ledgerbridge plan`: the journals that would be posted now; nothing is written. `--confirm` is what a new tenant waits for.
import type { Act } from '../operations/act.js';
import type { Operations } from '../operations/operations.js';
import type { PlanView } from '../operations/views/act.js';
import { answer } from './answer.js';
import { type CliIo, examples, type RegisterCommand } from './command.js';
import { EXIT } from './exit-codes.js';
import { documents, money, table } from './table.js';
import { type ActOptions, actOptions, sayWhoWorks, wholeNumber, withOperations } from './operate.js';
import { type Deed, perform } from './perform.js';
import { progress } from './progress.js';

interface PlanOptions extends ActOptions {
  readonly confirm?: boolean;
  readonly unchecked?: boolean;
  readonly otherCompany?: boolean;
  readonly despiteErrors?: boolean;
  readonly limit?: number;
  readonly journals?: number;
}

export const registerPlan: RegisterCommand = (program, io) => {
  const plan = program
    .command('plan <tenant>')
    .description('show the journals that would be posted now, checked against the ERP; nothing is written')
    .option('--limit <number>', 'documents to look at (default: 500)', wholeNumber)
    .option('--journals <number>', 'journals to show in full (default: 3; 50 with --json)', wholeNumber)
    .option('--confirm', 'confirm the plan: from then on the tenant posts')
    .option('--unchecked', 'confirm it although the ERP could not be asked')
    .option('--other-company', 'confirm it although the books are another company’s')
    .option('--despite-errors', 'confirm it although the ERP lacks what documents need');
  actOptions(plan)
    .addHelpText(
      'after',
      examples(
        ['ledgerbridge plan hraun', 'totals per account, and what the ERP lacks'],
        ['ledgerbridge plan hraun --confirm -r "checked with Sigga"', 'a new tenant begins to post'],
      ),
    )
    .action((tenant: string, options: PlanOptions) => run(io, tenant, options));
};

async function run(io: CliIo, tenant: string, options: PlanOptions): Promise<void> {
  await withOperations(io, async (operations) => {
    if (options.confirm) {
      if (await perform(io, options, (act) => confirmation(io, tenant, options, { operations, act })))
        await sayWhoWorks(io, operations);
      return;
    }
    const plan = await lookAt(io, tenant, options, operations);
    answer(io, options, plan, () => planText(io, plan, options.journals ?? SAMPLES));
  });
}

async function lookAt(
  io: CliIo,
  tenant: string,
  { limit, journals }: PlanOptions,
  operations: Pick<Operations, 'plan'>,
): Promise<PlanView> {
  let bar: ReturnType<typeof progress> | null = null;
  let seen = 0;
  const onProgress = (done: number, total: number) => {
    bar ??= progress(io, 'plan', total);
    bar.advance(done - seen);
    seen = done;
  };
  const plan = await operations.plan(tenant, { limit, journals, onProgress });
  if (errorsIn(plan) > 0) io.setExitCode(EXIT.problems);
  return plan;
}

function errorsIn({ findings }: PlanView): number {
  return findings.filter(({ severity }) => severity === 'error').length;
}

/** The plan is shown before anybody is asked; the operation itself refuses by the same rules. */
async function confirmation(
  io: CliIo,
  tenant: string,
  options: PlanOptions,
  { operations, act }: { readonly operations: Operations; readonly act: Act },
): Promise<Deed> {
  const plan = await lookAt(io, tenant, options, operations);
  const text = planText(io, plan, options.journals ?? SAMPLES);
  if (!options.dryRun) {
    if (!options.json) answer(io, options, plan, () => text);
    const { refusePlan } = await import('../operations/confirm-plan.js');
    refusePlan(plan, options);
  }
  const { unchecked, otherCompany, despiteErrors } = options;
  return {
    consequence: `${tenant} begins: ${plan.sentence} Every document that follows is treated alike.${warningOf(plan)}`,
    question: 'Begin?',
    would: { value: plan, text },
    carryOut: async () => {
      const begun = await operations.confirmPlan(tenant, act, { unchecked, otherCompany, despiteErrors });
      const done = begun ? `${tenant} is confirmed.` : `${tenant} was confirmed before.`;
      return { value: { ...plan, confirmed: true }, text: done };
    },
  };
}

function warningOf(plan: PlanView): string {
  const errors = plan.findings.filter(
    ({ severity, code }) => severity === 'error' && code === undefined,
  ).length;
  if (!plan.erpAsked) return ' The ERP could not be asked: what it lacks shows when documents are held.';
  if (errors === 0) return '';
  const lacks = errors === 1 ? '1 thing' : `${String(errors)} things`;
  return ` The ERP lacks ${lacks}; documents that need them will be held.`;
}

const SAMPLES = 3;

/** A few journals in full: totals alone hide an account that is wrong in every one of them. */
function samples(io: CliIo, { journals, journalsLeftOut }: PlanView, most: number): string {
  const shown = journals.slice(0, most).map(({ journal }) => {
    const { documentNo, postingDate, description, lines } = journal;
    const rows = table(
      io,
      [
        { title: 'ACCOUNT', value: (line) => line.account },
        { title: 'DEBIT', align: 'right', value: ({ debit }) => (debit === '0' ? '' : money(debit)) },
        { title: 'CREDIT', align: 'right', value: ({ credit }) => (credit === '0' ? '' : money(credit)) },
        { title: 'TEXT', value: (line) => line.text },
      ],
      lines,
    );
    return `${documentNo}  ${postingDate}  ${description}\n${rows}`;
  });
  const left = journals.length + journalsLeftOut - shown.length;
  const more =
    left > 0 ? [`and ${String(left)} journals more: --journals ${String(most + left)} shows them all`] : [];
  return [...shown, ...more].join('\n');
}

function planText(io: CliIo, plan: PlanView, journalsMost: number): string {
  const { outcomes } = plan;
  const accounts = table(
    io,
    [
      { title: 'ACCOUNT', value: (row) => row.account },
      { title: 'NAME', value: (row) => row.name ?? '' },
      { title: 'LINES', align: 'right', value: (row) => String(row.lines) },
      { title: 'DEBIT', align: 'right', value: (row) => money(row.debit) },
      { title: 'CREDIT', align: 'right', value: (row) => money(row.credit) },
    ],
    plan.accounts,
  );
  const kinds = Object.entries(outcomes).filter(([, number]) => number > 0);
  const findings = plan.findings
    .filter(({ severity }) => severity !== 'ok')
    .map(
      ({ severity, message, remedy }) =>
        `${severity.toUpperCase()}  ${message}${remedy === undefined ? '' : ` ${remedy}`}`,
    );
  return [
    `${documents(plan.examined)} of ${String(plan.waiting)} waiting: ${kinds.map(([kind, number]) => `${String(number)} ${kind}`).join(', ') || 'none'}`,
    plan.examined === 0 ? '' : plan.sentence,
    plan.accounts.length === 0 ? '' : `${accounts}${money(plan.totalIsk, 'ISK')} on each side`,
    samples(io, plan, journalsMost),
    plan.reasons
      .map(({ outcome, code, subject, count }) => `${outcome}  ${String(count)} × ${code} ${subject}`)
      .join('\n'),
    findings.join('\n'),
    plan.confirmed ? '' : 'Nothing is posted for this tenant until the plan is confirmed: --confirm',
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}
