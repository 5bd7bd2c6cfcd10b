// `ledgerbridge close`, `certificates` and `verify`: the certificate of a period, made, listed, and checked without a bridge.
import { readFileSync } from 'node:fs';
import { copyFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { CertificateOutcome, CertificateProblem } from '../certificate/verify-certificate.js';
import { CodedError } from '../domain/errors/coded-error.js';
import type { Language } from '../language/say.js';
import { answer, JSON_FLAG, type JsonOption } from './answer.js';
import { type CliIo, examples, type RegisterCommand } from './command.js';
import { EXIT } from './exit-codes.js';
import { moment, table } from './table.js';
import { type ActOptions, readAct, actOptions, oneOf, withOpened } from './operate.js';
import { counter, progress } from './progress.js';

interface CloseOptions extends ActOptions {
  readonly lang: Language;
  readonly output?: string;
}

interface VerifyFileOptions extends JsonOption {
  readonly key?: string;
  readonly lang: Language;
}

const language = (text: string) => oneOf(['en', 'is'] as const, text, 'language');
const LANG = ['--lang <language>', 'en or is', language, 'en' as Language] as const;

export const CLOSING_STAGES = {
  listed: 'documents listed by the invoicing service',
  compared: 'documents compared',
} as const;

export const registerClose: RegisterCommand = (program, io) => {
  const close = program
    .command('close <tenant> <period> [to]')
    .description('compare invoicing service, bridge and ERP over a period and write a signed certificate')
    .option(...LANG)
    .option('-o, --output <file>', 'also put the certificate here');
  actOptions(close, { asks: false })
    .addHelpText(
      'after',
      examples(
        [
          'ledgerbridge close hraun 2026-10 -r "VAT period"',
          'red when something differs; the exit code is 3 then',
        ],
        ['ledgerbridge close hraun 2026 --lang is -o 2026.jsonl -r "ársreikningur"', 'a year, in Icelandic'],
        ['ledgerbridge verify 2026.jsonl', 'anywhere, without a bridge'],
      ),
    )
    .action((tenant: string, period: string, to: string | undefined, options: CloseOptions) =>
      closePeriod(io, tenant, { period, to }, options),
    );
  program
    .command('certificates [tenant]')
    .description('the certificates of closed periods, and which are out of date')
    .option(...JSON_FLAG)
    .addHelpText(
      'after',
      examples(['ledgerbridge certificates hraun', 'the exit code is 3 when one is out of date']),
    )
    .action((tenant: string | undefined, options: JsonOption) => listCertificates(io, tenant, options));
  program
    .command('verify <file>')
    .description('check a certificate offline: every record, the root and the signature')
    .option('--key <key>', 'who must have signed it: the public key in base64, or a PEM file')
    .option(...LANG)
    .option(...JSON_FLAG)
    .addHelpText(
      'after',
      `${examples(['ledgerbridge verify 2026-10.jsonl --key firm.pem', 'no bridge and no database is needed'])}

Exit code ${String(EXIT.problems)} when it was changed, or is not signed by the key that you give. One that is whole and not signed says so.`,
    )
    .action((file: string, options: VerifyFileOptions) => verifyFile(io, file, options));
};

async function closePeriod(
  io: CliIo,
  tenant: string,
  { period, to }: { readonly period: string; readonly to: string | undefined },
  options: CloseOptions,
): Promise<void> {
  const { periodOf } = await import('../operations/closing/close-period.js');
  const days = periodOf(period, to);
  const act = await readAct(io, options);
  if (options.dryRun) {
    answer(
      io,
      options,
      { would: days },
      () => `A certificate of ${tenant} from ${days.from} to ${days.to} would be made.`,
    );
    return;
  }
  await withOpened(io, async ({ closing }) => {
    const counted = counter(io, CLOSING_STAGES);
    const { path, head, seal } = await closing.close(tenant, days, act, ({ stage, documents }) =>
      counted.show(stage, documents),
    );
    counted.done();
    if (options.output !== undefined) await putCopy(io, path, options.output);
    const { certificateText } = await import('../certificate/certificate-text.js');
    const { fingerprintOf } = await import('../certificate/signing.js');
    const signedBy = seal.publicKey === null ? null : fingerprintOf(seal.publicKey);
    const printed = { head, summary: seal.summary, root: seal.root, signedBy };
    const { runs: _runs, ...shown } = seal;
    answer(
      io,
      options,
      { file: path, head, ...shown },
      () => `${certificateText(options.lang, printed)}\n\n${path}`,
    );
    if (seal.summary.verdict === 'red') io.setExitCode(EXIT.problems);
  });
}

async function putCopy(io: CliIo, path: string, output: string): Promise<void> {
  try {
    await copyFile(path, resolve(io.cwd, output));
  } catch (error) {
    const why = (error as NodeJS.ErrnoException).code ?? String(error);
    throw new CodedError(
      'CLI_USAGE',
      `The period is closed, but ${output} cannot be written (${why}): copy ${path} yourself.`,
      { cause: error },
    );
  }
}

async function listCertificates(io: CliIo, tenant: string | undefined, options: JsonOption): Promise<void> {
  await withOpened(io, async ({ closing }) => {
    const rows = await closing.certificates(tenant === undefined ? null : [tenant]);
    answer(io, options, rows, () =>
      rows.length === 0
        ? 'No period was closed yet: ledgerbridge close <tenant> 2026-10'
        : table(
            io,
            [
              { title: 'TENANT', value: (row) => row.tenantName },
              { title: 'PERIOD', value: (row) => `${row.from} – ${row.to}` },
              { title: 'VERDICT', value: (row) => row.verdict },
              {
                title: 'SINCE',
                value: (row) =>
                  row.superseded
                    ? 'closed again later'
                    : row.changedSince === 0
                      ? 'unchanged'
                      : `reopened: ${String(row.changedSince)} changed`,
              },
              { title: 'MADE', value: (row) => `${moment(row.madeAt)} ${row.madeBy}` },
              { title: 'RECORDS', align: 'right', value: (row) => String(row.records) },
              { title: 'SIGNED', value: (row) => (row.publicKey === null ? 'no' : 'yes') },
              { title: 'ROOT', value: (row) => row.root.slice(0, 16) },
            ],
            rows,
          ),
    );
    if (rows.some(({ changedSince, superseded }) => changedSince > 0 && !superseded))
      io.setExitCode(EXIT.problems);
  });
}

async function verifyFile(io: CliIo, file: string, options: VerifyFileOptions): Promise<void> {
  const { verifyCertificate } = await import('../certificate/verify-certificate.js');
  const path = resolve(io.cwd, file);
  const size = (await stat(path).catch(() => null))?.size;
  if (size === undefined) throw new CodedError('CLI_USAGE', `There is no file ${file}.`);
  const bar = progress(io, 'verify', size);
  let read = 0;
  const verified = await verifyCertificate(path, {
    publicKey: options.key === undefined ? undefined : publicKeyOf(io, options.key),
    onProgress: (bytes) => {
      bar.advance(bytes - read);
      read = bytes;
    },
  });
  bar.done();
  const { outcome, head, seal, problems, records, signedBy } = verified;
  const { certificateText } = await import('../certificate/certificate-text.js');
  answer(
    io,
    options,
    {
      outcome,
      head,
      records,
      root: verified.root,
      signedBy,
      verdict: seal?.summary.verdict ?? null,
      problems,
    },
    () => {
      if (outcome === 'changed')
        return [`${file} is NOT as it was sealed:`, ...problems.map((one) => `  - ${sayProblem(one)}`)].join(
          '\n',
        );
      if (head === null || seal === null) return '';
      const printed = certificateText(options.lang, {
        head,
        summary: seal.summary,
        root: seal.root,
        signedBy,
      });
      return `${printed}\n\n${sayWhole(outcome, records, signedBy)}`;
    },
  );
  if (problems.length > 0) io.setExitCode(EXIT.problems);
}

function sayWhole(
  outcome: Exclude<CertificateOutcome, 'changed'>,
  records: number,
  signedBy: string | null,
): string {
  const whole = records === 1 ? '1 record is as it was' : `${String(records)} records are as they were`;
  switch (outcome) {
    case 'signed':
      return `${whole} sealed, signed with ${signedBy ?? ''}.`;
    case 'unsigned':
      return `${whole} sealed. It is not signed: anybody could have made it.`;
    case 'other-key':
      return `${whole} sealed. It was signed with another key, ${signedBy ?? ''}: not by whom you named.`;
  }
}

function publicKeyOf(io: CliIo, key: string): string {
  if (/^[A-Za-z0-9+/=]{40,}$/.test(key)) return key;
  try {
    const pem = readFileSync(resolve(io.cwd, key), 'utf8');
    return pem.replaceAll(/-----[^-]+-----|\s+/g, '');
  } catch {
    throw new CodedError('CLI_USAGE', `${key} is neither a public key in base64 nor a readable PEM file.`);
  }
}

function sayProblem(problem: CertificateProblem): string {
  switch (problem.code) {
    case 'NOT_A_CERTIFICATE':
      return 'its first line is not that of a certificate';
    case 'SEAL_MISSING':
      return 'it has no seal: it was cut off';
    case 'RECORD_CHANGED':
      return `line ${String(problem.line)}, ${problem.what}: its bytes were changed`;
    case 'RECORD_MADE_ANEW':
      return `line ${String(problem.line)}, ${problem.what}: it was changed together with its hash`;
    case 'RECORD_ADDED':
      return `line ${String(problem.line)}, ${problem.what}: it was not there when it was sealed`;
    case 'RECORD_DROPPED':
      return `${problem.what}: it was record ${String(problem.place)} when it was sealed, and is missing`;
    case 'RECORD_MOVED':
      return `${problem.what}: it was record ${String(problem.place)} when it was sealed, and stands elsewhere`;
    case 'INDEX_CHANGED':
      return 'the list of names in it is not the one that was sealed';
    case 'RECORD_UNREADABLE':
      return `line ${String(problem.line)} cannot be read`;
    case 'COUNT_DIFFERS':
      return `${String(problem.sealed)} records were sealed, ${String(problem.found)} are there`;
    case 'RUN_DIFFERS':
      return `among the records ${String(problem.from)} to ${String(problem.to)}, beginning with ${problem.first}, one was changed, dropped, added or moved`;
    case 'ROOT_DIFFERS':
      return 'the records together are not those that were sealed';
    case 'NOT_SIGNED':
      return 'it is not signed: anybody could have made it';
    case 'SIGNATURE_WRONG':
      return 'the signature does not fit: its head or its findings were changed';
    case 'OTHER_KEY':
      return `it was signed with another key, ${problem.fingerprint}`;
    case 'AFTER_THE_SEAL':
      return 'something follows the seal';
  }
}
