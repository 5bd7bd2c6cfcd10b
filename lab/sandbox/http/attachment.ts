// Uploaded files under the limits of Document 1: jpg, jpeg, png, gif or pdf, at most 5 MB, and what the name says they are.
import type { Attachment } from '../model.js';
import { Refusal } from '../service/refusal.js';
import type { UploadedFile } from './multipart.js';

const ATTACHMENT_BYTES_MAX = 5 * 1024 * 1024;

const SIGNATURES: Readonly<Record<string, string>> = {
  pdf: '25504446',
  png: '89504e47',
  gif: '47494638',
  jpg: 'ffd8ff',
  jpeg: 'ffd8ff',
};

export function costAttachment(file: UploadedFile | null): Attachment | null {
  if (file === null) return null;
  const extension = extensionOf(file.fileName);
  const signature = SIGNATURES[extension];
  if (signature === undefined)
    throw new Refusal('attachment', 'The file must be one of: jpg, jpeg, png, gif, pdf');
  if (file.content.length > ATTACHMENT_BYTES_MAX)
    throw new Refusal('attachment', 'The file must not be larger than 5 MB');
  if (!file.content.toString('hex', 0, 4).startsWith(signature))
    throw new Refusal('attachment', `The file is no ${extension}`);
  return anyAttachment(file);
}

export function anyAttachment(file: UploadedFile): Attachment {
  return {
    file_name: file.fileName.slice(0, 200),
    file_extension: extensionOf(file.fileName),
    content: file.content,
  };
}

function extensionOf(fileName: string): string {
  const dot = fileName.lastIndexOf('.');
  return dot === -1 ? '' : fileName.slice(dot + 1).toLowerCase();
}
