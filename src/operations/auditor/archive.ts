// One archive a period for an auditor: the certificate, its tables, the originals, the description of the bookkeeping, and a page
// that leads to all of it.
import { createReadStream } from 'node:fs';
import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import type { TenantName } from '../../domain/ids.js';
import { certificateText } from '../../certificate/certificate-text.js';
import { fingerprintOf } from '../../certificate/signing.js';
import { CodedError } from '../../domain/errors/coded-error.js';
import type { Language } from '../../language/say.js';
import type { Vault } from '../../originals/vault.js';
import type { Act } from '../act.js';
import type { Closed, Closing, ClosingProgress } from '../closing/closing.js';
import type { Period } from '../deps.js';
import type { Descriptions } from '../description/description.js';
import { archiveTables, type SealedRecord } from './archive-tables.js';

export interface ArchiveDeps {
  readonly closing: Closing;
  readonly describe: Descriptions;
  readonly vault: Pick<Vault, 'check' | 'read'>;
}

export interface ArchiveRequest {
  readonly tenant: TenantName;
  readonly period: Period;
  readonly path: string;
  readonly language: Language;
}

export interface Archived {
  readonly path: string;
  readonly closed: Closed;
  readonly originals: number;
  /** Named by hash: on record, and not in the store as they were. */
  readonly missing: readonly string[];
}

const EXTENSIONS: Readonly<Record<string, string>> = { pdf: 'pdf', ubl: 'xml' };

export async function archivePeriod(
  deps: ArchiveDeps,
  request: ArchiveRequest,
  act: Act,
  onProgress?: (progress: ClosingProgress) => void,
): Promise<Archived> {
  const { tenant, period, language, path } = request;
  // Before anything else: whoever cannot write there is told at once, and nobody's file is written over.
  const file = await newFile(path);
  const directory = await mkdtemp(join(tmpdir(), 'ledgerbridge-archive-'));
  try {
    const closed = await deps.closing.close(tenant, period, act, onProgress);
    const zip = new ZipFile();
    const writing = pipeline(zip.outputStream, file.createWriteStream());
    // Told where it is waited for, below.
    writing.catch(() => undefined);
    const { originals, missing } = await addRecords(deps, closed, directory, zip);
    zip.addFile(closed.path, 'certificate.jsonl');
    for (const each of ['is', 'en'] as const) {
      zip.addBuffer(Buffer.from(printed(each, closed)), `certificate-${each}.txt`);
      zip.addBuffer(Buffer.from(await deps.describe.text(tenant, each)), `description-${each}.md`);
    }
    zip.addBuffer(Buffer.from(indexPage(language, closed, originals)), 'index.html');
    zip.end();
    await writing;
    return { path, closed, originals: originals.size, missing };
  } catch (error) {
    await file.close().catch(() => undefined);
    await rm(path, { force: true });
    throw error;
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

async function newFile(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'wx', 0o600);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? '';
    throw new CodedError('ARCHIVE_NOT_WRITTEN', `${path} ${WHY_NOT[code] ?? `cannot be written: ${code}`}.`, {
      cause: error,
    });
  }
}

const WHY_NOT: Readonly<Record<string, string>> = {
  EEXIST: 'is there already, and nothing is written over',
  ENOENT: 'is in a directory that is not there',
  EACCES: 'is in a directory where this user may not write',
};

function printed(language: Language, { head, seal }: Closed): string {
  const signedBy = seal.publicKey === null ? null : fingerprintOf(seal.publicKey);
  return `${certificateText(language, { head, summary: seal.summary, root: seal.root, signedBy })}\n`;
}

