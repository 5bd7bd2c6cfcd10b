// A certificate as one page of text that can be printed, in English and Icelandic.
import { createReadStream } from 'node:fs';
import type { CertificateHead, CertificateSummary } from './certificate.js';
import { momentInWords } from '../domain/local-time.js';
import { writtenNumber } from '../domain/text.js';
import { originalWord } from '../language/originals.js';
import { type Language, say } from '../language/say.js';

const WORDS = {
  en: {
    title: 'Certificate of a period',
    company: 'Company',
    period: 'Period',
    made: 'Made',
    by: 'by',
    green: 'GREEN: invoicing service, bridge and ERP agree, and nothing is missing.',
    red: 'RED: what is below must be looked at.',
    documents: 'Documents',
    source: 'service',
    bridge: 'bridge',
    accounts: 'Accounts (debit / credit)',
    vat: 'VAT codes (debit / credit)',
    entries: 'Entries in the ERP',
    numbers: 'Invoice numbers',
    none: 'none missing',
    missing: 'missing',
    originals: 'Originals',
    setAside: 'Not in the books',
    decided: 'decided by',
    audit: 'Audit chain',
    whole: 'whole',
    broken: 'BROKEN',
    limits: 'What this cannot see',
    root: 'Root',
    previous: 'After the certificate with the root',
    signed: 'Signed with the key',
    unsigned: 'Not signed: no key was set.',
  },
  is: {
    title: 'Staðfesting á tímabili',
    company: 'Félag',
    period: 'Tímabil',
    made: 'Gerð',
    by: 'af',
    green: 'GRÆNT: reikningakerfi, brú og bókhald eru samhljóða og ekkert vantar.',
    red: 'RAUTT: skoða þarf það sem talið er upp hér að neðan.',
    documents: 'Skjöl',
    source: 'reikningakerfi',
    bridge: 'brú',
    accounts: 'Bókhaldslyklar (debet / kredit)',
    vat: 'VSK-lyklar (debet / kredit)',
    entries: 'Færslur í bókhaldskerfinu',
    numbers: 'Reikningsnúmer',
    none: 'ekkert vantar',
    missing: 'vantar',
    originals: 'Frumrit',
    setAside: 'Ekki í bókunum',
    decided: 'ákvarðað af',
    audit: 'Ferilskrá',
    whole: 'heil',
    broken: 'ROFIN',
    limits: 'Það sem hér sést ekki',
    root: 'Rót',
    previous: 'Á eftir staðfestingu með rótinni',
    signed: 'Undirritað með lyklinum',
    unsigned: 'Óundirritað: enginn lykill var stilltur.',
  },
} as const satisfies Record<Language, Record<string, string>>;

const KINDS: Readonly<Record<Language, Readonly<Record<string, string>>>> = {
  en: { invoice: 'Invoices', cost: 'Costs' },
  is: { invoice: 'Reikningar', cost: 'Kostnaður' },
};

/** What is counted together: the documents of a kind in a currency. */
export function subjectText(language: Language, subject: string): string {
  const [kind = '', ...currency] = subject.split(' ');
  return [KINDS[language][kind] ?? kind, ...currency].join(' ');
}

const SHOWN_MAX = 100;

export interface PrintedCertificate {
  readonly head: CertificateHead;
  readonly summary: CertificateSummary;
  readonly root: string;
  /** Fingerprint of the key; null: not signed. */
  readonly signedBy: string | null;
}

export function certificateText(language: Language, certificate: PrintedCertificate): string {
  const { head, summary, root, signedBy } = certificate;
  const words = WORDS[language];
  const blocks = [
    [
      words.title.toUpperCase(),
      `${words.company}: ${head.title} (${head.account}), ${head.ledger}`,
      `${words.period}: ${head.from} – ${head.to}`,
      `${words.made}: ${momentInWords(head.madeAt)} ${words.by} ${head.madeBy}, ${head.program}`,
    ],
    [
      summary.verdict === 'green' ? words.green : words.red,
      ...listed(summary.differences.map((difference) => say(language, difference))),
    ],
    ...figures(language, summary),
    [`${words.limits}:`, ...listed(summary.limits.map((limit) => say(language, limit)))],
    [
      `${words.root}: ${root}`,
      ...(head.previous === null ? [] : [`${words.previous} ${head.previous.root} (${head.previous.to})`]),
      signedBy === null ? words.unsigned : `${words.signed} ${signedBy}`,
    ],
  ];
  return blocks.map((lines) => lines.join('\n')).join('\n\n');
}

