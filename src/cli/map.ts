// `ledgerbridge map`: documents into journals, offline: no database, no network. One document as a table for a bookkeeper,
// or a batch of any size as NDJSON in the same order.
import { Option, type Command } from 'commander';
import { CodedError } from '../domain/errors/coded-error.js';
import { SOURCE_KINDS } from '../domain/source-document.js';
import type { NotPostedKind } from '../pipeline/mapping/outcome.js';
import type { CliIo, RegisterCommand } from './command.js';
import { EXIT } from './exit-codes.js';

/** Of a single document; a batch that was read to its end exits with 0. */
export const MAP_EXIT = {
  post: EXIT.ok,
  skip: 10,
  defer: 11,
  park: 12,
  reject: 13,
} as const satisfies Record<NotPostedKind | 'post', number>;

interface MapOptions {
  readonly rules: string;
  readonly batch?: string;
  readonly kind?: string;
  readonly explain?: true;
  readonly json?: true;
}

export const registerMap: RegisterCommand = (program, io) => {
  const map = program
    .command('map')
    .description('Show the journal that a document would become. Offline; nothing is posted.')
    .argument(
      '[document]',
      'a JSON file with one document (or "-"): as the service gives it, or {kind, document, context}',
    )
    .option(
      '--rules <file>',
      'rules as JSON or YAML, complete or what differs from the default, or the name of bundled ones (default, dk, …)',
      'default',
    )
    .option(
      '--batch <file>',
      'NDJSON, one {id, kind, document, context?, rules?} a line; "-" reads standard input',
    )
    .addOption(
      new Option('--kind <kind>', 'invoice or cost, where the document alone does not show it').choices(
        SOURCE_KINDS,
      ),
    )
    .option('--explain', 'say which rule chose what, and why')
    .option('--json', 'one document as JSON instead of a table')
    .action((document: string | undefined, options: MapOptions) => run(document, options, io));
  addExamples(map);
};

function addExamples(map: Command): void {
  map.addHelpText(
    'after',
    `
Exit codes for one document: ${Object.entries(MAP_EXIT)
      .map(([outcome, code]) => `${outcome} ${String(code)}`)
      .join(', ')}.

Examples:
  ledgerbridge map invoice.json --explain
  ledgerbridge map cost.json --rules config/rules/dk.yaml
  ledgerbridge map --rules rules.json --batch documents.ndjson > journals.ndjson
  cat documents.ndjson | ledgerbridge map --batch -`,
  );
}

async function run(document: string | undefined, options: MapOptions, io: CliIo): Promise<void> {
  if ((document === undefined) === (options.batch === undefined)) {
    throw new CodedError('CLI_USAGE', 'Name one document, or a batch with --batch.');
  }
  const { readRules } = await import('./map-rules.js');
  const rules = await readRules(options.rules, io.cwd);
  if (options.batch !== undefined) {
    const { mapBatch } = await import('./map-batch.js');
    return mapBatch(options.batch, rules, { explain: options.explain === true }, io);
  }
  const { idOf, readDocument } = await import('./map-input.js');
  const { mapRecord, plainOutcome, RuleLayers } = await import('../pipeline/mapping/map-record.js');
  const record = await readDocument(document ?? '-', options.kind, io);
  const mapped = mapRecord(record, new RuleLayers(rules));
  const { outcomeTable } = await import('./map-table.js');
  io.out(
    options.json === true
      ? `${JSON.stringify(plainOutcome(idOf(record), mapped, options.explain === true), null, 2)}\n`
      : outcomeTable(mapped, options.explain === true),
  );
  io.setExitCode(MAP_EXIT[mapped.outcome]);
}
