// Fields that an origin and the service have both changed: what they are, and which side holds.
import type { Command } from 'commander';
import type { FieldDecision } from '../outbound/agree-fields.js';
import type { SubmissionRow } from '../operations/views/outgoing.js';
import { answer, JSON_FLAG, type JsonOption } from './answer.js';
import type { CliIo } from './command.js';
import { EXIT } from './exit-codes.js';
import { moment, table } from './table.js';
import { type ActOptions, actOptions, oneOf, sayWhoWorks, tenantOption, withOperations } from './operate.js';
import { perform } from './perform.js';

interface OfTenant extends JsonOption {
  readonly tenant?: string;
}

interface SettleOptions extends ActOptions {
  readonly take: string;
  readonly field?: readonly string[];
}

const ROWS_MAX = 1_000;
const SIDES = ['origin', 'service'] as const;

export function registerOutgoingConflicts(outgoing: Command, io: CliIo): void {
  outgoing
    .command('conflicts')
    .description('fields that an origin and the service have both changed, with both values')
    .addOption(tenantOption())
    .option(...JSON_FLAG)
    .action((options: OfTenant) => conflicts(io, options));
  const settle = outgoing
    .command('settle <reference>')
    .description('which side holds where both have changed: every field, or those that are named')
    .requiredOption('--take <side>', `whose value holds: ${SIDES.join(', ')}`)
    .option('--field <name...>', 'only these fields');
  actOptions(settle, { asks: false }).action((reference: string, options: SettleOptions) =>
    settleOne(io, reference, options),
  );
}

async function conflicts(io: CliIo, options: OfTenant): Promise<void> {
  await withOperations(io, async (operations) => {
    const rows = await operations.submissions({
      tenant: options.tenant,
      inConflict: true,
      limit: ROWS_MAX,
    });
    answer(io, options, rows, () =>
      rows.length === 0 ? 'No field was changed on both sides.' : conflictsTable(io, rows),
    );
    if (rows.length > 0) io.setExitCode(EXIT.problems);
  });
}

function conflictsTable(io: CliIo, rows: readonly SubmissionRow[]): string {
  const fields = rows.flatMap((row) => row.conflicts.map((conflict) => ({ row, conflict })));
  return table(
    io,
    [
      { title: 'TENANT', value: ({ row }) => row.tenantName },
      { title: 'REFERENCE', value: ({ row }) => `${row.kind} ${row.reference}` },
      { title: 'NAME', value: ({ row }) => row.counterparty },
      { title: 'FIELD', value: ({ conflict }) => conflict.field },
      { title: 'AGREED BEFORE', value: ({ conflict }) => conflict.agreed.service },
      { title: 'ORIGIN', value: ({ row, conflict }) => `${conflict.origin} (${row.origin})` },
      { title: 'SERVICE', value: ({ conflict }) => conflict.service },
      { title: 'SEEN', value: ({ row }) => (row.agreedAt === null ? '' : moment(row.agreedAt)) },
    ],
    fields,
  );
}

async function settleOne(io: CliIo, reference: string, options: SettleOptions): Promise<void> {
  const take = oneOf(SIDES, options.take, 'take');
  await withOperations(io, async (operations) => {
    const performed = await perform(io, options, async (act) => {
      const { id, kind, reference: name, conflicts: all } = await operations.submission(reference);
      const chosen = all.filter(({ field }) => options.field?.includes(field) ?? true);
      const decisions: Record<string, FieldDecision> = Object.fromEntries(
        chosen.map(({ field, origin, service }) => [field, { take, origin, service }]),
      );
      const lines = chosen.map((conflict) => `${conflict.field}: ${conflict[take]}`).join('; ');
      return {
        consequence: `${kind} ${name}: the ${take} holds. ${lines}`,
        would: { value: { would: id, decisions }, text: `${kind} ${name}: nothing was changed. ${lines}` },
        carryOut: async () => {
          const row = await operations.settleFields(id, decisions, act);
          return { value: row, text: `${kind} ${name} is ${row.state} now: the ${take} holds. ${lines}` };
        },
      };
    });
    if (performed) await sayWhoWorks(io, operations);
  });
}
