// What only shows when all tenants are seen at once: a name used twice, an account connected twice, development and
// production mixed up. Every file that takes part gets the problem, since none of them is known to be the right one.
import { basename, dirname, resolve } from 'node:path';
import { isSecretReference } from '../domain/secret-reference.js';
import { isLoopback } from './check-url.js';
import { addressesIn } from './identify-ledger.js';
import type { YamlFile } from './read-yaml.js';
import { isObject } from './schema-walk.js';
import { secretExists } from './secrets.js';
import type { Tenant, TenantProblem } from './tenant.js';
import { message } from '../language/messages.js';
import { problemWords } from './problem-words.js';

export interface ReadTenant {
  readonly yaml: YamlFile;
  /** null when the file has errors of its own. */
  readonly tenant: Tenant | null;
  /** The adapter's name for the books. */
  readonly ledger: string;
}

interface Clash {
  readonly severity: TenantProblem['severity'];
  readonly path: readonly string[];
  /** Tenants with the same key clash. null: cannot clash. */
  key(read: ReadTenant): string | null;
  message(others: string, tenant: ReadTenant): string;
  readonly remedy: string;
}

const CLASHES: readonly Clash[] = [
  {
    severity: 'error',
    path: ['name'],
    key: ({ yaml }) =>
      isObject(yaml.value) && typeof yaml.value['name'] === 'string' ? yaml.value['name'] : null,
    message: (others, { yaml }) => `The name "${yaml.written(['name']) ?? ''}" is also used in ${others}.`,
    remedy: 'Give each tenant a name of its own.',
  },
  {
    severity: 'error',
    path: ['source'],
    key: ({ tenant, ledger }) => joined(tenant && accountOf(tenant), ledger),
    message: (others) => `The same account is carried into the same ledger by ${others}.`,
    remedy: 'Keep one of the two; a document belongs in a ledger once.',
  },
];

export function checkTogether(all: readonly ReadTenant[]): readonly TenantProblem[] {
  return [
    ...CLASHES.flatMap((clash) => findClashes(all, clash)),
    ...accountsInTwoLedgers(all),
    ...mixedEnvironments(all),
    ...sharedFolders(all),
  ];
}

function findClashes(all: readonly ReadTenant[], clash: Clash): readonly TenantProblem[] {
  return groups(all, (read) => clash.key(read)).flatMap((group) =>
    group.map((read) =>
      problemAt(
        read,
        clash.severity,
        clash.path,
        clash.message(namesOfOthers(group, read), read),
        clash.remedy,
      ),
    ),
  );
}

function accountsInTwoLedgers(all: readonly ReadTenant[]): readonly TenantProblem[] {
  return groups(all, ({ tenant }) => tenant && accountOf(tenant))
    .filter((group) => new Set(group.map(({ ledger }) => ledger)).size === group.length)
    .flatMap((group) =>
      group.map((read) => {
        const message = `The same account is carried into another ledger by ${namesOfOthers(group, read)}.`;
        const remedy =
          'The first to post marks a document Posted and the other will park it; keep one of the two.';
        return problemAt(read, 'warning', ['source'], message, remedy);
      }),
    );
}

/** Development documents must never reach a ledger that production documents go to, nor one origin be called both. */
function mixedEnvironments(all: readonly ReadTenant[]): readonly TenantProblem[] {
  const mixed = (
    key: (tenant: Tenant, ledger: string) => string | null,
    path: readonly string[],
    what: string,
    remedy: string,
  ) =>
    groups(all, ({ tenant, ledger }) => tenant && key(tenant, ledger))
      .filter((group) => new Set(group.map(({ tenant }) => tenant?.source.environment)).size > 1)
      .flatMap((group) =>
        group.map((read) => {
          const message = `${what} of the other environment in ${namesOfOthers(group, read)}.`;
          return problemAt(read, 'error', path, message, remedy);
        }),
      );
  return [
    ...mixed(
      ({ source }) => (isLoopback(source.baseUrl) ? null : new URL(source.baseUrl).origin),
      ['source', 'baseUrl'],
      'The same address is that',
      'Production and development have addresses of their own; correct one of the two.',
    ),
    ...mixed(
      ({ erp }, ledger) => [ledger, ...addressesIn(erp.settings)].join(' '),
      ['erp'],
      'The same ledger takes documents',
      'Give development a ledger of its own; its documents are not real.',
    ),
  ];
}

