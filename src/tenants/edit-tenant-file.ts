// A tenant file changed by the bridge itself, for whoever may: only the named keys are set, comments and order stay, the
// whole file is judged as at a start, and nothing is written that could not be loaded, or over what somebody else wrote
// meanwhile.
import { createHash, randomBytes } from 'node:crypto';
import { open, rename, stat, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { type Document, isCollection, isMap, parseDocument } from 'yaml';
import type { CodedError } from '../domain/errors/coded-error.js';
import { coded } from '../language/coded.js';
import { asSaid, message } from '../language/messages.js';
import { allLines } from '../domain/journal.js';
import { problemsOfText } from './load-tenants.js';
import { readSettingsFile } from './read-yaml.js';
import type { TenantProblem } from './tenant.js';

export interface FileEdit {
  readonly path: readonly string[];
  readonly value: string | Readonly<Record<string, string>>;
}

export interface EditedFile {
  readonly file: string;
  readonly before: string;
  readonly after: string;
  /** Names the content that was read. */
  readonly base: string;
  readonly problems: readonly TenantProblem[];
}

export async function editTenantFile(file: string, edits: readonly FileEdit[]): Promise<EditedFile> {
  const before = await readText(file);
  const document = parseDocument(before);
  const plain = written(document, before);
  for (const { path, value } of edits) setIn(document, path, value);
  const after = document.errors.length > 0 ? before : asWritten(before, plain, written(document, before));
  return { file, before, after, base: baseOf(before), problems: await problemsOfText(file, after) };
}

/** Writes what `editTenantFile` gave, if the file still is what that was made from. */
export async function saveTenantFile({ file, after, base, problems }: EditedFile): Promise<void> {
  if (problems.some(({ severity }) => severity === 'error')) throw refusedBy(problems);
  const release = await lock(file);
  try {
    if (baseOf(await readText(file)) !== base)
      throw coded('TENANT_FILE_CHANGED', message('FILE_CHANGED_MEANWHILE', { file: basename(file) }));
    await replace(file, after);
  } finally {
    await release();
  }
}

async function readText(file: string): Promise<string> {
  const bytes = await readSettingsFile(file);
  if (bytes === null) throw coded('TENANT_FILE_REFUSED', message('FILE_UNREADABLE', { reason: 'EFBIG' }));
  return new TextDecoder().decode(bytes);
}

function refusedBy(problems: readonly TenantProblem[]): CodedError {
  const what = problems.map(({ message: text, said }) => said?.message ?? asSaid(text));
  return coded('TENANT_FILE_REFUSED', message('FILE_REFUSED', { problems: what }));
}

function baseOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

/** A key that is there with nothing under it becomes a group. */
function setIn(document: Document, path: readonly string[], value: FileEdit['value']): void {
  for (let depth = 1; depth < path.length; depth++) {
    const above = path.slice(0, depth);
    if (!isCollection(document.getIn(above))) document.setIn(above, document.createNode({}));
  }
  const group = document.getIn(path.slice(0, -1));
  const node = document.createNode(value, { flow: true });
  // A group that was written as {} goes on below, a line each.
  if (isMap(group) && group.items.length === 0) group.flow = false;
  document.setIn(path, node);
}

/**
 * Writing a document anew changes spaces that mean nothing. Line by line, what the edit did not touch is put back as the
 * person wrote it, where each line of the one is a line of the other.
 */
function asWritten(before: string, plain: string, edited: string): string {
  const lines = before.split('\n');
  if (lines.length !== plain.split('\n').length) return edited;
  let at = 0;
  return allLines(plain, edited)
    .flatMap(({ sign, text }) => {
      if (sign === '+') return [text];
      at += 1;
      return sign === '-' ? [] : [lines[at - 1] ?? text];
    })
    .join('\n');
}

/** As it was indented before. */
function written(document: Document, before: string): string {
  const indent = /^( +)\S/m.exec(before)?.[1]?.length ?? 2;
  const indentSeq = !/^( *)[^\s#-][^\n]*:\n\1- /m.test(before);
  return document.toString({
    lineWidth: 0,
    indent: Math.min(indent, 8),
    indentSeq,
    flowCollectionPadding: true,
  });
}

async function replace(file: string, text: string): Promise<void> {
  const { mode } = await stat(file);
  // Begins with a dot: whoever reads the directory meanwhile leaves it alone.
  const fresh = join(dirname(file), `.${basename(file)}.${randomBytes(6).toString('hex')}`);
  const handle = await open(fresh, 'wx', mode & 0o777);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(fresh, file);
}

const LOCK_STALE_MS = 60_000;

/** One at a time, also over processes that share the directory; what a dead one left is stale after a minute. */
async function lock(file: string): Promise<() => Promise<void>> {
  const path = join(dirname(file), `.${basename(file)}.lock`);
  const left = await stat(path).catch(() => null);
  if (left && Date.now() - left.mtimeMs > LOCK_STALE_MS) await unlink(path).catch(() => undefined);
  try {
    await (await open(path, 'wx')).close();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (code === 'EEXIST')
      throw coded('TENANT_FILE_CHANGED', message('FILE_SAVED_NOW', { file: basename(file) }));
    throw coded('TENANT_FILE_REFUSED', message('FILE_NOT_WRITABLE', { file: basename(file), code }), {
      cause: error,
    });
  }
  return () => unlink(path);
}
