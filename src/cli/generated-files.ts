// Files that are written from code so that they cannot say anything else: `npm run generate` writes them, and tests fail
// when one in the repository differs.
import { Readable } from 'node:stream';
import { Registry } from 'prom-client';
import * as z from 'zod';
import type { Route } from '../api/route.js';
import { ROUTES } from '../api/routes.js';
import { allErpAdapters } from '../erp/registry.js';
import { ERROR_REGISTRY } from '../domain/errors/registry.js';
import { createCounters } from '../telemetry/metrics/counters.js';
import { createGauges } from '../telemetry/metrics/gauges.js';
import { BRIDGE_VARIABLES } from '../tenants/bridge-settings.js';
import { SECRETS_OF_THE_BRIDGE } from '../domain/secret-reference.js';
import { cliPage } from './cli-page.js';
import type { CliIo } from './command.js';
import { wholeProgram } from './program.js';
import { tenantRules } from '../pipeline/mapping/rules.js';
import type { ErpSchema } from '../tenants/check-erp.js';
import { isObject } from '../tenants/schema-walk.js';
import { tenantFile } from '../tenants/tenant-schema.js';

/** Commands are only described here, never run. */
const NOBODY: CliIo = {
  stdin: Readable.from([]),
  out: () => undefined,
  err: () => undefined,
  env: {},
  cwd: '/',
  isTty: false,
  signal: new AbortController().signal,
  setExitCode: () => undefined,
};

export interface GeneratedFile {
  /** From the root of the repository. */
  readonly path: string;
  readonly text: () => string | Promise<string>;
}

export const GENERATED_FILES: readonly GeneratedFile[] = [
  { path: 'docs/reference/cli.md', text: async () => cliPage(await wholeProgram(NOBODY)) },
  { path: 'docs/reference/errors.md', text: errorsPage },
  { path: 'docs/reference/settings.md', text: settingsPage },
  { path: 'docs/reference/metrics.md', text: metricsPage },
  { path: 'docs/reference/api-routes.md', text: routesPage },
  { path: 'config/tenant.schema.json', text: tenantSchema },
];

const DISPOSITIONS_PAGE = `| Disposition | What the bridge does by itself |
|---|---|
| retry | tries again later; definitely nothing happened |
| rate-limited | waits as long as the answer says, then tries again |
| look-up | finds out what happened before it does anything else |
| pause-tenant | pauses that tenant and reports it; the others go on |
| stop | nothing: a person has to act |`;

function errorsPage(): string {
  const rows = Object.entries(ERROR_REGISTRY)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(
      ([code, { disposition, meaning, remedy }]) =>
        `| \`${code}\` | ${disposition} | ${cell(meaning)} | ${cell(remedy)} |`,
    );
  return `# Errors

Every error of the bridge has a code. Codes are stable: logs, the API and the command line show them, and this page says
what each means and what to do. The page is written by \`npm run generate\` from the tables in \`src/domain/errors/\`.

${DISPOSITIONS_PAGE}

| Code | Disposition | What it means | What to do |
|---|---|---|---|
${rows.join('\n')}
`;
}

async function tenantSchema(): Promise<string> {
  return `${JSON.stringify(tenantJsonSchema(await allErpAdapters()), null, 2)}\n`;
}

function settingsPage(): string {
  const rows = Object.entries(BRIDGE_VARIABLES).map(
    ([name, { description }]) => `| \`${name}\` | ${cell(description ?? '')} |`,
  );
  return `# Settings of the bridge

The bridge runs with nothing configured. What differs is set by environment variables; an empty one counts as not set, and
a misspelt \`LEDGERBRIDGE_…\` is refused. Everything about a company is in its [tenant file](tenants.md) instead. The page is
written by \`npm run generate\`.

| Variable | Meaning |
|---|---|
${rows.join('\n')}

${SECRETS_OF_THE_BRIDGE.map((name) => `\`${name}\``).join(', ')} may each be given as \`file:path\` instead: the file holds the
value, as Docker, Kubernetes and systemd hand secrets over.
`;
}

