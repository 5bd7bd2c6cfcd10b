// How the end of a sign-in reaches the command: a listener on this machine, or a person who pastes the address.
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { CodedError } from '../domain/errors/coded-error.js';
import { type LoginAttempt, listenForLogin } from '../service/oauth/login.js';
import type { OAuthAuth, SourceSettings } from '../service/source-settings.js';
import type { CliIo } from './command.js';
import type { TenantOptions } from './tenant-files.js';

export interface LoginOptions extends TenantOptions {
  readonly manual?: boolean;
  readonly port: string;
  readonly tlsCert?: string;
  readonly tlsKey?: string;
}

/** The code lives ten minutes (Document 2, "Limits"); nobody needs to be waited for any longer. */
const WAIT_MS = 10 * 60_000;

export async function awaitCallback(
  io: CliIo,
  settings: SourceSettings,
  auth: OAuthAuth,
  attempt: LoginAttempt,
  options: LoginOptions,
): Promise<string> {
  return options.manual === true
    ? paste(io, settings, attempt)
    : listen(io, settings, auth, attempt, options);
}

async function paste(io: CliIo, settings: SourceSettings, attempt: LoginAttempt): Promise<string> {
  io.err(`Open this address, sign in and consent:\n\n  ${attempt.address.href}\n\n`);
  if (settings.environment === 'development') {
    io.err(
      'The development environment may want its maintenance code: add &en4_maint_code=… in the browser yourself.\n',
    );
  }
  io.err(
    'The browser ends at your redirect URI, perhaps with an error page. Paste its whole address here:\n',
  );
  const pasted = await firstLine(io);
  if (pasted === null) throw gaveUp('nothing was pasted');
  return pasted;
}

async function listen(
  io: CliIo,
  settings: SourceSettings,
  auth: OAuthAuth,
  attempt: LoginAttempt,
  options: LoginOptions,
): Promise<string> {
  const authorizeAt = new URL(attempt.address);
  if (settings.environment === 'development') {
    authorizeAt.searchParams.set('en4_maint_code', settings.maintenanceCode.reveal());
  }
  const tls = await readTls(io, options);
  const loopback = await listenForLogin({
    authorizeAt,
    port: Number(options.port),
    path: new URL(auth.redirectUri).pathname,
    ...(tls !== null && { tls }),
  });
  io.err(`Open ${loopback.origin}/start in a browser on this machine, sign in and consent.\n`);
  io.err(
    `Waiting for ${auth.redirectUri} to be forwarded to ${loopback.origin}/callback (or use --manual) …\n`,
  );
  const waiting = new AbortController();
  try {
    return await Promise.race([loopback.query, timeOut(waiting.signal), cancelled(io, waiting.signal)]);
  } finally {
    waiting.abort();
    await loopback.close();
  }
}

async function readTls(io: CliIo, options: LoginOptions): Promise<{ cert: Buffer; key: Buffer } | null> {
  if (options.tlsCert === undefined && options.tlsKey === undefined) return null;
  if (options.tlsCert === undefined || options.tlsKey === undefined) {
    throw new CodedError('CLI_USAGE', 'TLS takes both --tls-cert and --tls-key.');
  }
  const [cert, key] = await Promise.all([
    readFile(resolve(io.cwd, options.tlsCert)),
    readFile(resolve(io.cwd, options.tlsKey)),
  ]);
  return { cert, key };
}

function firstLine(io: CliIo): Promise<string | null> {
  const lines = createInterface({ input: io.stdin, terminal: false });
  return new Promise((done) => {
    const stop = () => lines.close();
    io.signal.addEventListener('abort', stop, { once: true });
    lines.once('line', (line) => {
      done(line);
      lines.close();
    });
    lines.once('close', () => {
      io.signal.removeEventListener('abort', stop);
      done(null);
    });
  });
}

function timeOut(over: AbortSignal): Promise<never> {
  return new Promise((_done, fail) => {
    const timer = setTimeout(() => fail(gaveUp('nobody came back within ten minutes')), WAIT_MS);
    over.addEventListener('abort', () => clearTimeout(timer), { once: true });
  });
}

function cancelled(io: CliIo, over: AbortSignal): Promise<never> {
  return new Promise((_done, fail) => {
    const stop = () => fail(gaveUp('it was interrupted'));
    io.signal.addEventListener('abort', stop, { once: true });
    over.addEventListener('abort', () => io.signal.removeEventListener('abort', stop), { once: true });
  });
}

function gaveUp(why: string): CodedError {
  return new CodedError('SOURCE_LOGIN_FAILED', `The sign-in was given up: ${why}.`);
}
