// multipart/form-data, read from a body that is already whole and bounded. Enough for the forms of both documents:
// fields and files, quoted names, UTF-8 file names.
import type { Buffer } from 'node:buffer';

export interface UploadedFile {
  readonly fileName: string;
  readonly contentType: string;
  readonly content: Buffer;
}

export interface FormBody {
  readonly fields: Map<string, string>;
  readonly files: Map<string, UploadedFile>;
}

const PARTS_MAX = 200;
const PART_HEADER_BYTES_MAX = 8_192;

/** null: the body is not what its boundary promises. */
export function parseMultipart(body: Buffer, contentType: string): FormBody | null {
  const boundary = /boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(contentType);
  const marker = boundary?.[1] ?? boundary?.[2];
  if (marker === undefined) return null;
  const form: FormBody = { fields: new Map(), files: new Map() };
  const delimiter = `\r\n--${marker}`;
  let position = body.indexOf(`--${marker}`) === 0 ? marker.length + 2 : -1;
  for (let count = 0; position !== -1 && count < PARTS_MAX; count += 1) {
    if (body.toString('latin1', position, position + 2) === '--') return form;
    const headerEnd = body.indexOf('\r\n\r\n', position);
    if (headerEnd === -1 || headerEnd - position > PART_HEADER_BYTES_MAX) return null;
    const end = body.indexOf(delimiter, headerEnd + 2);
    if (end === -1) return null;
    addPart(
      form,
      body.toString('utf8', position + 2, headerEnd),
      body.subarray(headerEnd + 4, Math.max(end, headerEnd + 4)),
    );
    position = end + delimiter.length;
  }
  return null;
}

function addPart(form: FormBody, headers: string, content: Buffer): void {
  const disposition = /^content-disposition:(.*)$/im.exec(headers)?.[1] ?? '';
  const name = /[\s;]name="([^"]*)"/i.exec(disposition)?.[1];
  if (name === undefined) return;
  const fileName = /filename="([^"]*)"/i.exec(disposition)?.[1];
  if (fileName === undefined) {
    form.fields.set(name, content.toString('utf8'));
    return;
  }
  const contentType = /^content-type:\s*(\S+)/im.exec(headers)?.[1] ?? 'application/octet-stream';
  form.files.set(name, { fileName, contentType, content });
}
