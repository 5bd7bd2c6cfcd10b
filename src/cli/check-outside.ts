// `ledgerbridge check-outside`: the promise checked on exports of the invoicing service and of the ERP alone.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { OutsideReport } from '../outside/check-outside.js';
import { examples, type CliIo, type RegisterCommand } from './command.js';
import { EXIT } from './exit-codes.js';

interface Flags {
  readonly documents: string;
  readonly entries: string;
  readonly account: string;
  readonly ledger: string;
  readonly environment: 'production' | 'development';
  readonly settledBefore?: string;
  readonly json?: true;
}

export const registerCheckOutside: RegisterCommand = (program, io) => {
  program
    .command('check-outside')
    .description(
      'Reads an export of the documents (guid, kind, number, accounting_status, amount, currency, created_date) and one of the ERP’s entries (id, key, amount, reversed; of journals of a day also lines with text and amount), as JSON or one object a line, and says what is booked twice, lost, Posted without an entry, or unlike its document. Nothing of the bridge’s own database is read: the key of an entry follows from the document.',
    )
    .requiredOption('--documents <file>', 'export of the invoicing service')
    .requiredOption('--entries <file>', 'export of the ERP')
    .requiredOption('--account <number>', 'registration number of the account at the source')
    .requiredOption('--ledger <ledger>', 'the ledger, as `ledgerbridge doctor` names it')
    .option('--environment <name>', 'production or development', 'production')
    .option('--settled-before <date>', 'what was handed over before this and is still Created is lost')
    .option('--json', 'the report as JSON')
    .addHelpText(
      'after',
      examples([
        'ledgerbridge check-outside --documents source.jsonl --entries erp.jsonl --account 4504013150 --ledger http:main',
        'exit code 3 when something is wrong',
      ]),
    )
    .action((flags: Flags) => check(io, flags));
};

async function check(io: CliIo, flags: Flags): Promise<void> {
  const { checkOutside } = await import('../outside/check-outside.js');
  const { readDocuments, readEntries } = await import('../outside/read-export.js');
  const read = (file: string) => readFileSync(resolve(io.cwd, file), 'utf8');
  const report = checkOutside({
    environment: flags.environment,
    sourceAccount: flags.account,
    ledger: flags.ledger,
    documents: readDocuments(read(flags.documents)),
    entries: readEntries(read(flags.entries)),
    settledBefore: flags.settledBefore ?? null,
  });
  io.out(flags.json ? `${JSON.stringify(report)}\n` : asText(report));
  if (report.findings.length > 0) io.setExitCode(EXIT.problems);
}

function asText({ documents, entries, waiting, findings }: OutsideReport): string {
  const head = `${documents} documents, ${entries} entries, ${waiting} waiting, ${findings.length} findings.\n`;
  return head + findings.map(({ kind, about, details }) => `  ${kind}  ${about}: ${details}\n`).join('');
}
