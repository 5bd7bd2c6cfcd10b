// A VAT return on paper: the boxes as the Icelandic form has them, the codes behind them, and what is not in the books yet.
import { groupThousands } from '../../domain/text.js';
import type { VatReport } from '../views/vat.js';
import { BOX_NAMES } from './report.js';

type Page = PDFKit.PDFDocument;

const MARGIN = 50;
const RIGHT = 545;
const BOX_TEXTS: Readonly<Record<(typeof BOX_NAMES)[number], string>> = {
  A: 'Skattskyld velta í 24 % þrepi, án vsk.',
  B: 'Skattskyld velta í 11 % þrepi, án vsk.',
  C: 'Undanþegin velta skv. 12. gr.',
  D: 'Útskattur',
  E: 'Innskattur',
  F: 'Til greiðslu (D – E); mínus er inneign',
};
const CODES_X = [MARGIN, 130, 240, 300, 400, 480] as const;

export async function vatPdf(report: VatReport): Promise<Buffer> {
  // Loaded when somebody asks: it is large, and few do.
  const { default: Pdf } = await import('pdfkit');
  const page = new Pdf({ size: 'A4', margin: MARGIN, lang: 'is', info: { Title: titleOf(report) } });
  const chunks: Buffer[] = [];
  page.on('data', (chunk: Buffer) => chunks.push(chunk));
  const finished = new Promise<Buffer>((resolve, reject) => {
    page.on('end', () => resolve(Buffer.concat(chunks)));
    page.on('error', reject);
  });
  page.font('Helvetica-Bold').fontSize(16).text(titleOf(report));
  page.font('Helvetica').fontSize(10).text(`${report.tenant} · ${report.from} – ${report.to}`).moveDown();
  for (const box of BOX_NAMES) row(page, [`${box}   ${BOX_TEXTS[box]}`, kronur(report.boxes[box])]);
  row(page, ['Velta utan skýrslu (2. gr.)', kronur(report.outside)]);
  page.moveDown();
  codes(page, report);
  unposted(page, report);
  page.end();
  return finished;
}

function titleOf({ from, to }: VatReport): string {
  return `Virðisaukaskattur ${from.slice(0, 7)} – ${to.slice(0, 7)}`;
}

function row(page: Page, [name, value]: readonly [string, string]): void {
  const { y } = page;
  page.text(name, MARGIN, y, { width: 380 });
  page.text(value, RIGHT - 120, y, { width: 120, align: 'right' });
}

function codes(page: Page, report: VatReport): void {
  page.font('Helvetica-Bold');
  columns(page, ['Kóði', 'Hlið', 'Reitur', 'Stofn', 'Vsk.', 'Færslur']);
  page.font('Helvetica');
  for (const { code, side, box, base, vat, owed, entries } of report.codes) {
    const tax = side === 'reverse-charge' ? `${kronur(owed)} / ${kronur(vat)}` : kronur(vat);
    columns(page, [code, SIDES[side], box === 'none' ? '' : box, kronur(base), tax, String(entries)]);
  }
}

const SIDES = { sale: 'Sala', purchase: 'Kaup', 'reverse-charge': 'Snúin skattskylda' } as const;

function columns(page: Page, cells: readonly string[]): void {
  const { y } = page;
  cells.forEach((cell, index) => page.text(cell, CODES_X[index], y, { lineBreak: false }));
  page.text('', MARGIN, y + 14);
}

function unposted(page: Page, { unposted: { items, more }, withoutLines }: VatReport): void {
  if (items.length > 0) {
    const count = `${String(items.length)}${more ? '+' : ''}`;
    page.moveDown().text(`Óbókuð skjöl frá tímabilinu: ${count}. Þau myndu breyta skýrslunni.`, MARGIN);
    for (const { number, guid, issueDate, amount, currency, state } of items.slice(0, 30))
      page.text(`${issueDate}  ${number || guid}  ${kronur(amount)} ${currency}  ${state}`);
  }
  if (withoutLines > 0)
    page
      .moveDown()
      .text(`${String(withoutLines)} færslur eru án lína í skránni; sjá bókhaldskerfið.`, MARGIN);
}

function kronur(amount: string): string {
  const [whole = '', decimals = ''] = amount.replace('-', '').split('.');
  const grouped = groupThousands(whole);
  return `${amount.startsWith('-') ? '-' : ''}${grouped}${/^0*$/.test(decimals) ? '' : `,${decimals}`}`;
}
