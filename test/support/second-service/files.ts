import { ATTACHMENT_BYTES, ATTACHMENT_TYPES } from './enumerations.js';
import type { StoredFile } from './records.js';
import { Refusal } from './refusal.js';
import type { Upload } from './wire.js';
import type { World } from './world.js';

/** `upload-file`: the documents set no type and no size for what is attached to an invoice. */
export function storeFile(world: World, upload: Upload | undefined): StoredFile {
  if (upload === undefined || upload.bytes.length === 0) throw new Refusal('Field file is required');
  const file: StoredFile = { ...world.newKept(), ...upload };
  world.files.push(file);
  return file;
}

export const extensionOf = (name: string): string => (/\.([^.]+)$/.exec(name)?.[1] ?? '').toLowerCase();

/** The attachment of a cost: "jpg, jpeg, png, gif, pdf; max 5 MB". */
export function readAttachment(
  upload: Upload | undefined,
): { name: string; extension: string; bytes: Buffer } | null {
  if (upload === undefined || upload.bytes.length === 0) return null;
  const extension = extensionOf(upload.name);
  if (!ATTACHMENT_TYPES.includes(extension)) throw new Refusal(`File type not allowed: ${extension}`);
  if (upload.bytes.length > ATTACHMENT_BYTES) throw new Refusal('The file is larger than 5 MB');
  return { name: upload.name, extension, bytes: upload.bytes };
}
