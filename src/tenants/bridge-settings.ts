// The settings of the bridge itself, from the environment. Nobody else reads environment variables: the command line hands
// them in here, and everything behind gets values. docs/reference/settings.md is the same table for people; a test keeps them equal.
import { readFileSync } from 'node:fs';
import { isAbsolute, resolve, join } from 'node:path';
import { isIP } from 'node:net';
import * as z from 'zod';
import { SECRETS_OF_THE_BRIDGE } from '../domain/secret-reference.js';
import { CodedError } from '../domain/errors/coded-error.js';
import { Secret } from '../domain/secret.js';
import { nearest } from './nearest.js';
import { type FactorPolicy, FACTOR_POLICIES } from '../domain/factor-policy.js';
import { trimEndOf, trimStartOf } from '../domain/text.js';
import { DEFAULT_TIME_ZONE } from '../domain/local-time.js';
import { checkTimeZone } from './check-time-zone.js';

// What a setting of the bridge may look like: addresses, keys, numbers, proxies.

const KEY_BYTES = 32;

export const secretUrl = (protocols: readonly string[]) =>
  z
    .string()
    .refine((url) => URL.canParse(url) && protocols.includes(new URL(url).protocol), {
      error: `must be an address that begins with ${protocols.map((name) => `${name}//`).join(' or ')}`,
    })
    .transform((url) => new Secret(url));

export const encryptionKey = z
  .string()
  .refine((text) => Buffer.from(text, 'base64').length === KEY_BYTES, {
    error: 'must be 32 bytes in base64; make one with: openssl rand -base64 32',
  })
  .transform((text) => new Secret(text));

export const httpUrl = z
  .string()
  .refine((url) => URL.canParse(url) && /^https?:$/.test(new URL(url).protocol), {
    error: 'must be an http or https address',
  })
  .transform((url) => trimEndOf(url, '/'));

export const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, 'must be a whole number')
    .transform(Number)
    .refine((value) => value >= min && value <= max, {
      error: `must be between ${String(min)} and ${String(max)}`,
    });

/** What @fastify/proxy-addr takes; anything else would be found out only when somebody comes. */
export function isProxy(text: string): boolean {
  if (['', 'loopback', 'linklocal', 'uniquelocal'].includes(text)) return true;
  const [address = '', bits, more] = text.split('/');
  const version = isIP(address);
  const bitsMax = version === 6 ? 128 : 32;
  const bitsFit =
    bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) >= 1 && Number(bits) <= bitsMax);
  return version !== 0 && bitsFit && more === undefined;
}

// Who has to prove more than a password.

export const ACCESS_VARIABLES = {
  LEDGERBRIDGE_SECOND_FACTOR: z
    .enum(FACTOR_POLICIES)
    .default('none')
    .describe(
      'Whose accounts of the dashboard need a second factor: `admin`; `operator`: admins too; `everybody`; or `none`. Whoever has none yet can only turn it on. Needs `LEDGERBRIDGE_KEY`. Default `none`.',
    ),
  LEDGERBRIDGE_AUDIT_READS: z
    .enum(['on', 'off'])
    .default('off')
    .describe(
      'Whether the audit tells who looked at which document, in the dashboard and over the API: one entry a person, document and hour. Default `off`.',
    ),
  LEDGERBRIDGE_ADDRESS_DAYS: wholeNumber(1, 3_650)
    .optional()
    .describe(
      'Days after which the scheduler removes network addresses of sign-ins, sessions that are over and counts of tries. Without it only `ledgerbridge privacy prune` does, after 90.',
    ),
} as const;

/** Nobody could turn one on. */
export function accessProblems(given: Readonly<Record<string, unknown>>): readonly string[] {
  const { LEDGERBRIDGE_SECOND_FACTOR: policy = 'none', LEDGERBRIDGE_KEY: key } = given;
  if (policy === 'none' || (key !== undefined && key !== '')) return [];
  return ['LEDGERBRIDGE_SECOND_FACTOR: second factors are sealed with LEDGERBRIDGE_KEY; set it too'];
}

// In which time zone people are shown moments.

export const TIME_VARIABLES = {
  LEDGERBRIDGE_TIME_ZONE: z
    .string()
    .superRefine(checkTimeZone)
    .default(DEFAULT_TIME_ZONE)
    .describe(
      `IANA time zone in which the dashboard, messages and commands show moments, each with its name; JSON and the API stay in UTC. Default \`${DEFAULT_TIME_ZONE}\`.`,
    ),
};

// The usual environment variables of OpenTelemetry, as far as the bridge decides by them: whether there are traces at all, where
// they go and how many. What else there is, the exporter reads itself.

export interface TraceSettings {
  /** Of OTLP over HTTP, with its path. */
  readonly url: string;
  readonly serviceName: string;
  readonly sampler: {
    readonly name: 'always_on' | 'always_off' | 'traceidratio';
    /** Of all traces, from 0 to 1. */
    readonly ratio: number;
  };
}

