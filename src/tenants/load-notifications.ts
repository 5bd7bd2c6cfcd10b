// `notifications.yaml` of the configuration directory: who is told about every tenant. It may change while the bridge runs; a
// broken one never replaces a good one.
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { explainIssues } from './explain-issue.js';
import { NOBODY, notificationsFile, type NotificationsFile } from './notification-schema.js';
import { readYaml } from './read-yaml.js';

export const NOTIFICATIONS_FILE = 'notifications.yaml';

export interface LoadedNotifications {
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
