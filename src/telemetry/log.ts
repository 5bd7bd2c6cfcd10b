// What the bridge says while it works: one JSON object a line, or readable lines on a terminal.
// Promises: no secret and no kennitala in any line, whatever path it came by; errors carry their code and disposition;
// everything about one document carries the same correlation id, over all processes and restarts.
import type { Guid, TenantName } from '../domain/ids.js';
import type { BookedKind } from '../domain/source-document.js';
import { hash } from 'node:crypto';
import { type DestinationStream, type Logger, pino, stdTimeFunctions } from 'pino';
import pretty from 'pino-pretty';
import type { BridgeSettings } from '../tenants/bridge-settings.js';
import { cleanFacts, cleanLine } from './clean.js';
import { describeError } from './describe-error.js';

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
