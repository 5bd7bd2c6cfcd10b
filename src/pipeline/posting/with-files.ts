// Some ERPs take a file with the document that it belongs to, or not at all. What the source has is fetched before anything is on record as
// sent: a source that does not answer then keeps the document waiting, and leaves nothing in doubt.
import { createHash } from 'node:crypto';
import { isSourceKind } from '../../domain/source-document.js';
import type { Attachment, PreparedPost } from '../../erp/erp-adapter.js';
import type { SourceFile } from '../../invoicing/invoicing-source.js';
import { fileTypeOf, nameInErp } from '../originals/file-facts.js';
import type { PostingWork } from './post-stage.js';

/** All files of a document together; what is larger stays in the store of originals alone. */
const BYTES_MAX = 10 * 1024 * 1024;

export async function withFiles(work: PostingWork, prepared: PreparedPost): Promise<PreparedPost> {
  const { posting, tenant } = work;
  const { kind, guid } = posting;
  const isMain = prepared.key === posting.key;
  if (tenant.erp.capabilities.filesWithPost !== true || !isMain || !isSourceKind(kind)) return prepared;
  const found = await tenant.source.originals(kind, guid);
  if (found.outcome !== 'found') return prepared;
  const { documentNumber: documentNo } = posting;
  return { ...prepared, files: taken(found.files.flatMap((file) => attached(file, { kind, documentNo }))) };
}

function attached(
  { role, content }: SourceFile,
  of: { readonly kind: string; readonly documentNo: string },
): Attachment[] {
  const type = content && fileTypeOf(content);
  if (!content || !type) return [];
  const sha256 = createHash('sha256').update(content).digest('hex');
  const { contentType } = type;
  return [{ fileName: nameInErp({ ...of, role, sha256, contentType }), contentType, content }];
}

function taken(files: readonly Attachment[]): Attachment[] {
  let room = BYTES_MAX;
  return files.filter(({ content }) => {
    if (content.byteLength > room) return false;
    room -= content.byteLength;
    return true;
  });
}
