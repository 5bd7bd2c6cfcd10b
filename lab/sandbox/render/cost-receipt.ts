// The scanned paper behind a cost: a one-page PDF, made when somebody downloads it. Costs are listed with their files, so
// this is written by hand in microseconds; invoice-pdf.ts has the time for a library.
import type { AccountProfile, Cost, Hundredths, DateText } from '../model.js';
import { supplierFacts } from './cost-ubl.js';
import { vatParts } from './cost-vat.js';

const WIDTH = 260;
const LINE_HEIGHT = 16;

interface ReceiptLine {
  readonly left: string;
  readonly right?: string;
  readonly bold?: boolean;
}

export function costReceipt(profile: AccountProfile, cost: Cost): Buffer {
  const supplier = supplierFacts(cost);
  const money = (value: Hundredths): string => icelandicAmount(value, cost.currency);
  const lines: ReceiptLine[] = [
    { left: supplier.name, bold: true },
    { left: `${supplier.street}, ${supplier.zip} ${supplier.city}` },
    { left: `Kt. ${kennitalaText(cost.supplier_id)}` },
    { left: '' },
    {
      left: cost.credit_note ? 'KREDITREIKNINGUR' : 'REIKNINGUR',
      right: cost.supplier_invoice_number,
      bold: true,
    },
    { left: 'Dagsetning', right: icelandicDate(cost.issue_date) },
    { left: 'Kaupandi', right: profile.name },
    { left: '' },
    { left: cost.description },
    ...vatParts(cost).flatMap((part) => [
      { left: `Án VSK ${part.percent}%`, right: money(part.base) },
      ...(part.vat === 0 ? [] : [{ left: `VSK ${part.percent}%`, right: money(part.vat) }]),
    ]),
    { left: '' },
    { left: `Samtals ${cost.currency}`, right: money(cost.amount), bold: true },
  ];
  return onePage(lines);
}

function onePage(lines: readonly ReceiptLine[]): Buffer {
  const height = 40 + lines.length * LINE_HEIGHT;
  const drawn = lines.map((line, index) => drawnLine(line, height - 30 - index * LINE_HEIGHT)).join('\n');
  return pdfOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${WIDTH} ${height}] /Contents 6 0 R ` +
      '/Resources << /Font << /F1 4 0 R /F2 5 0 R >> >> >>',
    '<< /Type /Font /Subtype /Type1 /BaseFont /Courier /Encoding /WinAnsiEncoding >>',
    '<< /Type /Font /Subtype /Type1 /BaseFont /Courier-Bold /Encoding /WinAnsiEncoding >>',
    `<< /Length ${drawn.length} >>\nstream\n${drawn}\nendstream`,
  ]);
}

/** Courier is 0.6 of its size wide, which right-aligns without font metrics. */
function drawnLine({ left, right = '', bold = false }: ReceiptLine, y: number): string {
  const size = 9;
  const characterWidth = size * 0.6;
  const columns = Math.floor((WIDTH - 40) / characterWidth);
  const text = left.slice(0, Math.max(0, columns - right.length - 1)).padEnd(columns - right.length) + right;
  return `BT /${bold ? 'F2' : 'F1'} ${size} Tf 20 ${y} Td (${winAnsi(text.slice(0, columns))}) Tj ET`;
}

/** Icelandic letters have the same numbers in WinAnsi and Latin-1; anything beyond prints as a question mark. */
function winAnsi(text: string): string {
  return text
    .replace(/[^\u0020-\u007e\u00a0-\u00ff]/g, '?')
    .replace(/[\\()]/g, (character) => `\\${character}`);
}

function pdfOf(objects: readonly string[]): Buffer {
  let text = '%PDF-1.4\n%\u00e2\u00e3\u00cf\u00d3\n';
  const offsets: number[] = [];
  for (const [index, object] of objects.entries()) {
    offsets.push(text.length);
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
  }
  const entries = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const size = objects.length + 1;
  text +=
    `xref\n0 ${size}\n0000000000 65535 f \n${entries}trailer\n<< /Size ${size} /Root 1 0 R >>\n` +
    `startxref\n${text.length}\n%%EOF\n`;
  return Buffer.from(text, 'latin1');
}

// Amounts, dates and kennitölur as Icelanders write them.

const WHOLE_CURRENCIES: readonly string[] = ['ISK', 'JPY', 'KRW', 'VND'];

/** 1.234.567 kr, 1.234,50 in currencies with cents; cents of krónur are shown only where there are some. */
export function icelandicAmount(amount: Hundredths, currency: string): string {
  const magnitude = Math.abs(amount);
  const whole = Math.floor(magnitude / 100).toLocaleString('is-IS');
  const hidesCents = WHOLE_CURRENCIES.includes(currency) && magnitude % 100 === 0;
  const cents = hidesCents ? '' : `,${String(magnitude % 100).padStart(2, '0')}`;
  return `${amount < 0 ? '-' : ''}${whole}${cents}`;
}

export function icelandicDate(date: DateText): string {
  const [year, month, day] = date.split('-');
  return `${day ?? ''}.${month ?? ''}.${year ?? ''}`;
}

export function kennitalaText(kennitala: string): string {
  return /^\d{10}$/.test(kennitala) ? `${kennitala.slice(0, 6)}-${kennitala.slice(6)}` : kennitala;
}
