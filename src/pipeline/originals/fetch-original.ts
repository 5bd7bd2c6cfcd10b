// Fetches what the source has of a document. Limits first: nothing that is too large, of an odd type or not what it says it is
// goes into the store; it is shown to a person instead.
import type { OriginalReason, OriginalRole } from '../../domain/original.js';
import type { SourceFile } from '../../invoicing/invoicing-source.js';
import type { TenantContext } from '../tenant-context.js';
import type { OriginalsStage, OriginalsWish } from './stage.js';
import { fileTypeOf } from './file-facts.js';
import type { OriginalChange, OriginalRecord, StoredFile } from './records.js';

type Reason = { readonly code: OriginalReason; readonly detail: string };
type Taken = { readonly file: StoredFile } | { readonly refused: Reason };

const SOURCE_NAME_CHARACTERS_MAX = 200;

export async function fetchOriginal(
  stage: OriginalsStage,
  tenant: TenantContext,
  wish: OriginalsWish,
  claimed: OriginalRecord,
): Promise<OriginalChange> {
  const found = await tenant.source.originals(claimed.kind, claimed.guid);
  switch (found.outcome) {
    case 'gone':
      return absent('DOCUMENT_GONE');
    case 'unavailable':
      return absent('NO_PDF_ON_SURFACE');
    case 'found': {
      const ours = found.files.find(({ role }) => role === claimed.role);
      const beside = claimed.role === 'file' ? await besideIt(stage, wish, found.files) : {};
      if (ours === undefined) return { ...absent('NONE_AT_SOURCE'), ...beside };
      const taken = await take(stage, wish, ours);
      if ('refused' in taken) return { to: 'parked', reason: taken.refused, dueInMs: null, ...beside };
      return { to: 'fetched', file: taken.file, reason: null, tries: 0, dueInMs: 0, ...beside };
    }
  }
}

/** The e-invoice came in the same answer: asking for it again would only cost the source. */
async function besideIt(
  stage: OriginalsStage,
  wish: OriginalsWish,
  files: readonly SourceFile[],
): Promise<Pick<OriginalChange, 'beside'>> {
  const role: OriginalRole = 'ubl';
  const ubl = files.find((file) => file.role === role);
  if (ubl === undefined)
    return { beside: { role, file: null, reason: { code: 'NONE_AT_SOURCE', detail: '' } } };
  const taken = await take(stage, wish, ubl);
  return 'refused' in taken
    ? { beside: { role, file: null, reason: taken.refused } }
    : { beside: { role, file: taken.file, reason: null } };
}

async function take(stage: OriginalsStage, wish: OriginalsWish, file: SourceFile): Promise<Taken> {
  const { content, fileName } = file;
  if (content === null) return { refused: { code: 'NOT_BASE64', detail: '' } };
  const size = content.byteLength;
  if (size > wish.bytesMax)
    return { refused: { code: 'TOO_LARGE', detail: `${String(size)} > ${String(wish.bytesMax)}` } };
  const type = fileTypeOf(content);
  if (type === null) return { refused: { code: 'TYPE_NOT_TAKEN', detail: sourceName(fileName) } };
  const { sha256 } = await stage.vault.put(content);
  return {
    file: { sha256, size, contentType: type.contentType, sourceName: sourceName(fileName) },
  };
}

function sourceName(name: string): string {
  return name
    .replaceAll(/[\p{Cc}\p{Cf}]+/gu, ' ')
    .trim()
    .slice(0, SOURCE_NAME_CHARACTERS_MAX);
}

function absent(code: OriginalReason): OriginalChange {
  return { to: 'absent', reason: { code, detail: '' }, dueInMs: null };
}
