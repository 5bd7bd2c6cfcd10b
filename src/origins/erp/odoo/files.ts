// Attachments of Odoo. Their checksum (SHA-1, which Odoo counts itself) tells their versions apart. What Odoo keeps as a file for a field of
// a document, such as the PDF that it has printed, is none that people have put there.
import { createHash } from 'node:crypto';
import type { ReadErpFile } from '../erp-records.js';
import type { ErpFiles } from '../files.js';
import type { OdooReader } from './reader.js';
import { FILE_FIELDS, odooFile, odooFileData } from './wire.js';

const MODEL = 'ir.attachment';
const FILES_MAX = 1_000;

export function odooFiles(reader: OdooReader, model: string): ErpFiles {
  return {
    list: async (documents) => {
      const domain = [
        ['res_model', '=', model],
        ['res_id', 'in', documents.map(Number)],
        ['res_field', '=', false],
      ];
      const found = await reader.find(MODEL, domain, FILE_FIELDS, odooFile, 'id asc', FILES_MAX);
      const files = found.map(({ id, name, type, file_size: size, checksum: version, res_id: of }) => ({
        ...{ of: String(of), name, bytes: type === 'binary' ? size : null, at: String(id), version },
      }));
      return { files, isFull: found.length >= FILES_MAX };
    },
  };
}

/** One that has changed is not found, so that nothing larger than was foretold is fetched. */
export function readOdooFile(reader: OdooReader): ReadErpFile {
  return async ({ at, version }) => {
    const domain = [
      ['id', '=', Number(at)],
      ['checksum', '=', version],
    ];
    const [found] = await reader.find(MODEL, domain, ['datas'], odooFileData, 'id asc', 1);
    if (found === undefined || found.datas === '') return null;
    const content = Buffer.from(found.datas, 'base64');
    return createHash('sha1').update(content).digest('hex') === version ? content : null;
  };
}
