// `ledgerbridge logs`: everything on record about one document, oldest first, a line each; with the lines of a log file of
// the bridge put where they belong.
import { createReadStream } from 'node:fs';
import { resolve } from 'node:path';
import { CodedError } from '../domain/errors/coded-error.js';
import type { Story } from '../operations/views/document.js';
import { answer, type JsonOption, JSON_FLAG } from './answer.js';
import { type CliIo, examples, type RegisterCommand } from './command.js';
import { tenantOption, withReading } from './operate.js';

interface LogsOptions extends JsonOption {
  readonly tenant?: string;
  readonly file?: string;
}

interface LogLine {
  readonly at: string;
  readonly what: string;
  readonly text: string;
}

const LINES_MAX = 10_000;

export const registerLogs: RegisterCommand = (program, io) => {
  program
    .command('logs <document>')
    .description('show everything on record about one document in the order in which it happened')
    .addOption(tenantOption())
    .option('-f, --file <path>', 'also its lines in this log of the bridge (JSON, a line each)')
    .option(...JSON_FLAG)
    .addHelpText(
      'after',
      examples(
        ['ledgerbridge logs 2024-1187', 'moves, attempts, write-backs, acts'],
        ['ledgerbridge logs 2024-1187 -f bridge.log', 'with what the bridge logged meanwhile'],
      ),
    )
    .action((document: string, options: LogsOptions) =>
      withReading(io, 'none', async (reading) => {
        const story = await reading.explain(document, { tenant: options.tenant });
        const logged = options.file === undefined ? [] : await readLines(io, options.file, story);
        const lines = [...recorded(story), ...logged].sort(byTime);
        answer(io, options, lines, () => lines.map(lineText).join('\n'));
      }),
    );
};

/** What happened in the same moment stays in the order in which it was put on record. */
function byTime(a: LogLine, b: LogLine): number {
  if (a.at === b.at) return 0;
  return a.at < b.at ? -1 : 1;
}

function lineText({ at, what, text }: LogLine): string {
  return `${at.slice(0, 23).replace('T', ' ')}Z  ${what.padEnd(22)} ${text}`.trimEnd();
}

function recorded({ audit, attempts, writeBacks, incidents }: Story): readonly LogLine[] {
  // Others read the audit from its end.
  const moves = audit.toReversed().map(({ at, actor, action, reason, details }) => {
    const move = typeof details['from'] === 'string' ? `${details['from']} → ${String(details['to'])}` : '';
    return { at, what: action, text: [actor, move, reason ?? ''].filter((part) => part !== '').join('  ') };
  });
  const sent = attempts.flatMap(({ number, part, startedAt, outcome, message }) => [
    {
      at: startedAt,
      what: `attempt.${part}`,
      text: `${String(number)}  ${outcome ?? 'unknown'}  ${message ?? ''}`,
    },
  ]);
  const told = writeBacks.map((one) => ({
    at: one.acknowledgedAt ?? one.sentAt ?? one.decidedAt,
    what: `write-back.${one.state}`,
    text: `${one.wanted}  ${one.message}`,
  }));
  const known = incidents.map(({ firstSeenAt, code, title }) => ({
    ...{ at: firstSeenAt, what: 'incident', text: `${code}  ${title}` },
  }));
  return [...moves, ...sent, ...told, ...known];
}

/** A line belongs to the document when it names it: by its id, its guid or its key. */
async function readLines(io: CliIo, file: string, { document }: Story): Promise<readonly LogLine[]> {
  const names = [document.postingId, document.guid, document.key];
  const found: LogLine[] = [];
  try {
    const { createInterface } = await import('node:readline');
    const input = createReadStream(resolve(io.cwd, file), 'utf8');
    for await (const line of createInterface({ input })) {
      if (found.length >= LINES_MAX) break;
      if (names.some((name) => line.includes(name))) found.push(...parsed(line));
    }
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason';
    throw new CodedError('CLI_USAGE', `The log ${file} cannot be read (${reason}).`);
  }
  return found;
}

function parsed(line: string): readonly LogLine[] {
  // Whatever else stands in a log is not ours.
  try {
    const { time, msg, level } = JSON.parse(line) as Record<string, unknown>;
    const at = new Date(time as string | number);
    if (Number.isNaN(at.getTime())) return [];
    return [{ at: at.toISOString(), what: `log.${String(level)}`, text: typeof msg === 'string' ? msg : '' }];
  } catch {
    return [];
  }
}