function figures(language: Language, summary: CertificateSummary): string[][] {
  const words = WORDS[language];
  const { numbers, audit, entries } = summary;
  const mark = (agrees: boolean) => (agrees ? '=' : '≠');
  const tally = (one: { count: number; sum: string } | null) =>
    one === null ? '–' : `${String(one.count)} (${writtenNumber(one.sum)})`;
  return [
    [
      `${words.documents}:`,
      ...summary.documents.map(
        (one) =>
          `  ${subjectText(language, one.subject)}: ${words.source} ${tally(one.source)} ${mark(one.agrees)} ${words.bridge} ${tally(one.bridge)}`,
      ),
      `${words.entries}: ${String(entries.bridge)} ${mark(entries.erp === null || entries.erp === entries.bridge)} ${String(entries.erp ?? '–')}`,
      `${words.numbers}: ${numbers === null ? '–' : `${numbers.first}–${numbers.last}, ${numbers.missing.length === 0 ? words.none : `${words.missing} ${numbers.missing.slice(0, SHOWN_MAX).join(', ')}`}`}`,
      `${words.originals}: ${
        Object.entries(summary.originals)
          .map(([state, count]) => `${originalWord(language, 'states', state)}: ${String(count)}`)
          .join(', ') || '–'
      }`,
      `${words.audit}: ${audit.whole ? words.whole : words.broken}, ${audit.length}`,
    ],
    [
      `${words.accounts}:`,
      ...summary.accounts.map(
        ({ account, bridge, erp, agrees }) =>
          `  ${account}: ${sidesText(bridge)}${erp === null ? '' : ` ${mark(agrees)} ${sidesText(erp)}`}`,
      ),
    ],
    [
      `${words.vat}:`,
      ...summary.vat.map(
        ({ vatCode, rates, debit, credit, lines, erp, agrees }) =>
          `  ${codeText(vatCode, rates)}: ${sidesText({ debit, credit })} (${String(lines)})${erp ? ` ${mark(agrees !== false)} ${sidesText(erp)}` : ''}`,
      ),
    ],
    [
      `${words.setAside}: ${String(summary.setAside.length)}`,
      ...listed(
        summary.setAside.map(
          ({ kind, number, guid, amount, currency, state, why, decidedBy }) =>
            `${kind} ${number || guid}, ${writtenNumber(amount)} ${currency}: ${state}${why === null ? '' : `, ${say(language, why)}`} (${words.decided} ${decidedBy})`,
        ),
      ),
    ],
  ];
}

export function sidesText({ debit, credit }: { readonly debit: string; readonly credit: string }): string {
  return `${writtenNumber(debit)} / ${writtenNumber(credit)}`;
}

/** A VAT code with its rates: U24 (24%). */
export function codeText(vatCode: string, rates: readonly string[] = []): string {
  return rates.length === 0 ? vatCode : `${vatCode} (${rates.map((rate) => `${rate}%`).join(', ')})`;
}

function listed(lines: readonly string[]): string[] {
  const more = lines.length - SHOWN_MAX;
  return [
    ...lines.slice(0, SHOWN_MAX).map((line) => `  - ${line}`),
    ...(more > 0 ? [`  … +${String(more)}`] : []),
  ];
}

// The lines of a certificate as bytes, not characters: what was hashed is bytes. Only one piece of the file is in memory.
const LINE_BYTES_MAX = 64 * 1024 * 1024;
const PIECE_BYTES = 4 * 1024 * 1024;
const NEWLINE = 0x0a;
const HASH_CHARACTERS = 64;

/** A path, or the bytes themselves. */
export type CertificateBytes = string | Buffer;

