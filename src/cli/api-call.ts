// One call of `ledgerbridge api`: from words on a command line to an answer on the screen.
import { readFile } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import * as z from 'zod';
import { CodedError } from '../domain/errors/coded-error.js';
import { maskSecrets } from '../domain/secret.js';
import { AGENT_ENDPOINTS } from '../service/agent-endpoints.js';
import type { ApiClient, CallOutcome } from '../service/api-client.js';
import { connectApi } from '../service/connect-source.js';
import { CREDENTIAL_ENDPOINTS } from '../service/credential-endpoints.js';
import { findDuplicateCustomer } from '../service/customer-book.js';
import type { AnyEndpoint } from '../service/endpoint.js';
import { surfaceOf, type Surface } from '../service/source-settings.js';
import { parseJson, prettyJson } from '../service/wire-json.js';
import { nearest } from '../tenants/nearest.js';
import { answer } from './answer.js';
import { describeAnswer, describeParams, redacted } from './api-answer.js';
import type { CliIo } from './command.js';
import { EXIT } from './exit-codes.js';
import { confirm } from './prompt.js';
import { withSource } from './source-connection.js';
import { table } from './table.js';
import type { TenantOptions } from './tenant-files.js';

export interface ApiOptions extends TenantOptions {
  readonly param: readonly string[];
  readonly list?: boolean;
  readonly yes?: boolean;
  readonly allowDuplicate?: boolean;
}

/** These carry tokens and secrets in their bodies; `ledgerbridge auth` keeps them where they belong. */
const FOR_AUTH = new Set(['register', 'authorize', 'exchange-code', 'refresh-token']);

export async function callEndpoint(
  io: CliIo,
  name: string,
  endpointName: string,
  options: ApiOptions,
): Promise<void> {
  await withSource(io, name, options, async ({ settings, services }) => {
    const endpoint = endpointCalled(surfaceOf(settings), endpointName);
    const params = await readParams(io, options.param);
    const client = connectApi(settings, services);
    try {
      if (endpoint.effect === 'write' && !(await agreed(io, client, endpoint, params, options))) return;
      show(io, endpoint, await client.callUntyped(endpoint, params, { signal: io.signal }), options);
    } finally {
      await client.close();
    }
  });
}

export async function listEndpoints(io: CliIo, name: string, options: ApiOptions): Promise<void> {
  await withSource(io, name, options, ({ settings }) => {
    const rows = Object.values(endpointsOf(surfaceOf(settings))).map((endpoint) => ({
      endpoint: endpoint.name,
      does: endpoint.effect === 'read' ? 'asks' : 'changes',
      call: `${endpoint.method} ${endpoint.path}`,
      parameters: parametersOf(endpoint),
      answers: endpoint.answer.says,
      scope: endpoint.scope ?? '',
    }));
    const column = (title: keyof (typeof rows)[number]) => ({
      title,
      value: (row: (typeof rows)[number]) => row[title],
    });
    const columns = [
      column('endpoint'),
      column('does'),
      column('parameters'),
      column('answers'),
      column('scope'),
    ];
    answer(io, options, rows, () => table(io, columns, rows));
    return Promise.resolve();
  });
}

function show(io: CliIo, endpoint: AnyEndpoint, outcome: CallOutcome<unknown>, options: ApiOptions): void {
  if (outcome.outcome === 'ok') {
    const shown = redacted(outcome.body);
    // Not through `answer`: JSON of its own would round the service's numbers.
    const text = options.json
      ? `${prettyJson(shown)}\n`
      : describeAnswer(io, endpoint, shown, outcome.message);
    io.out(maskSecrets(text));
    return;
  }
  const { message, status, errorCode } = outcome;
  answer(io, options, { refused: true, message, status, errorCode }, () => `The service refused: ${message}`);
  io.setExitCode(EXIT.failed);
}

async function agreed(
  io: CliIo,
  client: ApiClient,
  endpoint: AnyEndpoint,
  params: Readonly<Record<string, unknown>>,
  options: ApiOptions,
): Promise<boolean> {
  // What would not be sent need not be confirmed.
  client.check(endpoint, params);
  if (endpoint.name === 'create-customer' && options.allowDuplicate !== true) {
    const existing = await findDuplicateCustomer(client, endpoint.surface, params['data']);
    if (existing !== null) {
      const hint = 'Change that one with update-customer, or add --allow-duplicate.';
      throw new CodedError(
        'SOURCE_WRITE_RULE',
        `Write rule 7: a customer with this kennitala exists already (${existing}). ${hint}`,
      );
    }
  }
  const consequence = maskSecrets(
    `${endpoint.name} changes data at the invoicing service: ${endpoint.method} ${endpoint.path}\n${describeParams(params)}`,
  );
  return confirm(io, { consequence, question: 'Send it?', yes: options.yes });
}

function endpointsOf(surface: Surface): Readonly<Record<string, AnyEndpoint>> {
  return surface === 'agent' ? AGENT_ENDPOINTS : CREDENTIAL_ENDPOINTS;
}

function endpointCalled(surface: Surface, name: string): AnyEndpoint {
  const endpoints = endpointsOf(surface);
  const found = Object.hasOwn(endpoints, name) ? endpoints[name] : undefined;
  if (found === undefined) {
    const near = nearest(name, Object.keys(endpoints));
    const hint = near === null ? 'See `ledgerbridge api <tenant> --list`.' : `Did you mean "${near}"?`;
    throw new CodedError(
      'SOURCE_PARAMETERS_INVALID',
      `The ${surface} surface has no endpoint "${name}". ${hint}`,
    );
  }
  if (FOR_AUTH.has(found.name) && surface === 'agent') {
    throw new CodedError(
      'SOURCE_PARAMETERS_INVALID',
      `${name} handles secrets; use \`ledgerbridge auth\` for it.`,
    );
  }
  return found;
}

function parametersOf(endpoint: AnyEndpoint): string {
  return Object.entries(endpoint.params.shape)
    .map(([name, schema]: [string, z.core.$ZodType]) =>
      z.safeParse(schema, undefined).success ? `[${name}]` : name,
    )
    .join(' ');
}

async function readParams(io: CliIo, written: readonly string[]): Promise<Readonly<Record<string, unknown>>> {
  const params: Record<string, unknown> = {};
  for (const pair of written) {
    const split = pair.indexOf('=');
    const name = pair.slice(0, split);
    if (split < 1) throw usage(`--param wants name=value, not "${pair.slice(0, 40)}".`);
    if (Object.hasOwn(params, name)) throw usage(`--param ${name} was given twice.`);
    params[name] = await readValue(io, name, pair.slice(split + 1));
  }
  return params;
}

async function readValue(io: CliIo, name: string, written: string): Promise<unknown> {
  const path = written.startsWith('@') ? resolve(io.cwd, written.slice(1)) : null;
  if (name === 'file') {
    if (path === null) throw usage('--param file takes a path: file=@receipt.pdf.');
    return { fileName: basename(path), content: await readOrExplain(path) };
  }
  const text = path === null ? written : (await readOrExplain(path)).toString('utf8');
  if (name !== 'data') return text;
  try {
    return parseJson(text);
  } catch {
    throw usage('--param data must be JSON, or @path of a file that holds JSON.');
  }
}

async function readOrExplain(path: string): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (error) {
    throw new CodedError('CLI_USAGE', `${path} cannot be read.`, { cause: error });
  }
}

function usage(message: string): CodedError {
  return new CodedError('CLI_USAGE', message);
}