/** Of the whole bridge, and of the process that answers. */
function metricsPage(): string {
  const [whole, process] = [new Registry(), new Registry()];
  createGauges(whole);
  createCounters(process);
  const rows = (registry: Registry) =>
    registry.getMetricsAsArray().map((metric) => {
      const labels = 'labelNames' in metric && Array.isArray(metric.labelNames) ? metric.labelNames : [];
      return `| \`${metric.name}\` | ${labels.map((label) => `\`${String(label)}\``).join(', ')} | ${cell(metric.help)} |`;
    });
  const table = (registry: Registry) =>
    `| Metric | Labels | Meaning |\n|---|---|---|\n${rows(registry).join('\n')}`;
  return `# Metrics

\`/metrics\` is in the format of Prometheus. It wants a token; \`LEDGERBRIDGE_METRICS=open\` opens it. The roles \`all\` and \`dashboard\`
serve it beside the dashboard; workers and schedulers serve it where \`LEDGERBRIDGE_PORT\` is set.
[Monitoring](../how-to/deploy.md#monitoring) says what to watch. The page is written by \`npm run generate\`.

## Of the whole bridge

Read from the database at most every 10 s, and the same in every process: take \`max\`, not \`sum\`.

${table(whole)}

## Of one process

${table(process)}
| \`ledgerbridge_info\` | \`version\`, \`role\` | Always 1: the version and the role of this process. |
| \`process_*\`, \`nodejs_*\` | | Memory, processor time, event loop and garbage collection of the process. |
`;
}

/** One row for each subject; what a route takes and answers is in the OpenAPI document. */
function routesPage(): string {
  const subjects = [...new Set(ROUTES.map(({ tag }) => tag))];
  const shown = ({ method, path, summary, role }: Route) =>
    `\`${method.toUpperCase()} ${path}\` ${cell(summary)} (${role})`;
  const rows = subjects.map((subject) => {
    const routes = ROUTES.filter(({ tag }) => tag === subject);
    return `| ${cell(subject)} | ${routes.map(shown).join('<br>')} |`;
  });
  return `# Routes of the operator API

Below \`/api/v1\`, each with the role that it needs at least. [The operator API](api.md) explains tokens, acts and errors; \`/api/v1/openapi.json\` has every
parameter and answer. The page is written by \`npm run generate\`.

| Subject | Routes |
|---|---|
${rows.join('\n')}
`;
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll(/\s+/g, ' ');
}

// The JSON Schema that editors check tenant files with, from the same zod schemas that the bridge judges them by.
// It knows every adapter's settings and every rule; what only code can judge (cron fields, time zones) it leaves open.

type JsonSchema = Record<string, unknown>;

export function tenantJsonSchema(adapters: readonly ErpSchema[]): JsonSchema {
  const { properties, ...file } = toJsonSchema(tenantFile);
  const parts = isObject(properties) ? properties : {};
  return {
    ...file,
    title: 'ledgerbridge tenant',
    properties: { ...parts, erp: erpSchema(parts['erp'], adapters), rules: rulesSchema(parts['rules']) },
  };
}

/** An adapter in a package of its own, or at a path. */
const PACKAGE = { type: 'string', pattern: '^(@[^/]+/|ledgerbridge-|\\.{1,2}/)' };

function erpSchema(erp: unknown, adapters: readonly ErpSchema[]): JsonSchema {
  const description = isObject(erp) ? erp['description'] : undefined;
  return {
    description,
    type: 'object',
    required: ['adapter'],
    properties: { adapter: { anyOf: [{ enum: adapters.map(({ name }) => name) }, PACKAGE] }, settings: {} },
    additionalProperties: false,
    allOf: adapters.map(({ name, configuration }) => ({
      if: { properties: { adapter: { const: name } } },
      then: { properties: { settings: withoutDialect(toJsonSchema(configuration)) } },
    })),
  };
}

/** A tenant says only what differs from the rules it extends: nothing in them is required of its file. */
function rulesSchema(rules: unknown): JsonSchema {
  const own = isObject(rules) ? rules : {};
  const extended = isObject(own['properties']) ? own['properties'] : {};
  const whole = withoutRequired(withoutDialect(toJsonSchema(tenantRules))) as JsonSchema;
  const known = isObject(whole['properties']) ? whole['properties'] : {};
  return { ...whole, description: own['description'], properties: { ...extended, ...known } };
}

function toJsonSchema(schema: z.ZodType): JsonSchema {
  return { ...z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) };
}

function withoutDialect({ $schema: _dialect, ...schema }: JsonSchema): JsonSchema {
  return schema;
}

function withoutRequired(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutRequired);
  if (!isObject(value)) return value;
  const kept = Object.entries(value).filter(([key, inner]) => key !== 'required' || !Array.isArray(inner));
  return Object.fromEntries(kept.map(([key, inner]) => [key, withoutRequired(inner)]));
}
