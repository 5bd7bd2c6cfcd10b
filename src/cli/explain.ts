// `ledgerbridge explain`: one document, why it is where it is, and what would move it.
import { CodedError } from '../domain/errors/coded-error.js';
import type { JournalView, Story } from '../operations/views/document.js';
import { answer, type JsonOption, JSON_FLAG } from './answer.js';
import { type CliIo, examples, type RegisterCommand } from './command.js';
import { money, moment, table } from './table.js';
import { tenantOption, withOperations, withReading } from './operate.js';
import type { Reading } from '../operations/reading.js';
import { submissionText } from './outgoing.js';

interface ExplainOptions extends JsonOption {
  readonly tenant?: string;
  readonly source?: boolean;
  readonly audit?: boolean;
}

export const registerExplain: RegisterCommand = (program, io) => {
  program
    .command('explain <document>')
    .description(
      'tell the whole story of one document, by guid, number, key, id or entry number; or of a record that goes into the service, by its reference or mark',
    )
    .addOption(tenantOption())
    .option('--source', 'also read it at the source now, and show what changed')
    .option('--audit', 'also show the audit')
    .option(...JSON_FLAG)
    .addHelpText(
      'after',
      examples(
        ['ledgerbridge explain 2024-1187 --source', 'why is it not in the books?'],
        ['ledgerbridge explain SO-1001', 'why is it not at the service?'],
      ),
    )
    .action((document: string, options: ExplainOptions) => {
      const { tenant, source } = options;
      const tell = async (reading: Reading) => {
        const story = await reading.explain(document, { tenant, askSource: source });
        answer(io, options, story, () => storyText(io, story, options));
      };
      // Only who asks the source needs what connects to it.
      const told = source ? withOperations(io, tell) : withReading(io, 'none', tell);
      return told.catch((error: unknown) => explainRecord(io, document, options, error));
    });
};

/** No document is called so: it may be a record that goes the other way. */
async function explainRecord(
  io: CliIo,
  reference: string,
  options: ExplainOptions,
  unknown: unknown,
): Promise<void> {
  if (!hasCode(unknown, 'DOCUMENT_NOT_FOUND')) throw unknown;
  await withOperations(io, async (operations) => {
    const story = await operations.submission(reference, options.tenant).catch((error: unknown) => {
      // Whoever is known under neither name is told of the one that was asked for.
      throw hasCode(error, 'SUBMISSION_NOT_FOUND') ? unknown : error;
    });
    answer(io, options, story, () => submissionText(story, options.audit));
  });
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof CodedError && error.code === code;
}

function storyText(io: CliIo, story: Story, options: ExplainOptions): string {
  const { document, timeline, attempts, writeBacks, sourceNow, warnings, incidents } = story;
  const name = `${document.kind} ${document.number || document.guid}`;
  const parts = [
    `${name}, ${document.counterpartyName || document.counterpartyKennitala}, ${money(document.amount, document.currency)}, ${document.issueDate}`,
    `${document.state.toUpperCase()}  ${story.sentence}`,
    story.actions.length === 0 ? '' : `You can: ${story.actions.join(', ')}`,
    timeline.map(({ step, at, state }) => `  ${mark(state)} ${step.padEnd(13)} ${moment(at)}`).join('\n'),
    story.journal ? journalText(io, story.journal, 'Journal') : '',
    story.settlement ? journalText(io, story.settlement, 'Settlement') : '',
    story.summary === null ? '' : `Booked with the other documents of its day, as ${story.summary.number}.`,
    story.members.length === 0 ? '' : `Documents in it\n${memberTable(io, story)}`,
    ...warnings.map(({ sentence }) => `Warning: ${sentence}`),
    attempts.length === 0 ? '' : `Attempts\n${attemptTable(io, story)}`,
    writeBacks.length === 0
      ? ''
      : `Written back\n${writeBacks.map((one) => `  ${one.wanted} ${one.state}: ${one.message}`).join('\n')}`,
    sourceNow ? sourceText(sourceNow) : '',
    ...incidents
      .filter(({ state }) => state !== 'resolved')
      .map(({ title, nextStep }) => `Incident: ${title}\n  ${nextStep}`),
    options.audit ? auditText(story) : '',
    story.entryUrl === null ? '' : `Entry in the ERP: ${story.entryUrl}`,
    `Guid ${document.guid}, key ${document.key}, id ${document.postingId}`,
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

function mark(state: string): string {
  return { done: '✓', now: '◐', failed: '✕' }[state] ?? '○';
}

function journalText(io: CliIo, journal: JournalView, title: string): string {
  const rows = table(
    io,
    [
      { title: 'ACCOUNT', value: (line) => line.account },
      { title: 'TEXT', value: (line) => line.text },
      { title: 'DEBIT', align: 'right', value: (line) => (line.debit === '0' ? '' : money(line.debit)) },
      { title: 'CREDIT', align: 'right', value: (line) => (line.credit === '0' ? '' : money(line.credit)) },
      { title: 'VAT', value: (line) => line.vatCode ?? '' },
    ],
    journal.lines,
  );
  return `${title} ${journal.documentNo}, dated ${journal.postingDate}\n${rows}`.trimEnd();
}

function memberTable(io: CliIo, { members }: Story): string {
  return table(
    io,
    [
      { title: 'DOCUMENT', value: (row) => row.number },
      { title: 'NAME', value: (row) => row.counterpartyName },
      { title: 'ISK', align: 'right', value: (row) => money(row.totalIsk) },
      { title: 'STATE', value: (row) => row.state },
    ],
    members,
  );
}

function attemptTable(io: CliIo, { attempts }: Story): string {
  return table(
    io,
    [
      { title: 'NO', align: 'right', value: (row) => String(row.number) },
      { title: 'PART', value: (row) => row.part },
      { title: 'STARTED', value: (row) => moment(row.startedAt) },
      { title: 'SENDS', align: 'right', value: (row) => String(row.sends) },
      { title: 'OUTCOME', value: (row) => row.outcome ?? 'unknown' },
      { title: 'ENTRY', value: (row) => row.erpReference?.number ?? row.erpReference?.id ?? '' },
      { title: 'ANSWER', value: (row) => row.message ?? '' },
    ],
    attempts,
  ).trimEnd();
}

function sourceText({ status, changes }: NonNullable<Story['sourceNow']>): string {
  const changed = changes.map(
    ({ field, before, now }) => `  ${field}: ${before || '(nothing)'} → ${now || '(nothing)'}`,
  );
  return [
    `At the source now: ${status}`,
    ...(changed.length > 0 ? changed : ['  nothing changed since it was read']),
  ].join('\n');
}

function auditText({ audit }: Story): string {
  const lines = audit.map(
    ({ at, actor, action, reason }) => `  ${moment(at)}  ${actor}  ${action}${reason ? `: ${reason}` : ''}`,
  );
  return `Audit, newest first\n${lines.join('\n')}`;
}