export async function forEachLine(
  from: CertificateBytes,
  take: (line: Buffer) => void,
  onProgress?: (bytes: number) => void,
): Promise<void> {
  let rest: Buffer = Buffer.alloc(0);
  let read = 0;
  const pieces = typeof from === 'string' ? createReadStream(from, { highWaterMark: PIECE_BYTES }) : [from];
  for await (const piece of pieces) {
    const chunk = piece as Buffer;
    read += chunk.length;
    onProgress?.(read);
    const data = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let start = 0;
    for (let end = data.indexOf(NEWLINE); end !== -1; end = data.indexOf(NEWLINE, start)) {
      take(data.subarray(start, end));
      start = end + 1;
    }
    rest = data.subarray(start);
    if (rest.length > LINE_BYTES_MAX) break;
  }
  if (rest.length > 0) take(rest);
}

export type LineKind = 'record' | 'index' | 'seal';

export function kindOf(line: Buffer): LineKind {
  if (begins(line, 'seal ')) return 'seal';
  return begins(line, 'index ') ? 'index' : 'record';
}

function begins(line: Buffer, word: string): boolean {
  return line.length >= word.length && line.toString('latin1', 0, word.length) === word;
}

/** What a line of a record says of itself: the hash before the space, and the bytes after it. */
export function recordOf(line: Buffer): { readonly written: string; readonly record: Buffer } {
  const isNamed = line[HASH_CHARACTERS] === 0x20;
  return {
    written: isNamed ? line.toString('latin1', 0, HASH_CHARACTERS) : '',
    record: line.subarray(HASH_CHARACTERS + 1),
  };
}

/** What a person would call it: kind, number and guid of the document; the key of an entry that belongs to none. */
export function nameOf(record: Buffer): string {
  const value = parsed(record.toString('utf8')) as Readonly<Record<string, unknown>> | null;
  const document = (value?.['document'] ?? value) as Readonly<Record<string, unknown>> | null;
  const parts = [document?.['kind'], document?.['number'], document?.['guid'], value?.['key']];
  const named = parts.filter((part): part is string => typeof part === 'string' && part !== '').join(' ');
  return named === '' ? record.toString('utf8', 0, 80) : named;
}

export function parsed(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' ? value : null;
  } catch {
    return null;
  }
}

// A certificate on paper, in one language: what it found in green or red at the top, then the figures, and at the foot what proves
// it. Long lists are cut and say so; the file has everything.

const MARGIN = 46;
const COLOURS = { green: '#116633', red: '#aa1122' } as const;
/** Signs that the fonts every reader has do not know. */
const IN_FONT: readonly (readonly [RegExp, string])[] = [
  [/≠/g, '<>'],
  [/−/g, '-'],
  [/[^\u0020-\u007e\u00a0-\u00ff–—‘’“”…•\n]/g, '?'],
];

export async function certificatePdf(
  language: Language,
  printed: PrintedCertificate,
  reopened: string | null,
): Promise<Buffer> {
  // Loaded when somebody asks: it is large, and few do.
  const { default: Pdf } = await import('pdfkit');
  const [heading = '', verdict = '', ...blocks] = certificateText(language, printed)
    .split('\n\n')
    .map(inFont);
  const [title = '', ...facts] = heading.split('\n');
  const page = new Pdf({ size: 'A4', margin: MARGIN, lang: language, info: { Title: title } });
  const chunks: Buffer[] = [];
  page.on('data', (chunk: Buffer) => chunks.push(chunk));
  const finished = new Promise<Buffer>((resolve, reject) => {
    page.on('end', () => resolve(Buffer.concat(chunks)));
    page.on('error', reject);
  });
  page.font('Helvetica-Bold').fontSize(15).text(title);
  page.font('Helvetica').fontSize(9).text(facts.join('\n')).moveDown();
  const [said = '', ...differences] = verdict.split('\n');
  page.font('Helvetica-Bold').fontSize(11).fillColor(COLOURS[printed.summary.verdict]).text(said);
  if (reopened !== null) page.fillColor(COLOURS.red).text(inFont(reopened));
  page.font('Helvetica').fontSize(9);
  if (differences.length > 0) page.fillColor(COLOURS.red).text(differences.join('\n'));
  page.fillColor('black').moveDown();
  for (const block of blocks) page.text(block).moveDown(0.6);
  page.end();
  return finished;
}

function inFont(text: string): string {
  return IN_FONT.reduce((shown, [sign, instead]) => shown.replaceAll(sign, instead), text);
}
