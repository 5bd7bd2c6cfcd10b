// Where originals are kept, from the settings: a directory, or a bucket of an S3-compatible service.
import { trimEndOf, trimStartOf } from '../domain/text.js';
import { join } from 'node:path';
import { Secret } from '../domain/secret.js';

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
