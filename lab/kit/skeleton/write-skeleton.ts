// The beginning of an adapter of one's own, outside this repository: it compiles and passes the conformance suite against a
// small fake from the first minute, so that its author works from green to green.
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CodedError } from '../../../src/domain/errors/coded-error.js';

const TEMPLATES = fileURLToPath(new URL('../skeleton/assets/', import.meta.url));
const SUFFIX = '.template';
const NAME = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;

export interface Skeleton {
  readonly name: string;
  readonly kind: SkeletonKind;
  /** Requests carry a signature instead of a token. */
  readonly isSigned: boolean;
}

/** Writes into a directory that does not exist yet or is empty. Returns the files, relative to it. */
export async function writeSkeleton(
  skeleton: Skeleton,
  directory: string,
  version: string,
): Promise<string[]> {
  const { name } = skeleton;
  if (!NAME.test(name))
    throw new CodedError(
      'CLI_USAGE',
      `"${name}" cannot name an adapter: small letters, digits and hyphens, such as my-erp.`,
    );
  const present = await readdir(directory).catch(() => []);
  if (present.length > 0)
    throw new CodedError('CLI_USAGE', `${directory} is not empty. Name a new directory with --directory.`);
  const written: string[] = [];
  for (const template of await templates()) {
    const path = relative(TEMPLATES, template).slice(0, -SUFFIX.length);
    const target = join(directory, path);
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, filled(await readFile(template, 'utf8'), skeleton, version));
    written.push(path);
  }
  return written;
}

async function templates(): Promise<string[]> {
  const entries = await readdir(TEMPLATES, { recursive: true });
  return entries
    .filter((entry) => entry.endsWith(SUFFIX))
    .map((entry) => join(TEMPLATES, entry))
    .sort();
}

const OPENS = /^\s*\/\/ \[(!?)([a-z-]+)$/;
const CLOSES = /^\s*\/\/ \]$/;

/** Lines between `// [draft-then-post` and `// ]` are of that kind only; `// [!draft-then-post` of all others. */
function linesOf(text: string, { kind, isSigned }: Skeleton): string {
  const isMeant = (word: string) => word === kind || (word === 'signed' && isSigned);
  const open: boolean[] = [];
  const kept = text.split('\n').filter((line) => {
    const [, not, word] = OPENS.exec(line) ?? [];
    if (word !== undefined) open.push(isMeant(word) !== (not === '!'));
    else if (CLOSES.test(line)) open.pop();
    else return open.every(Boolean);
    return false;
  });
  return kept.join('\n');
}

function filled(template: string, skeleton: Skeleton, version: string): string {
  const { name, kind, isSigned } = skeleton;
  const text = linesOf(template, skeleton);
  const className = name
    .split('-')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
  return text
    .replaceAll('__options__', `--kind ${kind}${isSigned ? ' --signed' : ''}`)
    .replaceAll('__name__', name)
    .replaceAll('__Name__', className)
    .replaceAll('__version__', version);
}

/** What an ERP is like: it books in one request, keeps drafts first, or wants customers and suppliers of its own. */
export const SKELETON_KINDS = ['one-step', 'draft-then-post', 'partners'] as const;
export type SkeletonKind = (typeof SKELETON_KINDS)[number];
