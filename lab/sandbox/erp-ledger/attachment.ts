// Attachments come as base64 in JSON or as one file of a multipart form. Only facts about them are kept: the documents of
// a large demo would fill the memory.
import { createHash } from 'node:crypto';
import * as z from 'zod';
import type { AttachmentFacts } from './books.js';
import { parsedJson } from './journal-request.js';

const attachmentSchema = z.strictObject({
  fileName: z.string().min(1).max(255),
  contentType: z.string().min(1).max(100),
  content: z.base64(),
});

/** Null when the body holds no file. */
export function attachmentFacts(
  contentType: string | string[] | undefined,
  body: Buffer,
): AttachmentFacts | null {
  const boundary = /^multipart\/form-data;.*\bboundary="?([^";]{1,70})"?/i.exec(String(contentType))?.[1];
  if (boundary !== undefined) return fileOfForm(body, boundary);
  const sent = attachmentSchema.safeParse(parsedJson(body));
  if (!sent.success) return null;
  return factsOf(sent.data.fileName, sent.data.contentType, Buffer.from(sent.data.content, 'base64'));
}

/** The first part that has a file name; RFC 7578 puts CRLF before each boundary and an empty line after the headers. */
function fileOfForm(body: Buffer, boundary: string): AttachmentFacts | null {
  const delimiter = Buffer.from(`\r\n--${boundary}`);
  let start = body.indexOf(delimiter.subarray(2));
  while (start !== -1) {
    const headersEnd = body.indexOf('\r\n\r\n', start);
    const end = body.indexOf(delimiter, start + 2);
    if (headersEnd === -1 || end === -1) return null;
    const headers = body.toString('utf8', start, headersEnd);
    const fileName = /^content-disposition:.*\bfilename="([^"\r\n]{1,255})"/im.exec(headers)?.[1];
    const type = /^content-type:\s*([^\r\n]{1,100})/im.exec(headers)?.[1] ?? 'application/octet-stream';
    if (fileName !== undefined) return factsOf(fileName, type, body.subarray(headersEnd + 4, end));
    start = end + 2;
  }
  return null;
}

function factsOf(fileName: string, contentType: string, content: Buffer): AttachmentFacts {
  return {
    fileName,
    contentType,
    bytes: content.byteLength,
    sha256: createHash('sha256').update(content).digest('hex'),
  };
}
