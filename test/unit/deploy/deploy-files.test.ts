// No container engine runs here: what the pages promise of these files is read out of the files.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments, stringify } from 'yaml';
import { BRIDGE_VARIABLES } from '../../../src/tenants/bridge-settings.js';
import { SECRETS_OF_THE_BRIDGE } from '../../../src/domain/secret-reference.js';
import { has } from '../../support/services.js';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const read = (path: string) => readFileSync(resolve(ROOT, path), 'utf8');

interface Service {
  readonly image?: string;
  readonly environment?: Record<string, string>;
  readonly secrets?: readonly string[];
  readonly ports?: readonly string[];
  readonly command?: readonly string[];
  readonly stop_grace_period?: string;
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly depends_on?: Record<string, { readonly condition: string }>;
  readonly volumes?: readonly string[];
  readonly networks?: readonly string[];
}
interface Compose {
  readonly services: Record<'migrate' | 'bridge' | 'worker' | 'postgres' | 'redis', Service>;
  readonly secrets: Record<string, { readonly file: string }>;
  readonly volumes: Record<string, unknown>;
  readonly networks: Record<string, unknown>;
}

const compose = parse(read('docker-compose.yml'), { merge: true }) as Compose;
const { migrate, bridge, worker, postgres, redis } = compose.services;
const dockerfile = read('Dockerfile');
const unit = read('deploy/ledgerbridge.service');