/** Reads the certificate again, line by line: what is in the tables is what was sealed. */
async function addRecords({ vault }: ArchiveDeps, closed: Closed, directory: string, zip: ZipFile) {
  const tables = await archiveTables(directory);
  const originals = new Set<string>();
  const missing: string[] = [];
  const fileOf = (sha256: string, role: string) => `originals/${sha256}.${EXTENSIONS[role] ?? 'bin'}`;
  const lines = createInterface({ input: createReadStream(closed.path, 'utf8') });
  for await (const line of lines) {
    if (!/^[0-9a-f]{64} /.test(line)) continue;
    const record = JSON.parse(line.slice(65)) as SealedRecord;
    await tables.add(record, fileOf);
    for (const { sha256, role, expired } of record.originals ?? []) {
      if (sha256 === null || expired !== undefined || originals.has(fileOf(sha256, role))) continue;
      if ((await vault.check(sha256)) !== 'whole') missing.push(sha256);
      else {
        originals.add(fileOf(sha256, role));
        zip.addReadStreamLazy(
          fileOf(sha256, role),
          { compress: false },
          (give) => void opened(vault, sha256, give),
        );
      }
    }
  }
  for (const [name, path] of await tables.close()) zip.addFile(path, name);
  return { originals, missing };
}

type Give = (error: unknown, stream: NodeJS.ReadableStream) => void;

/** Read when its turn in the archive comes, so that one file at a time is in memory. */
async function opened(vault: ArchiveDeps['vault'], sha256: string, give: Give): Promise<void> {
  try {
    const reading = await vault.read(sha256);
    if (reading.outcome !== 'whole') throw new Error(`the original ${sha256} is ${reading.outcome}`);
    give(null, Readable.from([reading.content]));
  } catch (error) {
    give(error, Readable.from([]));
  }
}

// The page that a person opens first: what is in the archive, and how to check it. Plain HTML without a script.

const WORDS = {
  en: {
    title: 'Archive of a period for auditors',
    files: 'What is in it',
    verdict: { green: 'Green: everything agrees.', red: 'Red: see the certificate.' },
    check: 'Check it without the bridge:',
    originals: 'Originals, named by the SHA-256 of their bytes',
    about: {
      'certificate-en.txt': 'the certificate, to read',
      'certificate.jsonl': 'the certificate, to verify',
      'description-en.md': 'how documents become entries',
      'documents.csv': 'every document',
      'journal_lines.csv': 'every line that the bridge booked',
      'erp_lines.csv': 'every line as the ERP shows it',
      'originals.csv': 'PDFs, receipts and e-invoices by hash',
    },
  },
  is: {
    title: 'Safn tímabils fyrir endurskoðendur',
    files: 'Innihald',
    verdict: { green: 'Grænt: allt stemmir.', red: 'Rautt: sjá staðfestinguna.' },
    check: 'Athuga má safnið án brúarinnar:',
    originals: 'Frumrit, nefnd eftir SHA-256-tætigildi sínu',
    about: {
      'certificate-is.txt': 'staðfestingin, til lestrar',
      'certificate.jsonl': 'staðfestingin, til sannprófunar',
      'description-is.md': 'hvernig skjöl verða að færslum',
      'documents.csv': 'öll skjöl',
      'journal_lines.csv': 'hver lína sem brúin bókaði',
      'erp_lines.csv': 'hver lína eins og bókhaldskerfið sýnir hana',
      'originals.csv': 'PDF-skjöl, kvittanir og rafrænir reikningar eftir tætigildi',
    },
  },
} as const;

function indexPage(language: Language, { head, seal }: Closed, originals: ReadonlySet<string>): string {
  const words = WORDS[language];
  const files = Object.entries(words.about)
    .map(([name, about]) => `<li><a href="${name}">${name}</a>: ${escaped(about)}</li>`)
    .join('\n');
  const links = [...originals]
    .sort()
    .map((name) => `<li><a href="${name}">${name}</a></li>`)
    .join('\n');
  return `<!doctype html>
<html lang="${language}">
<head><meta charset="utf-8"><title>${escaped(words.title)}</title></head>
<body>
<h1>${escaped(words.title)}</h1>
<p>${escaped(head.title)} (${escaped(head.account)}), ${head.from} – ${head.to}</p>
<p><strong>${escaped(words.verdict[seal.summary.verdict])}</strong></p>
<h2>${escaped(words.files)}</h2>
<ul>
${files}
</ul>
<p>${escaped(words.check)} <code>ledgerbridge verify certificate.jsonl</code></p>
<h2>${escaped(words.originals)}</h2>
<ul>
${links}
</ul>
</body>
</html>
`;
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
