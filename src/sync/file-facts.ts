// The type of a file, by its first bytes and not by its name, and the name that it gets in the ERP. Names from outside may be anything, even a path.
import type { OriginalRole } from '../domain/original.js';
import { trimEndOf, trimStartOf } from '../domain/text.js';

const HEAD_BYTES = 1_024;

interface FileType {
  readonly contentType: string;
  readonly extension: string;
  readonly begins: (head: Buffer) => boolean;
}

const bytes = (...values: number[]) => Buffer.from(values);
const startsWith = (...starts: readonly Buffer[]) => {
  return (head: Buffer) => starts.some((start) => head.subarray(0, start.length).equals(start));
};

export const FILE_TYPES: readonly FileType[] = [
  {
    contentType: 'application/pdf',
    extension: 'pdf',
    // Some writers put a few bytes before the header; readers look for it in the first kilobyte.
    begins: (head) => head.includes('%PDF-'),
  },
  {
    contentType: 'image/jpeg',
    extension: 'jpg',
    begins: startsWith(bytes(0xff, 0xd8, 0xff)),
  },
  {
    contentType: 'image/png',
    extension: 'png',
    begins: startsWith(bytes(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)),
  },
  {
    contentType: 'image/gif',
    extension: 'gif',
    begins: startsWith(Buffer.from('GIF87a'), Buffer.from('GIF89a')),
  },
  {
    contentType: 'application/xml',
    extension: 'xml',
    begins: (head) =>
      /^\uFEFF?\s*<(\?xml|[A-Za-z][\w.-]*:?Invoice|[A-Za-z][\w.-]*:?CreditNote)\b/.test(
        head.toString('utf8'),
      ),
  },
];

/** null: nothing that the bridge takes for an original. */
export function fileTypeOf(content: Uint8Array): Pick<FileType, 'contentType' | 'extension'> | null {
  const head = Buffer.from(content.buffer, content.byteOffset, Math.min(content.byteLength, HEAD_BYTES));
  return FILE_TYPES.find(({ begins }) => begins(head)) ?? null;
}

const NAME_CHARACTERS_MAX = 60;

/**
 * The same for the same file of the same document, so that an ERP that is asked twice can see that it has it: number of the
 * document, what it is, and the first digits of its hash.
 */
export function nameInErp(of: {
  readonly kind: string;
  readonly documentNo: string;
  readonly role: OriginalRole;
  readonly sha256: string;
  readonly contentType: string;
}): string {
  const extension = FILE_TYPES.find(({ contentType }) => contentType === of.contentType)?.extension ?? 'bin';
  const safe = of.documentNo.normalize('NFC').replaceAll(/[^\p{L}\p{N}-]+/gu, '-');
  const number = trimStartOf(trimEndOf(safe, '-'), '-').slice(0, NAME_CHARACTERS_MAX);
  return `${of.kind}-${number === '' ? 'unnumbered' : number}-${of.role}-${of.sha256.slice(0, 12)}.${extension}`;
}