const endpoint = z.string().refine((url) => URL.canParse(url) && /^https?:$/.test(new URL(url).protocol), {
  error: 'must be an http or https address',
});
const SAMPLERS = [
  ...(['always_on', 'always_off', 'traceidratio'] as const),
  ...(['parentbased_always_on', 'parentbased_always_off', 'parentbased_traceidratio'] as const),
] as const;

export const TRACE_VARIABLES = {
  OTEL_EXPORTER_OTLP_ENDPOINT: endpoint
    .optional()
    .describe('Where traces go, by OTLP over HTTP; `/v1/traces` is added. Without it there are none.'),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: endpoint.optional().describe('The same, taken as it is.'),
  OTEL_SERVICE_NAME: z
    .string()
    .min(1)
    .default('ledgerbridge')
    .describe('How the bridge is called in traces. Default `ledgerbridge`.'),
  OTEL_TRACES_SAMPLER: z
    .enum(SAMPLERS)
    .default('parentbased_always_on')
    .describe(`Which traces are kept: ${SAMPLERS.join(', ')}. Default \`parentbased_always_on\`: all.`),
  OTEL_TRACES_SAMPLER_ARG: z
    .string()
    .regex(/^(0(\.\d+)?|1(\.0+)?)$/, 'must be a number from 0 to 1')
    .transform(Number)
    .prefault('1')
    .describe('With a sampler of a ratio: how many, from 0 to 1. Default `1`.'),
  OTEL_SDK_DISABLED: z
    .enum(['true', 'false'])
    .default('false')
    .describe('`true`: no traces, whatever else is set. Default `false`.'),
} as const;

const traceVariables = z.object(TRACE_VARIABLES);

/** null: nobody asked for traces. */
export function traceSettings(found: z.output<typeof traceVariables>): TraceSettings | null {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: base, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: exact } = found;
  const url = exact ?? (base === undefined ? undefined : `${trimEndOf(base, '/')}/v1/traces`);
  if (url === undefined || found.OTEL_SDK_DISABLED === 'true') return null;
  // No trace comes in from outside, so there is no parent to go by.
  const name = found.OTEL_TRACES_SAMPLER.replace('parentbased_', '') as TraceSettings['sampler']['name'];
  const ratio = found.OTEL_TRACES_SAMPLER_ARG;
  return { url, serviceName: found.OTEL_SERVICE_NAME, sampler: { name, ratio } };
}

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

// Where originals are kept, from the settings: a directory, or a bucket of an S3-compatible service.

export interface S3Settings {
  readonly endpoint: string;
  readonly region: string;
  readonly bucket: string;
  /** Without slashes at its ends; may be empty. */
  readonly prefix: string;
  readonly keyId: string;
  readonly secret: Secret;
}

interface Given {
  readonly LEDGERBRIDGE_DATA: string;
  readonly LEDGERBRIDGE_ORIGINALS?: string | undefined;
  readonly LEDGERBRIDGE_S3_ENDPOINT?: string | undefined;
  readonly LEDGERBRIDGE_S3_REGION: string;
  readonly LEDGERBRIDGE_S3_KEY_ID?: string | undefined;
  readonly LEDGERBRIDGE_S3_SECRET?: Secret | undefined;
}

const BUCKET = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/(.*))?$/;

export function originalsPlace(found: Given, absolute: (path: string) => string) {
  const given = found.LEDGERBRIDGE_ORIGINALS ?? join(found.LEDGERBRIDGE_DATA, 'originals');
  const place = BUCKET.exec(given);
  if (!place) return { originalsDirectory: absolute(given), originalsS3: null };
  const region = found.LEDGERBRIDGE_S3_REGION;
  return {
    originalsDirectory: absolute(join(found.LEDGERBRIDGE_DATA, 'originals')),
    originalsS3: {
      endpoint: found.LEDGERBRIDGE_S3_ENDPOINT ?? `https://s3.${region}.amazonaws.com`,
      ...{ region, bucket: place[1] ?? '', prefix: trimStartOf(trimEndOf(place[2] ?? '', '/'), '/') },
      keyId: found.LEDGERBRIDGE_S3_KEY_ID ?? '',
      secret: found.LEDGERBRIDGE_S3_SECRET ?? new Secret(''),
    },
  };
}

/** A bucket without its keys would be found out when the first original comes. */
export function bucketProblems(given: Readonly<Record<string, string | undefined>>): readonly string[] {
  const place = given['LEDGERBRIDGE_ORIGINALS'] ?? '';
  if (!place.startsWith('s3:')) return [];
  const missing = ['LEDGERBRIDGE_S3_KEY_ID', 'LEDGERBRIDGE_S3_SECRET'].filter((name) => !given[name]);
  return [
    ...(BUCKET.test(place) ? [] : ['LEDGERBRIDGE_ORIGINALS: must be a directory or s3://bucket/prefix']),
    ...missing.map((name) => `${name}: needed, since LEDGERBRIDGE_ORIGINALS is a bucket`),
  ];
}
