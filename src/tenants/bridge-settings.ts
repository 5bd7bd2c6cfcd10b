// The settings of the bridge itself, from the environment. Nobody else reads environment variables: the command line hands
// them in here, and everything behind gets values. docs/reference/settings.md is the same table for people; a test keeps them equal.
import { readFileSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import * as z from 'zod';
import { SECRETS_OF_THE_BRIDGE } from '../domain/secret-reference.js';
import { CodedError } from '../domain/errors/coded-error.js';
import { Secret } from '../domain/secret.js';
import { nearest } from './nearest.js';
import { encryptionKey, httpUrl, isProxy, secretUrl, wholeNumber } from './setting-values.js';
import { ACCESS_VARIABLES, accessProblems } from './access-settings.js';
import type { FactorPolicy } from '../domain/factor-policy.js';
import { TIME_VARIABLES } from './time-settings.js';
import { TRACE_VARIABLES, type TraceSettings, traceSettings } from './trace-settings.js';
import { bucketProblems, originalsPlace, type S3Settings } from './originals-place.js';

export type Environment = Readonly<Record<string, string | undefined>>;

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
/** Of the dashboard and the API. */
export const DEFAULT_PORT = 8420;
/** Name of the variable → what it accepts. The description is the documentation. */
export const BRIDGE_VARIABLES = {
  LEDGERBRIDGE_CONFIG: z
    .string()
    .default('./config')
    .describe('Directory of the configuration; tenant files are in `tenants/` below it. Default `./config`.'),
  LEDGERBRIDGE_DATA: z
    .string()
    .default('./data')
    .describe(
      'Directory of everything the bridge keeps on disk: embedded database, file ledgers. Default `./data`.',
    ),
  LEDGERBRIDGE_ORIGINALS: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Where the originals (PDFs, receipts, e-invoices) are: a directory that every process reaches, or `s3://bucket/prefix`. Default `originals` below `LEDGERBRIDGE_DATA`.',
    ),
  LEDGERBRIDGE_S3_ENDPOINT: httpUrl
    .optional()
    .describe(
      'Address of the S3-compatible service, for originals in a bucket; buckets are the first part of the path. Default AWS in `LEDGERBRIDGE_S3_REGION`.',
    ),
  LEDGERBRIDGE_S3_REGION: z
    .string()
    .regex(/^[a-z0-9-]{2,40}$/, 'must be a region like eu-north-1')
    .default('us-east-1')
    .describe('Region that requests to the bucket are signed for. Default `us-east-1`.'),
  LEDGERBRIDGE_S3_KEY_ID: z.string().min(1).max(200).optional().describe('Access key id of the bucket.'),
  LEDGERBRIDGE_S3_SECRET: z
    .string()
    .min(1)
    .transform((text) => new Secret(text))
    .optional()
    .describe('Secret access key of the bucket; best as `file:path`.'),
  DATABASE_URL: secretUrl(['postgres:', 'postgresql:'])
    .optional()
    .describe('PostgreSQL ≥ 14. Without it an embedded PostgreSQL runs under the data directory.'),
  DATABASE_OWNER_URL: secretUrl(['postgres:', 'postgresql:'])
    .optional()
    .describe(
      'The same database, signed in to as the role that owns its tables. For `ledgerbridge db migrate`, which then lets the role in `DATABASE_URL` do its work and no more, and for commands that move or remove records; best not set where `serve` runs.',
    ),
  REDIS_URL: secretUrl(['redis:', 'rediss:', 'redis+sentinel:', 'redis+cluster:'])
    .optional()
    .describe('Redis for the queues. Without it they live in PostgreSQL.'),
  LEDGERBRIDGE_KEY: encryptionKey
    .optional()
    .describe(
      'Key that encrypts OAuth grants at rest: 32 bytes in base64. Needed as soon as a tenant uses OAuth.',
    ),
  LEDGERBRIDGE_KEY_PREVIOUS: encryptionKey
    .optional()
    .describe('The key before, while grants are moved to the new one.'),
  LEDGERBRIDGE_SIGNING_KEY: z
    .string()
    .refine((text) => text.includes('PRIVATE KEY'), {
      error: 'must be an Ed25519 private key in PEM; make one with: openssl genpkey -algorithm ed25519',
    })
    .transform((text) => new Secret(text))
    .optional()
    .describe(
      'Ed25519 private key in PEM that signs certificates of periods; best as `file:path`. Without it they are not signed, and say so.',
    ),
  LEDGERBRIDGE_AUDIT_ANCHOR: z
    .string()
    .min(1)
    .optional()
    .describe(
      'File outside of the database to which the heads of the audit are appended once a day; best one that the bridge can append to and nobody who can change the database can change. Default none.',
    ),
  LEDGERBRIDGE_HOST: z
    .string()
    .min(1)
    .default('127.0.0.1')
    .describe('Address the dashboard and the API listen on. Default `127.0.0.1`.'),
  LEDGERBRIDGE_PORT: wholeNumber(0, 65_535)
    .optional()
    .describe(
      'Port the dashboard and the API listen on; 0 takes any free one. Default `8420`. Where it is set, workers and schedulers serve `/health`, `/ready` and `/metrics` on it; without it they serve nothing.',
    ),
  LEDGERBRIDGE_PUBLIC_URL: httpUrl
    .optional()
    .describe('Address people reach the dashboard under, when a proxy stands before it.'),
  LEDGERBRIDGE_TRUSTED_PROXIES: z
    .string()
    .transform((text) => text.split(',').map((one) => one.trim()))
    .refine((proxies) => proxies.every(isProxy), {
      error:
        'must be addresses or networks like 10.0.0.5, 10.0.0.0/8, or loopback, linklocal, uniquelocal; joined by commas',
    })
    .prefault('')
    .describe(
      'Proxies whose `X-Forwarded-For` is believed: addresses, networks (`10.0.0.0/8`) or `loopback`, `linklocal`, `uniquelocal`, joined by commas. Without it nobody’s: everybody behind a proxy then counts as one address at the door.',
    ),
  LEDGERBRIDGE_TENANT_FILES: z
    .enum(['read-only', 'editable'])
    .default('read-only')
    .describe(
      'Whether admins may add what is missing to tenant files from the inbox of the dashboard: `editable`, or `read-only`. Default `read-only`.',
    ),
  LEDGERBRIDGE_PLUGINS: z
    .string()
    .max(10_000)
    .prefault('')
    .describe(
      'ERP adapters from outside that tenant files may name, joined by commas: names of packages, or absolute paths of files. They run with everything the bridge may do. Default none.',
    ),
  LEDGERBRIDGE_PRIVATE_ADDRESSES: z
    .enum(['allow', 'refuse'])
    .default('allow')
    .describe(
      'Whether the bridge talks to private addresses (10.0.0.0/8, 192.168.0.0/16, its own machine and the like): `refuse` where somebody else writes tenant files and every ERP is on the internet. Link-local addresses are always refused. Default `allow`.',
    ),
  LEDGERBRIDGE_METRICS: z
    .enum(['token', 'open'])
    .default('token')
    .describe(
      'Who may read `/metrics`: `token` wants a token as everywhere, `open` lets in whoever reaches the port. Default `token`.',
    ),
  LEDGERBRIDGE_LOG_LEVEL: z
    .enum(LOG_LEVELS)
    .default('info')
    .describe(`How much is logged: ${LOG_LEVELS.join(', ')}. Default \`info\`.`),
  LEDGERBRIDGE_LOG_FORMAT: z
    .enum(['auto', 'json', 'pretty'])
    .default('auto')
    .describe('`json`, `pretty`, or `auto`: pretty on a terminal, JSON otherwise. Default `auto`.'),
  LEDGERBRIDGE_CONCURRENCY: wholeNumber(1, 256)
    .prefault('8')
    .describe('Documents that one worker process works on at once. Default `8`.'),
  LEDGERBRIDGE_SHUTDOWN_SECONDS: wholeNumber(1, 600)
    .prefault('20')
    .describe('Time that work in flight gets to finish after SIGTERM. Default `20`.'),
  ...ACCESS_VARIABLES,
  ...TIME_VARIABLES,
  ...TRACE_VARIABLES,
} as const;