/** References that lead nowhere on this machine. Nothing is read, and it is only a warning: the bridge may run elsewhere. */
export function unsetSecrets(
  read: ReadTenant,
  env: Readonly<Record<string, string | undefined>>,
): readonly TenantProblem[] {
  const { yaml, tenant } = read;
  if (tenant === null) return [];
  const places = { env, baseDirectory: dirname(tenant.file) };
  return secretReferences(yaml.value, [])
    .filter(({ reference }) => !secretExists(reference, places))
    .map(({ reference, path }) =>
      problemAt(
        read,
        'warning',
        path,
        `The secret ${reference} is not there on this machine.`,
        reference.startsWith('env:')
          ? 'Set the variable where the bridge runs.'
          : 'Write the file where the bridge runs.',
      ),
    );
}

export function secretReferences(
  value: unknown,
  path: readonly string[],
): readonly { readonly reference: string; readonly path: readonly string[] }[] {
  if (typeof value === 'string') return isSecretReference(value) ? [{ reference: value, path }] : [];
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) => secretReferences(inner, [...path, key]));
}

/** Only credentials name an account; one OAuth client may serve many. */
function accountOf({ source }: Tenant): string | null {
  if (source.auth.type !== 'credentials') return null;
  return `${source.environment} ${new URL(source.baseUrl).origin} ${source.auth.username.toLowerCase()}`;
}

function joined(account: string | null, ledger: string): string | null {
  return account === null ? null : `${account} ${ledger}`;
}

function groups(
  all: readonly ReadTenant[],
  key: (read: ReadTenant) => string | null,
): readonly (readonly ReadTenant[])[] {
  const byKey = new Map<string, ReadTenant[]>();
  for (const read of all) {
    const itsKey = key(read);
    if (itsKey === null) continue;
    const group = byKey.get(itsKey) ?? [];
    byKey.set(itsKey, [...group, read]);
  }
  return [...byKey.values()].filter((group) => group.length > 1);
}

function namesOfOthers(group: readonly ReadTenant[], read: ReadTenant): string {
  return group
    .filter((other) => other !== read)
    .map(({ yaml }) => basename(yaml.file))
    .join(', ');
}

function problemAt(
  { yaml }: ReadTenant,
  severity: TenantProblem['severity'],
  path: readonly string[],
  message: string,
  remedy: string,
): TenantProblem {
  return { severity, file: yaml.file, ...yaml.locate(path), path: path.join('.'), message, remedy };
}

// Two origins that watch one folder: each would hand over what is in it, and both would write into the same results.

interface ReadFile {
  readonly yaml: YamlFile;
  readonly tenant: Tenant | null;
}

interface Watching {
  readonly read: ReadFile;
  readonly index: number;
  readonly name: string;
  readonly folder: string;
}

function sharedFolders(all: readonly ReadFile[]): readonly TenantProblem[] {
  const watching = all.flatMap(foldersOf);
  return watching.flatMap((one) => {
    const other = watching.find((candidate) => candidate !== one && candidate.folder === one.folder);
    return other === undefined ? [] : [problemOf(one, other)];
  });
}

function foldersOf(read: ReadFile): readonly Watching[] {
  const { tenant } = read;
  if (tenant === null) return [];
  return (tenant.outgoing?.origins ?? []).flatMap((origin, index) =>
    origin.type === 'folder' || origin.type === 'receipts'
      ? [{ read, index, name: origin.name, folder: resolve(dirname(tenant.file), origin.directory) }]
      : [],
  );
}

function problemOf({ read: { yaml }, index }: Watching, other: Watching): TenantProblem {
  const path = ['outgoing', 'origins', String(index), 'directory'];
  const file = other.read.yaml.file === yaml.file ? '' : basename(other.read.yaml.file);
  const words = problemWords(
    message('FOLDER_WATCHED_TWICE', { origin: other.name, file }),
    message('FOLDER_OF_ITS_OWN'),
  );
  return { severity: 'error', file: yaml.file, ...yaml.locate(path), path: path.join('.'), ...words };
}
