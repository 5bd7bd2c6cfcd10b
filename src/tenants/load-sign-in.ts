// Reads `sign-in.yaml`. Half a rule about who may come in would be worse than none: a broken file stops the start, and says
// which line is wrong.
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { CodedError } from '../domain/errors/coded-error.js';
import type { Secret } from '../domain/secret.js';
import { explainIssues } from './explain-issue.js';
import { readYaml } from './read-yaml.js';
import { resolveSecret } from './secrets.js';
import { secretReference } from '../domain/secret-reference.js';
import { checkHttpsUrl } from './check-url.js';
import { NOBODY, notificationsFile, type NotificationsFile } from './notification-schema.js';

export const SIGN_IN_FILE = 'sign-in.yaml';

export interface SignInSettings extends Omit<SignInFile, 'clientSecret'> {
  readonly clientSecret: Secret | null;
}

/** null: there is no such file, and nobody signs in elsewhere. */
export async function loadSignIn(
  configDirectory: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<SignInSettings | null> {
  const file = join(configDirectory, SIGN_IN_FILE);
  if (!(await stat(file).catch(() => null))) return null;
  const read = await readYaml(file);
  if (read.outcome === 'unreadable') throw invalid(read.problems.map(({ message }) => `${file}: ${message}`));
  const { yaml } = read;
  const judged = signInFile.safeParse(yaml.value ?? {});
  if (!judged.success) {
    const explained = explainIssues(judged.error.issues, {
      schema: signInFile,
      value: yaml.value,
      written: (path) => yaml.written(path),
      mayRepeat: false,
      page: 'tenants',
    });
    throw invalid(
      explained.map(
        ({ path, words: { message, remedy } }) => `${file}:${yaml.locate(path).line}: ${message} ${remedy}`,
      ),
    );
  }
  const { clientSecret, ...settings } = judged.data;
  const places = { env, baseDirectory: configDirectory };
  return {
    ...settings,
    clientSecret: clientSecret === undefined ? null : resolveSecret(clientSecret, places),
  };
}

function invalid(problems: readonly string[]): CodedError {
  return new CodedError('SIGN_IN_INVALID', problems.join('\n'), { details: { problems } });
}

// `sign-in.yaml` of the configuration directory: an identity provider that people sign in at, and what their groups may.
const RULES_MAX = 200;
const COMPANIES_MAX = 1_000;

const rule = z.strictObject({
  group: z.string().min(1).max(200).describe('A value of the claim, as the provider writes it.'),
  role: z.enum(['viewer', 'operator', 'admin']).describe('What whoever has the group may do.'),
  companies: z
    .array(z.string().min(1).max(60))
    .min(1)
    .max(COMPANIES_MAX)
    .optional()
    .describe('Only in these; in all of them unless given.'),
});

const signInFile = z
  .strictObject({
    issuer: z
      .string()
      .superRefine(checkHttpsUrl)
      .describe('Address of the provider; its discovery document lies below /.well-known/.'),
    clientId: z.string().min(1).max(200).describe('Under which the provider knows the bridge.'),
    clientSecret: secretReference
      .optional()
      .describe('Where the secret is kept, for a provider that wants one.'),
    name: z.string().min(1).max(60).default('OpenID').describe('On the button of the sign-in page.'),
    scopes: z
      .array(z.string().min(1).max(60))
      .max(20)
      .default(['openid', 'profile', 'email'])
      .describe('Asked for; openid, profile and email unless given.'),
    login: z
      .string()
      .min(1)
      .max(60)
      .default('preferred_username')
      .describe('Claim with the name that the audit shows; preferred_username unless given.'),
    groups: z
      .string()
      .min(1)
      .max(200)
      .default('groups')
      .describe('Claim with the groups; `groups` unless given.'),
    roles: z.array(rule).min(1).max(RULES_MAX).describe('Group → role, in all companies or in some.'),
    secondFactor: z
      .boolean()
      .default(false)
      .describe(
        'Whether the provider asks everybody for a second factor; otherwise `amr` of the ID token must have `mfa` where LEDGERBRIDGE_SECOND_FACTOR wants one.',
      ),
    passwords: z
      .boolean()
      .default(true)
      .describe('Whether accounts of the bridge sign in with a password beside it; yes unless given.'),
  })
  .describe('Signing in at an identity provider by OpenID Connect.');
type SignInFile = z.output<typeof signInFile>;

// `notifications.yaml` of the configuration directory: who is told about every tenant. It may change while the bridge runs; a
// broken one never replaces a good one.

const NOTIFICATIONS_FILE = 'notifications.yaml';

interface LoadedNotifications {
  readonly notifications: NotificationsFile;
  /** What is wrong with it, a sentence each. */
  readonly problems: readonly string[];
}

export async function loadNotifications(configDirectory: string): Promise<LoadedNotifications> {
  const file = join(configDirectory, NOTIFICATIONS_FILE);
  if (!(await stat(file).catch(() => null))) return { notifications: NOBODY, problems: [] };
  const read = await readYaml(file);
  if (read.outcome === 'unreadable')
    return { notifications: NOBODY, problems: read.problems.map(({ message }) => message) };
  const { yaml } = read;
  const judged = notificationsFile.safeParse(yaml.value ?? {});
  if (judged.success) return { notifications: judged.data, problems: [] };
  const explained = explainIssues(judged.error.issues, {
    schema: notificationsFile,
    value: yaml.value,
    written: (path) => yaml.written(path),
    mayRepeat: false,
    page: 'tenants',
  });
  const problems = explained.map(({ path, words: { message, remedy } }) => {
    const { line } = yaml.locate(path);
    return `${file}:${line}: ${message} ${remedy}`;
  });
  return { notifications: NOBODY, problems };
}

/** Reads it again when it changed. */
export function followNotifications(
  configDirectory: string,
  onProblems: (problems: readonly string[]) => void,
): () => Promise<NotificationsFile> {
  let known = NOBODY;
  let stamp: string | null = null;
  return async () => {
    const stats = await stat(join(configDirectory, NOTIFICATIONS_FILE)).catch(() => null);
    const now = stats === null ? 'absent' : `${stats.mtimeMs} ${stats.size}`;
    if (now === stamp) return known;
    const { notifications, problems } = await loadNotifications(configDirectory);
    if (problems.length > 0) onProblems(problems);
    else known = notifications;
    stamp = now;
    return known;
  };
}
