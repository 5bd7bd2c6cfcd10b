// Attachments of Tryton. The time of their last change tells their versions apart: writing other data stamps it.
import * as z from 'zod';
import { wireInteger } from '../../../http/wire-json.js';
import type { ReadErpFile } from '../erp-records.js';
import type { ErpFiles } from '../files.js';
import type { TrytonReader } from './reader.js';
import { stamp, STAMPS, wireStamp } from './wire.js';

const MODEL = 'ir.attachment';
const FILES_MAX = 1_000;
const FIELDS = ['name', 'type', 'data_size', 'resource', ...STAMPS];

const wireFiles = z.array(
  z.object({
    ...{ id: wireInteger, name: z.string(), type: z.string(), resource: z.string() },
    ...{ data_size: wireInteger.nullable(), create_date: wireStamp, write_date: wireStamp.nullable() },
  }),
);

const wireData = z.array(
  z.object({ data: z.object({ __class__: z.literal('bytes'), base64: z.string() }).nullable() }),
);

export function trytonFiles(reader: TrytonReader, model: string): ErpFiles {
  return {
    list: async (documents) => {
      const domain = [['resource', 'in', documents.map((id) => `${model},${id}`)]];
      const found = await reader.find(MODEL, domain, FIELDS, wireFiles, FILES_MAX);
      const files = found.map(({ id, name, type, data_size: size, resource, ...dates }) => ({
        ...{ of: resource.split(',')[1] ?? '', name, bytes: type === 'data' ? (size ?? 0) : null },
        ...{ at: String(id), version: dates.write_date ?? dates.create_date },
      }));
      return { files, isFull: found.length >= FILES_MAX };
    },
  };
}

/** One that has changed is not found, so that nothing larger than was foretold is fetched. */
export function readTrytonFile(reader: TrytonReader): ReadErpFile {
  return async ({ at, version }) => {
    const changed = stamp(version);
    const never = [
      ['write_date', '=', null],
      ['create_date', '=', changed],
    ];
    const domain = [
      ['id', '=', Number(at)],
      ['type', '=', 'data'],
      ['OR', ['write_date', '=', changed], never],
    ];
    const [found] = await reader.find(MODEL, domain, ['data'], wireData, 1);
    return found?.data ? Buffer.from(found.data.base64, 'base64') : null;
  };
}
