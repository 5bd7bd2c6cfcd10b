// Two origins that watch one folder: each would hand over what is in it, and both would write into the same results.
import { basename, dirname, resolve } from 'node:path';
import { message } from '../language/messages.js';
import { problemWords } from './problem-words.js';
import type { YamlFile } from './read-yaml.js';
import type { Tenant, TenantProblem } from './tenant.js';

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

export function sharedFolders(all: readonly ReadFile[]): readonly TenantProblem[] {
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
