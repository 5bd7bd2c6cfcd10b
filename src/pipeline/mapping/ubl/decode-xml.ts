// base64 → text. The encoding is taken from the byte order mark, else from the XML declaration, else it is UTF-8; bytes
// that do not fit it are refused, never replaced.
import { isUtf8 } from 'node:buffer';

export type XmlText =
  | { readonly outcome: 'text'; readonly text: string }
  | { readonly outcome: 'unreadable'; readonly problem: string };

/** E-invoices may carry a PDF inside; more than this is no invoice. */
export const XML_BYTES_MAX = 12 * 1024 * 1024;
const BASE64_LENGTH_MAX = Math.ceil(XML_BYTES_MAX / 3) * 4 * 1.05;
/** Without the white space that may break its lines: a pattern that allows it anywhere can be made to try for hours. */
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;
const DECLARED = /^<\?xml[^>]{0,200}?encoding\s*=\s*["']([A-Za-z0-9._-]{1,40})["']/;
const READABLE = new Set(['utf-8', 'us-ascii', 'iso-8859-1', 'iso-8859-15', 'windows-1252']);
const DECLARATION_BYTES = 300;

export function decodeXml(base64: string): XmlText {
  if (base64.length > BASE64_LENGTH_MAX) return unreadable('it is too large');
  const bytes = Buffer.from(base64, 'base64');
  // What is written back the same is base64 as nearly everybody writes it; the pattern is for the rest.
  if (bytes.toString('base64') !== base64 && !BASE64.test(base64.replaceAll(/\s+/g, '')))
    return unreadable('it is not base64');
  const encoding = encodingOf(bytes);
  if (encoding === null) return unreadable('its encoding is not one that is read');
  // What nearly all files are; the decoder below would do the same, slower.
  if (encoding === 'utf-8' && isUtf8(bytes))
    return { outcome: 'text', text: withoutMark(bytes.toString('utf8')) };
  try {
    return { outcome: 'text', text: new TextDecoder(encoding, { fatal: true }).decode(bytes) };
  } catch {
    return unreadable(`it is not ${encoding} as it says`);
  }
}

function encodingOf(bytes: Buffer): string | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8';
  const declared =
    DECLARED.exec(bytes.toString('latin1', 0, DECLARATION_BYTES))?.[1]?.toLowerCase() ?? 'utf-8';
  return READABLE.has(declared) ? declared : null;
}

function withoutMark(text: string): string {
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}

function unreadable(problem: string): XmlText {
  return { outcome: 'unreadable', problem };
}
