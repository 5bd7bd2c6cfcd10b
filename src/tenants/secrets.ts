// The one place where a reference becomes a secret. Errors name the reference, never what was found behind it.
import { readFileSync, realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { CodedError } from '../domain/errors/coded-error.js';
import type { Message } from '../domain/message.js';
import { coded } from '../language/coded.js';
import { message } from '../language/messages.js';
import { Secret } from '../domain/secret.js';
import {
  isSecretOfTheBridge,
  isSecretReference,
  type SecretReference,
  SECRETS_OF_THE_BRIDGE,
} from '../domain/secret-reference.js';

export interface SecretPlaces {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Relative `file:` paths start here; the directory of the tenant file. */
  readonly baseDirectory: string;
  /** Told when others on the machine may read the file. */
  warn?(message: string): void;
}

const SECRET_BYTES_MAX = 64 * 1024;
const READABLE_BY_OTHERS = 0o044;

export function resolveSecret(reference: SecretReference, places: SecretPlaces): Secret {
  if (!isSecretReference(reference)) {
    throw coded('SECRET_REFERENCE_INVALID', message('SECRET_UNNAMED'));
  }
  if (isOfTheBridge(reference, places))
    throw coded('SECRET_REFERENCE_INVALID', message('SECRET_OF_THE_BRIDGE', { reference }));
  if (reference.startsWith('env:')) {
    const value = places.env[reference.slice('env:'.length)];
    if (value === undefined || value === '') {
      throw missing(reference, message('SECRET_NOT_SET', { reference }));
    }
    return new Secret(value);
  }
  return new Secret(readSecretFile(reference, places));
}

/** Whether something stands behind the reference, without reading it. */
export function secretExists(reference: SecretReference, places: SecretPlaces): boolean {
  if (reference.startsWith('env:')) return (places.env[reference.slice('env:'.length)] ?? '') !== '';
  return statSync(pathOf(reference, places), { throwIfNoEntry: false })?.isFile() === true;
}

/** Changes when a file behind a `file:` reference anywhere in `value` does: it was written anew, appeared or is gone. */
export function secretFilesStamp(value: unknown, baseDirectory: string): string {
  const stamps: string[] = [];
  JSON.stringify(value, (_key, part: unknown) => {
    if (typeof part === 'string' && part.startsWith('file:') && isSecretReference(part)) {
      const stats = statSync(pathOf(part, { env: {}, baseDirectory }), { throwIfNoEntry: false });
      stamps.push(`${part} ${stats ? `${String(stats.mtimeMs)} ${String(stats.size)}` : 'missing'}`);
    }
    return part;
  });
  return stamps.join('\n');
}

/** A setting of the bridge, or the file that one names. */
function isOfTheBridge(reference: SecretReference, places: SecretPlaces): boolean {
  if (isSecretOfTheBridge(reference)) return true;
  return SECRETS_OF_THE_BRIDGE.some((name) => {
    const given = places.env[name] ?? '';
    if (!reference.startsWith('file:') || !given.startsWith('file:')) return false;
    return realPath(resolve(given.slice('file:'.length))) === realPath(pathOf(reference, places));
  });
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

function readSecretFile(reference: SecretReference, places: SecretPlaces): string {
  const path = pathOf(reference, places);
  let value: string;
  try {
    const stats = statSync(path);
    if (!stats.isFile()) throw missing(reference, message('SECRET_NO_FILE', { reference }));
    if (stats.size > SECRET_BYTES_MAX) throw missing(reference, message('SECRET_TOO_LARGE', { reference }));
    if ((stats.mode & READABLE_BY_OTHERS) !== 0) {
      places.warn?.(`${reference} can be read by other users; protect it with: chmod 600 ${path}`);
    }
    value = readFileSync(path, 'utf8').replace(/\r?\n$/, '');
  } catch (error) {
    if (error instanceof CodedError) throw error;
    const reason = error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason';
    throw missing(reference, message('SECRET_UNREADABLE', { reference, reason }));
  }
  if (value === '') throw missing(reference, message('SECRET_EMPTY', { reference }));
  return value;
}

function pathOf(reference: SecretReference, places: SecretPlaces): string {
  const path = reference.slice('file:'.length);
  if (path.startsWith('~/')) return join(homedir(), path.slice(2));
  return isAbsolute(path) ? path : resolve(places.baseDirectory, path);
}

function missing(reference: SecretReference, said: Message): CodedError {
  return coded('SECRET_MISSING', said, { details: { reference } });
}
