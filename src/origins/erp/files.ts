// Files that people keep beside a document in their ERP. Those that the tenant file names go with it. Of each the name, the size and its
// version are read with the document; its bytes only when it leaves.
import { contentText, readContent } from '../../outbound/content.js';
import { told } from '../../erp/told.js';
import { goesWith } from '../file-patterns.js';
import { problemAt } from '../origin.js';
import type { ErpFeed, ErpFile, Reading } from './erp-records.js';

export interface ErpFiles {
  /** Beside these documents, the oldest first. */
  list(documents: readonly string[]): Promise<FoundFiles>;
}

export interface FoundFiles {
  readonly files: readonly ErpFile[];
  /** There may be more than were asked for. */
  readonly isFull: boolean;
}

/** The same feed, its documents with their files. */
export function withFiles(feed: ErpFeed, patterns: readonly string[] | undefined, files: ErpFiles): ErpFeed {
  if (patterns === undefined || patterns.length === 0) return feed;
  const { name, kinds, basis, isCoarse } = feed;
  return {
    ...{ name, kinds },
    ...(basis === undefined ? {} : { basis }),
    ...(isCoarse === undefined ? {} : { isCoarse }),
    list: (since, after) => feed.list(since, after),
    find: (reference) => feed.find(reference),
    read: async (ids) => {
      const readings = await feed.read(ids);
      const documents = readings.filter(({ records }) => records.length > 0).map(({ id }) => id);
      const found = (await listAll(files, documents)).filter(({ name: file }) => goesWith(patterns, file));
      return readings.map((reading) =>
        attach(
          reading,
          found.filter(({ of }) => of === reading.id),
        ),
      );
    },
  };
}

/** None is left out because there are many. */
async function listAll(files: ErpFiles, documents: readonly string[]): Promise<readonly ErpFile[]> {
  if (documents.length === 0) return [];
  const found = await files.list(documents);
  if (!found.isFull || documents.length === 1) return found.files;
  const half = Math.ceil(documents.length / 2);
  const first = await listAll(files, documents.slice(0, half));
  return [...first, ...(await listAll(files, documents.slice(half)))];
}

/** A document comes behind its customer. */
function attach(reading: Reading, found: readonly ErpFile[]): Reading {
  const document = reading.records.at(-1);
  if (document === undefined || found.length === 0) return reading;
  const link = found.find(({ bytes }) => bytes === null);
  if (link !== undefined) return unfit(reading, told('FILE_IS_LINK', { file: link.name.slice(0, 200) }));
  const files = found.map(({ name, bytes, at, version }) => ({
    ...{ name: plainName(name), bytes: String(bytes), at, version },
  }));
  const value = { ...(JSON.parse(document.content) as object), files };
  const read = readContent(document.kind, value);
  if (read.outcome === 'problem') return unfit(reading, read.words);
  return {
    ...reading,
    records: [...reading.records.slice(0, -1), { ...document, content: contentText(read.content) }],
  };
}

function unfit({ id, looked }: Reading, words: Parameters<typeof problemAt>[1]): Reading {
  return { id, records: [], problems: [problemAt(looked, words)], looked };
}

/** People call files by the numbers of invoices, and those have slashes in them. */
function plainName(name: string): string {
  return name.replaceAll(/[/\\\p{Cc}]/gu, '_').replace(/^\.+/, '_');
}