export interface BridgeSettings {
  /** Absolute. */
  readonly configDirectory: string;
  /** Absolute; `tenants` below the configuration directory. */
  readonly tenantsDirectory: string;
  /** Absolute. */
  readonly dataDirectory: string;
  /** Absolute; unused where they are in a bucket. */
  readonly originalsDirectory: string;
  readonly originalsS3: S3Settings | null;
  readonly databaseUrl: Secret | null;
  /** Of the role that owns the tables, where it is another. */
  readonly databaseOwnerUrl: Secret | null;
  readonly redisUrl: Secret | null;
  readonly key: Secret | null;
  readonly previousKey: Secret | null;
  /** Signs certificates. */
  readonly signingKey: Secret | null;
  /** Absolute; null: nowhere. */
  readonly auditAnchor: string | null;
  /** null: nothing removes network addresses by itself. */
  readonly addressDays: number | null;
  readonly host: string;
  /** Null when nobody chose one. */
  readonly port: number | null;
  readonly publicUrl: string | null;
  /** Whose word on where a request comes from is taken. */
  readonly trustedProxies: readonly string[];
  readonly tenantFiles: 'read-only' | 'editable';
  readonly privateAddresses: 'allow' | 'refuse';
  readonly metrics: 'token' | 'open';
  readonly secondFactor: FactorPolicy;
  readonly auditReads: 'on' | 'off';
  readonly logLevel: (typeof LOG_LEVELS)[number];
  readonly logFormat: 'auto' | 'json' | 'pretty';
  readonly concurrency: number;
  readonly shutdownMs: number;
  readonly timeZone: string;
  /** null: no traces. */
  readonly traces: TraceSettings | null;
}

