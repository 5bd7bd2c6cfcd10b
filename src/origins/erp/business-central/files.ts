// Attachments of Business Central: documentAttachments of API v2.0, which lists name, size and the time of the last change, and gives the
// bytes at an address of their own. Recalled, not tried: that other bytes always stamp that time.
import { answered } from '../answered.js';
import type { ErpFile, ReadErpFile } from '../erp-records.js';
import type { ErpFiles } from '../files.js';
import { isNote } from './notes.js';
import type { BcReader } from './reader.js';
import { bcFile, bcFound, type SaleSet } from './wire.js';

/** A list of one document has no pages here: what it has is what it answers. */
export function bcFiles(reader: BcReader, set: SaleSet): ErpFiles {
  return {
    list: async (numbers) => {
      const owners = await reader.numbered(set, numbers, bcFound, [], { $select: 'id,number' });
      const files: ErpFile[] = [];
      for (const { id, number: of } of owners)
        for (const { id: file, fileName: name, byteSize: bytes, version } of await filesAt(
          reader,
          `${set}(${id})`,
        ))
          files.push({ of, name, bytes, version, at: `${set}(${id})/${file}` });
      return { files, isFull: false };
    },
  };
}

/** Looked at before and after: list and content are two calls. */
export function readBcFile(reader: BcReader): ReadErpFile {
  return async ({ at, version }) => {
    const slash = at.lastIndexOf('/');
    const [owner, id] = [at.slice(0, slash), at.slice(slash + 1)];
    const find = async () =>
      (await filesAt(reader, owner)).find((file) => file.id === id && file.version === version);
    const before = await find();
    if (before === undefined) return null;
    const path = `documentAttachments(${id})/attachmentContent`;
    const content = answered(await reader.client.download(path, before.byteSize));
    return (await find()) === undefined ? null : content;
  };
}

/** What the bridge says itself of a document is none of its files. */
async function filesAt({ client }: BcReader, owner: string) {
  const all = answered(await client.list(`${owner}/documentAttachments`, {}, bcFile));
  return all.filter(({ fileName }) => !isNote(fileName));
}
