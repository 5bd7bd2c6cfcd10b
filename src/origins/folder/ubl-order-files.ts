// Files inside a UBL order, in base64, or named by an address. Whoever writes such an order is a stranger: names are names and no paths,
// nothing is fetched from anywhere, and only the files that the tenant file names go on.
import type { XmlElement } from '../../pipeline/mapping/ubl/read-xml.js';
import { goesWith } from '../file-patterns.js';
import { told, type Words } from '../told.js';
import { bytesIn, type FileFacts, fileFacts, isPlainName } from './named-files.js';
import { at, CAC, CBC, children, orderIn, textAt, textIn } from './ubl-order.js';

export interface FileOfOrder extends FileFacts {
  readonly name: string;
  /** Which of the references of the order it is, from 1. */
  readonly at: string;
}

/** Words: one of them cannot go, and the order not without it. */
export function filesOfOrder(order: XmlElement, patterns: readonly string[]): readonly FileOfOrder[] | Words {
  if (patterns.length === 0) return [];
  const files: FileOfOrder[] = [];
  for (const [index, reference] of references(order).entries()) {
    const name = nameOf(reference);
    if (name === null || !goesWith(patterns, name)) continue;
    const shown = name.slice(0, 80);
    if (!isPlainName(name)) return told('FILE_NAME_UNFIT', { name: shown });
    const object = objectOf(reference);
    if (object === undefined) return told('FILE_ELSEWHERE', { file: name });
    const bytes = contentOf(object);
    if (bytes === null) return told('FILE_NO_BASE64', { file: name });
    files.push({ name, ...fileFacts(bytes), at: String(index + 1) });
  }
  return files;
}

/** As it is in the order now. */
export function fileInOrder(text: string, position: string): Uint8Array | null {
  const order = orderIn(text);
  const reference = 'said' in order ? undefined : references(order)[Number(position) - 1];
  const object = reference && objectOf(reference);
  return object === undefined ? null : contentOf(object);
}

function references(order: XmlElement): XmlElement[] {
  return children(order, CAC, 'AdditionalDocumentReference');
}

function objectOf(reference: XmlElement): XmlElement | undefined {
  const attachment = at(reference, 'Attachment');
  return attachment && children(attachment, CBC, 'EmbeddedDocumentBinaryObject')[0];
}

/** Lines of base64 may be broken. */
function contentOf({ text }: XmlElement): Buffer | null {
  return bytesIn(text.replaceAll(/\s/g, ''));
}

const ENDINGS: Readonly<Record<string, string>> = {
  'application/pdf': '.pdf',
  'image/jpeg': '.jpg',
  'image/png': '.png',
  'image/gif': '.gif',
};

/** null: the reference is a number of some document and no file. One without a name has the number of the reference. */
function nameOf(reference: XmlElement): string | null {
  const object = objectOf(reference);
  if (object !== undefined) {
    const given = object.attributes.get('filename')?.trim() ?? '';
    return given === ''
      ? textAt(reference, 'ID') + (ENDINGS[object.attributes.get('mimeCode') ?? ''] ?? '')
      : given;
  }
  const external = at(reference, 'Attachment', 'ExternalReference');
  if (external === undefined) return null;
  const [path = ''] = textIn(external, 'URI').split(/[?#]/, 1);
  const last = path.slice(path.lastIndexOf('/') + 1);
  return [textIn(external, 'FileName'), last, textAt(reference, 'ID')].find((name) => name !== '') ?? '';
}