describe('docker-compose.yml', () => {
  it('keeps queues on a Redis that neither drops nor forgets jobs', () => {
    const command = redis.command?.join(' ') ?? '';
    expect(command).toContain('--maxmemory-policy noeviction');
    expect(command).toContain('--appendonly yes');
    expect(redis.volumes).toEqual(['redis-data:/data']);
  });

  it('starts the bridge when its services are healthy, and gives it time to finish', () => {
    for (const service of [postgres, redis]) expect(service.healthcheck?.test[0]).toBe('CMD');
    expect(bridge.depends_on).toEqual({
      migrate: { condition: 'service_completed_successfully' },
      postgres: { condition: 'service_healthy' },
      redis: { condition: 'service_healthy' },
    });
    const grace = Number.parseInt(bridge.stop_grace_period ?? '0', 10);
    expect(grace).toBeGreaterThan(Number(bridge.environment?.['LEDGERBRIDGE_SHUTDOWN_SECONDS']));
    expect(worker.command).toEqual(['serve', '--role', 'worker']);
    expect(worker.environment).toEqual(bridge.environment);
  });

  it('holds no secret: each is a file that only its service sees', () => {
    const text = read('docker-compose.yml');
    expect(text).not.toMatch(/:\/\/[^\s/]*:[^\s/]*@/);
    for (const { file } of Object.values(compose.secrets)) expect(file).toMatch(/^\.\/secrets\//);
    for (const service of Object.values(compose.services))
      for (const name of service.secrets ?? []) expect(Object.keys(compose.secrets)).toContain(name);
    expect(postgres.secrets).toEqual(['postgres_password', 'owner_password', 'bridge_password']);
    expect(redis.secrets).toEqual(['redis_config']);
    for (const name of SECRETS_OF_THE_BRIDGE) {
      const given = bridge.environment?.[name];
      if (given !== undefined) expect(given).toMatch(/^file:\/run\/secrets\//);
    }
  });

  it('sets only what the bridge knows, and opens no port to the world', () => {
    const known = Object.keys(BRIDGE_VARIABLES);
    expect(Object.keys(bridge.environment ?? {}).filter((name) => !known.includes(name))).toEqual([]);
    expect(bridge.ports).toEqual(['127.0.0.1:8420:8420']);
    for (const service of [migrate, worker, postgres, redis]) expect(service.ports ?? []).toEqual([]);
    expect(bridge).toMatchObject({ read_only: true, cap_drop: ['ALL'] });
  });

  it('lets nobody but the bridge reach PostgreSQL and Redis, which reach nothing', () => {
    expect(compose.networks['services']).toEqual({ internal: true });
    for (const service of [migrate, postgres, redis]) expect(service.networks).toEqual(['services']);
    for (const service of [bridge, worker]) expect(service.networks).toEqual(['default', 'services']);
    expect(redis.command?.[1]).toBe('/run/secrets/redis_config');
  });

  it('lets only what migrates sign in as the owner of the tables', () => {
    expect(migrate.command).toEqual(['db', 'migrate']);
    expect(migrate.environment).toEqual({
      ...bridge.environment,
      DATABASE_OWNER_URL: 'file:/run/secrets/database_owner_url',
    });
    for (const { environment, secrets } of [bridge, worker]) {
      expect(Object.keys(environment ?? {})).not.toContain('DATABASE_OWNER_URL');
      expect(secrets).not.toContain('database_owner_url');
    }
  });

  it('gives the bridge a role that is no superuser and owns nothing, with what docs/how-to/deploy.md makes', () => {
    expect(postgres.environment).toEqual({ POSTGRES_PASSWORD_FILE: '/run/secrets/postgres_password' });
    expect(postgres.volumes).toContain('./deploy/postgres:/docker-entrypoint-initdb.d:ro');
    const made = read('deploy/postgres/bridge-database.sh');
    expect(made).toMatch(/CREATE ROLE ledgerbridge LOGIN .* NOSUPERUSER/);
    expect(made).toMatch(/CREATE ROLE ledgerbridge_runtime LOGIN .* NOSUPERUSER/);
    expect(made).toContain('OWNER ledgerbridge ');
    for (const name of Object.keys(compose.secrets)) expect(read('docs/how-to/deploy.md')).toContain(name);
  });

  it('names volumes that are declared', () => {
    const named = Object.values(compose.services)
      .flatMap(({ volumes }) => volumes ?? [])
      .map((volume) => volume.split(':')[0] ?? '')
      .filter((name) => !name.startsWith('.'));
    expect([...new Set(named)].sort()).toEqual(Object.keys(compose.volumes).sort());
  });
});

describe('Dockerfile', () => {
  const lines = dockerfile.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  const final = lines.slice(lines.findLastIndex((line) => line.startsWith('FROM')));

  it('runs without rights, with tini before it, and brings what the package ships', () => {
    expect(final).toContain('USER node');
    expect(final.find((line) => line.startsWith('ENTRYPOINT'))).toContain('/usr/bin/tini');
    const { files } = JSON.parse(read('package.json')) as { files: string[] };
    // All of it, as `npm run pack` puts it together.
    expect(files).toContain('deploy');
    expect(final.some((line) => line.endsWith(' /ship ./'))).toBe(true);
    expect(dockerfile).toContain('node scripts/pack.mjs');
    expect(final.indexOf('USER node')).toBeGreaterThan(final.findIndex((line) => line.startsWith('RUN')));
  });

  it('sets only what the bridge knows, and its data is a volume that its user owns', () => {
    const set = [...dockerfile.matchAll(/(LEDGERBRIDGE_\w+)=/g)].map(([, name]) => name);
    expect(set.length).toBeGreaterThan(2);
    for (const name of set) expect(Object.keys(BRIDGE_VARIABLES)).toContain(name);
    expect(dockerfile).toContain('VOLUME ["/data"]');
    expect(dockerfile).toContain('install -d -o node -g node -m 0700 /data');
  });

  it('keeps secrets, tenants and data out of the build', () => {
    const ignored = read('.dockerignore').split('\n');
    expect(ignored).toEqual(
      expect.arrayContaining(['secrets', 'data', '.env', 'config/tenants', '.git', 'node_modules']),
    );
    for (const needed of ['src', 'lab', 'bin', 'prisma', 'scripts', 'package-lock.json'])
      expect(ignored).not.toContain(needed);
  });
});

describe('docs/how-to/rotate-secrets.md', () => {
  it('says how each secret of the bridge is changed', () => {
    const page = read('docs/how-to/rotate-secrets.md');
    for (const name of SECRETS_OF_THE_BRIDGE) expect(page, name).toContain(`\`${name}\``);
  });
});

describe('the systemd unit', () => {
  const value = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(unit)?.[1];

  it('is hardened, and lets the bridge stop its own database', () => {
    expect(value('KillMode')).toBe('mixed');
    expect(Number(value('TimeoutStopSec'))).toBeGreaterThan(20);
    for (const name of [
      'NoNewPrivileges',
      'ProtectHome',
      'PrivateTmp',
      'PrivateDevices',
      'RestrictNamespaces',
    ])
      expect(value(name), name).toBe('yes');
    expect(value('LimitCORE')).toBe('0');
    expect(value('ProtectSystem')).toBe('strict');
    expect(value('CapabilityBoundingSet')).toBe('');
    expect(value('User')).toBe('ledgerbridge');
  });

  it('starts what exists, with settings that exist', () => {
    const [, entry = ''] = /\/opt\/ledgerbridge\/(\S+)/.exec(value('ExecStart') ?? '') ?? [];
    expect(existsSync(resolve(ROOT, entry))).toBe(true);
    const set = [...unit.matchAll(/^Environment=(LEDGERBRIDGE_\w+)=/gm)].map(([, name]) => name);
    expect(set.length).toBeGreaterThan(1);
    for (const name of set) expect(Object.keys(BRIDGE_VARIABLES)).toContain(name);
  });
});

describe('docs/reference/metrics.md', () => {
  it('explains every metric of the bridge, and no other', async () => {
    const { Registry } = await import('prom-client');
    const { createCounters } = await import('../../../src/telemetry/metrics/counters.js');
    const { createGauges } = await import('../../../src/telemetry/metrics/gauges.js');
    const registry = new Registry();
    createCounters(registry);
    createGauges(registry);
    const real = registry.getMetricsAsArray().map(({ name }) => name);
    const shown = new Set(
      [...read('docs/reference/metrics.md').matchAll(/\bledgerbridge_\w+/g)].map(([name]) => name),
    );
    expect([...shown].sort()).toEqual([...real, 'ledgerbridge_info'].sort());
  });

  it('ships alerts and a board that name every metric of the bridge but the process itself, and none that is not', async () => {
    const { Registry } = await import('prom-client');
    const { createCounters } = await import('../../../src/telemetry/metrics/counters.js');
    const { createGauges } = await import('../../../src/telemetry/metrics/gauges.js');
    const registry = new Registry();
    createCounters(registry);
    createGauges(registry);
    const real = [...registry.getMetricsAsArray().map(({ name }) => name), 'ledgerbridge_info'];
    const named = (text: string) =>
      [...text.matchAll(/\bledgerbridge_\w+/g)].map(([name]) =>
        name.replace(/(seconds)_(bucket|count)$/, '$1'),
      );
    const board = read('deploy/grafana/ledgerbridge.json');
    const alerts = read('deploy/prometheus/alerts.yaml');
    for (const name of [...named(board), ...named(alerts)]) expect(real).toContain(name);
    expect([...new Set([...named(board), ...named(alerts)])].sort()).toEqual(real.sort());
  });

  it('ships alerts that each say what happened and what to do', () => {
    const { groups } = parse(read('deploy/prometheus/alerts.yaml')) as { groups: { rules: Alert[] }[] };
    const rules = groups[0]?.rules ?? [];
    expect(rules.length).toBeGreaterThan(10);
    for (const { alert, expr, labels, annotations } of rules) {
      expect(expr, alert).toMatch(/\bledgerbridge_\w+/);
      expect(['warning', 'critical'], alert).toContain(labels.severity);
      expect(annotations.summary.length * annotations.description.length, alert).toBeGreaterThan(100);
    }
  });

  it.skipIf(!has('promtool'))('ships alerts that promtool accepts', () => {
    const checked = spawnSync('promtool', ['check', 'rules', resolve(ROOT, 'deploy/prometheus/alerts.yaml')]);
    expect(checked.status, String(checked.stderr)).toBe(0);
  });

  it.skipIf(!has('promtool'))(
    'ships alerts that fire for what waits in the other direction, and end with it',
    () => {
      const rules = resolve(ROOT, 'deploy/prometheus/alerts.yaml');
      const directory = mkdtempSync(join(tmpdir(), 'ledgerbridge-alerts-'));
      const file = join(directory, 'judge.yaml');
      writeFileSync(file, stringify(judged(rules)));
      const judge = spawnSync('promtool', ['test', 'rules', file]);
      rmSync(directory, { recursive: true });
      expect(judge.status, `${String(judge.stdout)}${String(judge.stderr)}`).toBe(0);
    },
  );
});

/** Three records are parked for an hour, five wait for their plan for three; then both are over. */
function judged(rules: string) {
  const series = (name: string, labels: string, values: string) => ({
    series: `ledgerbridge_${name}{${labels}}`,
    values,
  });
  const at = (eval_time: string, alertname: string, fires: object[]) => ({
    ...{ eval_time, alertname, exp_alerts: fires },
  });
  const told = (more: object, summary: string, description: string) => ({
    exp_labels: { severity: 'warning', tenant: 'hraun', ...more },
    exp_annotations: { summary, description },
  });
  const parked = told(
    { state: 'parked' },
    '3 records that hraun sends into the service are parked',
    '`ledgerbridge outgoing list --tenant hraun --state parked` says why and what to do.',
  );
  const waits = told(
    {},
    '5 records of hraun wait until somebody confirms what is sent into the service',
    '`ledgerbridge outgoing plan hraun` shows it, `ledgerbridge outgoing confirm hraun` lets it begin.',
  );
  const [needed, unconfirmed] = ['LedgerbridgeSubmissionsNeedAPerson', 'LedgerbridgeOutgoingUnconfirmed'];
  return {
    ...{ rule_files: [rules], evaluation_interval: '1m' },
    tests: [
      {
        interval: '1m',
        input_series: [
          series('submissions', 'tenant="hraun",state="parked"', '3x60 0x200'),
          series('submissions', 'tenant="hraun",state="received"', '5x260'),
          series('submissions_unconfirmed', 'tenant="hraun"', '5x180 0x80'),
        ],
        alert_rule_test: [
          ...[at('20m', needed!, []), at('40m', needed!, [parked]), at('70m', needed!, [])],
          ...[at('1h', unconfirmed!, []), at('150m', unconfirmed!, [waits]), at('200m', unconfirmed!, [])],
        ],
      },
    ],
  };
}

interface Alert {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly description: string };
}

describe('the Kubernetes manifests', () => {
  interface Manifest {
    readonly kind: string;
    readonly metadata: { readonly name: string };
    readonly spec: {
      readonly selector?: { readonly matchLabels?: Record<string, string> };
      readonly template?: {
        metadata: { labels: Record<string, string> };
        spec: { containers: Container[]; initContainers: Container[] };
      };
    };
  }
  interface Container {
    readonly args: readonly string[];
    readonly envFrom: readonly { readonly secretRef: { readonly name: string } }[];
    readonly livenessProbe: { readonly httpGet: { readonly path: string } };
    readonly readinessProbe: { readonly httpGet: { readonly path: string } };
    readonly securityContext: Record<string, unknown>;
  }
  const all = parseAllDocuments(read('deploy/kubernetes/ledgerbridge.yaml')).map(
    (one) => one.toJS() as Manifest,
  );
  const deployments = all.filter(({ kind }) => kind === 'Deployment');

  it('run each role with probes that mean what orchestrators expect, and without rights', () => {
    expect(deployments.map(({ spec }) => spec.template?.spec.containers[0]?.args.at(-1))).toEqual([
      'scheduler',
      'worker',
      'dashboard',
    ]);
    for (const { spec } of deployments) {
      const container = spec.template!.spec.containers[0]!;
      expect(container.livenessProbe.httpGet.path).toBe('/health');
      expect(container.readinessProbe.httpGet.path).toBe('/ready');
      expect(container.securityContext).toMatchObject({ readOnlyRootFilesystem: true });
      expect(spec.template!.metadata.labels).toMatchObject(spec.selector!.matchLabels!);
    }
  });

  it('migrate first, and only there know the owner of the tables', () => {
    for (const { spec } of deployments) {
      const { containers, initContainers } = spec.template!.spec;
      const known = (all: readonly Container[]) =>
        all.flatMap(({ envFrom }) => envFrom.map(({ secretRef }) => secretRef.name));
      expect(initContainers.map(({ args }) => args)).toEqual([['db', 'migrate']]);
      expect(known(initContainers)).toEqual(['ledgerbridge-services', 'ledgerbridge-owner']);
      expect(known(containers)).toEqual(['ledgerbridge-services']);
    }
  });

  it('have a budget for disruptions and scale on lag', () => {
    const kinds = all.map(({ kind }) => kind);
    expect(kinds).toEqual(
      expect.arrayContaining(['Service', 'PodDisruptionBudget', 'HorizontalPodAutoscaler']),
    );
    expect(JSON.stringify(all.at(-1))).toContain('ledgerbridge_lag_seconds');
  });
});