const variables = z.object(BRIDGE_VARIABLES);

export function readBridgeSettings(env: Environment, cwd: string): BridgeSettings {
  // An empty variable is what a shell or a compose file leaves behind when nothing was meant.
  const given = Object.fromEntries(
    Object.entries(env).filter(
      ([name, value]) => name in BRIDGE_VARIABLES && value !== '' && value !== undefined,
    ),
  );
  const fromFiles = readSecretFiles(env, cwd);
  const judged = variables.safeParse({ ...given, ...fromFiles.values });
  const problems = [
    ...misspelt(env),
    ...fromFiles.problems,
    ...bucketProblems(given),
    ...accessProblems({ ...given, ...fromFiles.values }),
    ...(judged.success
      ? []
      : judged.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`)),
  ];
  if (!judged.success || problems.length > 0) {
    throw new CodedError('SETTINGS_INVALID', `The settings cannot be used:\n  ${problems.join('\n  ')}`, {
      details: { problems },
    });
  }
  const found = judged.data;
  const absolute = (path: string) => (isAbsolute(path) ? path : resolve(cwd, path));
  return {
    configDirectory: absolute(found.LEDGERBRIDGE_CONFIG),
    tenantsDirectory: resolve(absolute(found.LEDGERBRIDGE_CONFIG), 'tenants'),
    dataDirectory: absolute(found.LEDGERBRIDGE_DATA),
    ...originalsPlace(found, absolute),
    timeZone: found.LEDGERBRIDGE_TIME_ZONE,
    databaseUrl: found.DATABASE_URL ?? null,
    databaseOwnerUrl: found.DATABASE_OWNER_URL ?? null,
    redisUrl: found.REDIS_URL ?? null,
    key: found.LEDGERBRIDGE_KEY ?? null,
    previousKey: found.LEDGERBRIDGE_KEY_PREVIOUS ?? null,
    signingKey: found.LEDGERBRIDGE_SIGNING_KEY ?? null,
    auditAnchor:
      found.LEDGERBRIDGE_AUDIT_ANCHOR === undefined ? null : absolute(found.LEDGERBRIDGE_AUDIT_ANCHOR),
    host: found.LEDGERBRIDGE_HOST,
    port: found.LEDGERBRIDGE_PORT ?? null,
    publicUrl: found.LEDGERBRIDGE_PUBLIC_URL ?? null,
    trustedProxies: found.LEDGERBRIDGE_TRUSTED_PROXIES.filter((proxy) => proxy !== ''),
    tenantFiles: found.LEDGERBRIDGE_TENANT_FILES,
    privateAddresses: found.LEDGERBRIDGE_PRIVATE_ADDRESSES,
    metrics: found.LEDGERBRIDGE_METRICS,
    secondFactor: found.LEDGERBRIDGE_SECOND_FACTOR,
    auditReads: found.LEDGERBRIDGE_AUDIT_READS,
    addressDays: found.LEDGERBRIDGE_ADDRESS_DAYS ?? null,
    logLevel: found.LEDGERBRIDGE_LOG_LEVEL,
    logFormat: found.LEDGERBRIDGE_LOG_FORMAT,
    concurrency: found.LEDGERBRIDGE_CONCURRENCY,
    shutdownMs: found.LEDGERBRIDGE_SHUTDOWN_SECONDS * 1000,
    traces: traceSettings(found),
  };
}

function readSecretFiles(env: Environment, cwd: string) {
  const values: Record<string, string> = {};
  const problems: string[] = [];
  // Each may be given as `file:path` instead, like the secrets of tenants.
  for (const name of SECRETS_OF_THE_BRIDGE) {
    const given = env[name] ?? '';
    if (!given.startsWith('file:')) continue;
    const path = given.slice('file:'.length);
    try {
      values[name] = readFileSync(resolve(cwd, path), 'utf8').trim();
    } catch (error) {
      const reason = error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason';
      problems.push(`${name}: the file ${path} cannot be read (${reason})`);
    }
  }
  return { values, problems };
}

/** A misspelt setting would silently be the default. Variables of tenants' secrets may have any other name. */
function misspelt(env: Environment): readonly string[] {
  const known = Object.keys(BRIDGE_VARIABLES);
  return Object.keys(env)
    .filter((name) => name.startsWith('LEDGERBRIDGE_') && !known.includes(name))
    .flatMap((name) => {
      const near = nearest(name, known);
      return near === null ? [] : [`${name}: no such setting; did you mean ${near}?`];
    });
}
