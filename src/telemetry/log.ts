// What the bridge says while it works: one JSON object a line, or readable lines on a terminal.
// Promises: no secret and no kennitala in any line, whatever path it came by; errors carry their code and disposition;
// everything about one document carries the same correlation id, over all processes and restarts.
import { hash } from 'node:crypto';
import { type DestinationStream, type Logger, pino, stdTimeFunctions } from 'pino';
import pretty from 'pino-pretty';
import type { Guid, TenantName } from '../domain/ids.js';
import type { BookedKind } from '../domain/source-document.js';
import type { BridgeSettings } from '../tenants/bridge-settings.js';
import { cleanFacts, cleanLine } from './clean.js';
import { CodedError } from '../domain/errors/coded-error.js';

export type Log = Logger;

export interface LogOptions {
  readonly level: BridgeSettings['logLevel'];
  readonly format: BridgeSettings['logFormat'];
  /** Whether a person is likely to read along; decides what `auto` means. */
  readonly isTty: boolean;
  /** Standard error unless given: standard output belongs to the answers of commands. */
  readonly destination?: DestinationStream;
}

export function createLog(options: LogOptions): Log {
  const isPretty = options.format === 'pretty' || (options.format === 'auto' && options.isTty);
  const plain = options.destination ?? pino.destination({ fd: 2, sync: true });
  return pino(
    {
      level: options.level,
      base: { pid: process.pid },
      timestamp: stdTimeFunctions.isoTime,
      serializers: { err: describeError, error: describeError },
      formatters: {
        level: (label) => ({ level: label }),
        log: cleanFacts,
        bindings: cleanFacts,
      },
      hooks: { streamWrite: cleanLine },
    },
    isPretty ? readable(plain, options.isTty) : plain,
  );
}

function readable(destination: DestinationStream, colorize: boolean): DestinationStream {
  const toText = pretty.prettyFactory({
    colorize,
    translateTime: 'SYS:HH:MM:ss.l',
    ignore: 'pid',
    singleLine: true,
    errorLikeObjectKeys: [],
  });
  return { write: (line) => destination.write(toText(line)) };
}

export interface DocumentIdentity {
  readonly tenant: TenantName;
  readonly kind: BookedKind;
  readonly guid: Guid;
}

/** The same for a document in every process and after every restart, so that one search finds its whole story. */
export function correlationId({ tenant, kind, guid }: DocumentIdentity): string {
  return hash('sha256', `${tenant}/${kind}/${guid.toLowerCase()}`).slice(0, 12);
}

// An error in a log: its code and disposition first, then what a developer needs, causes included.

const CAUSES_MAX = 5;
const ERRORS_MAX = 5;
const STACK_MAX = 4000;

export function describeError(error: unknown): unknown {
  return describe(error, 0);
}

function describe(error: unknown, depth: number): unknown {
  if (!(error instanceof Error)) return typeof error === 'string' ? error : cleanFacts({ thrown: error });
  const described: Record<string, unknown> = { type: error.name, message: error.message };
  if (error instanceof CodedError) {
    described['code'] = error.code;
    described['disposition'] = error.definition.disposition;
    described['details'] = cleanFacts(error.details);
  } else if ('code' in error && (typeof error.code === 'string' || typeof error.code === 'number')) {
    described['code'] = error.code;
  }
  described['stack'] = error.stack?.slice(0, STACK_MAX);
  if (depth >= CAUSES_MAX) return described;
  if (error instanceof AggregateError) {
    described['errors'] = error.errors
      .slice(0, ERRORS_MAX)
      .map((inner: unknown) => describe(inner, depth + 1));
  }
  if (error.cause !== undefined) described['cause'] = describe(error.cause, depth + 1);
  return described;
}
