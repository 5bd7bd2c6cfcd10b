// An invoice on paper: one PDF with as many A4 pages as its lines need, Icelandic throughout, in the standard fonts that
// every reader has (their WinAnsi letters include þ, ð, æ and ö).
import type PDFDocument from 'pdfkit';
import type { AccountProfile, Invoice, InvoiceLine } from '../model.js';
import { lineNet, totalsOf } from '../money.js';
import { icelandicAmount, icelandicDate, kennitalaText } from './cost-receipt.js';

type Page = InstanceType<typeof PDFDocument>;

const MARGIN = 50;
const RIGHT = 595 - MARGIN;
const BOTTOM = 770;
const INK = '#1d2733';
const FAINT = '#66717d';
const ACCENT = '#1f4e79';
const RULE = '#c9d1d9';
const UNITS: Readonly<Record<string, string>> = {
  C62: 'stk.',
  HUR: 'klst.',
  DAY: 'dagar',
  MIN: 'mín.',
  KGS: 'kg',
  MTR: 'm',
  LTR: 'l',
  MTK: 'm²',
  MTQ: 'm³',
  TNE: 't',
  KWH: 'kWh',
  KTM: 'km',
};
/** Right edges of the numeric columns. */
const COLUMN = { quantity: 330, price: 405, discount: 455, vat: 490, net: RIGHT } as const;

export async function invoicePdf(profile: AccountProfile, invoice: Invoice): Promise<Buffer> {
  const title = `${titleOf(invoice)} ${invoice.number}`;
  // A third of the sandbox's start, and few ask for a PDF.
  const { default: Pdf } = await import('pdfkit');
  const page = new Pdf({
    size: 'A4',
    margin: MARGIN,
    lang: 'is',
    info: { Title: title, Author: profile.name, CreationDate: new Date(`${invoice.issue_date}T12:00:00Z`) },
  });
  const chunks: Buffer[] = [];
  page.on('data', (chunk: Buffer) => chunks.push(chunk));
  const finished = new Promise<Buffer>((resolve, reject) => {
    page.on('end', () => resolve(Buffer.concat(chunks)));
    page.on('error', reject);
  });
  drawHead(page, profile, invoice);
  drawFacts(page, invoice);
  drawLines(page, invoice);
  drawTotals(page, invoice);
  drawFoot(page, profile, invoice);
  page.end();
  return finished;
}

function titleOf(invoice: Invoice): string {
  if (invoice.status === 'Draft') return 'Drög að reikningi';
  return invoice.type === 'credit' ? 'Kreditreikningur' : 'Reikningur';
}

function drawHead(page: Page, profile: AccountProfile, invoice: Invoice): void {
  page.rect(0, 0, 595, 8).fill(ACCENT);
  page.fillColor(INK).font('Helvetica-Bold').fontSize(16).text(profile.name, MARGIN, 42, { width: 290 });
  page.font('Helvetica').fontSize(9).fillColor(FAINT);
  page.text(`${profile.address}, ${profile.zip} ${profile.city}`);
  page.text(`Kt. ${kennitalaText(profile.registration_no)}   VSK-nr. ${profile.vat_no}`);
  page.text(profile.email);
  page.font('Helvetica-Bold').fontSize(20).fillColor(ACCENT);
  rightText(page, titleOf(invoice), RIGHT, 40, 250);
  page.fontSize(11).fillColor(INK);
  rightText(page, invoice.number === '' ? 'án númers' : `nr. ${invoice.number}`, RIGHT, 66, 250);
}

function drawFacts(page: Page, invoice: Invoice): void {
  const { customer } = invoice;
  page.font('Helvetica').fontSize(8).fillColor(FAINT).text('VIÐTAKANDI', MARGIN, 130);
  page.font('Helvetica-Bold').fontSize(11).fillColor(INK).text(customer.name, { width: 270 });
  page.font('Helvetica').fontSize(9.5);
  page.text(customer.address, { width: 270 });
  page.text(`${customer.zip} ${customer.city}`);
  if (customer.registration_no !== '') page.text(`Kt. ${kennitalaText(customer.registration_no)}`);
  const facts: (readonly [string, string])[] = [
    ['Útgáfudagur', icelandicDate(invoice.issue_date)],
    ['Gjalddagi', icelandicDate(invoice.due_date)],
    ['Eindagi', icelandicDate(invoice.settlement_date)],
    ...(invoice.delivery_date === null ? [] : [['Afhending', icelandicDate(invoice.delivery_date)] as const]),
    ...(invoice.currency === 'ISK' ? [] : [['Gengi ISK', invoice.exchange_rate.replace('.', ',')] as const]),
    ...(invoice.cost_provide === '' ? [] : [['Kostnaðarstaður', invoice.cost_provide] as const]),
    ...(invoice.booking === '' ? [] : [['Bókunarnúmer', invoice.booking] as const]),
  ];
  for (const [index, [label, value]] of facts.entries()) {
    const y = 130 + index * 15;
    page.font('Helvetica').fontSize(9).fillColor(FAINT).text(label, 350, y, { width: 90, lineBreak: false });
    page.fillColor(INK);
    rightText(page, value, RIGHT, y, 110);
  }
  page.y = Math.max(page.y, 130 + facts.length * 15, 225) + 12;
  if (invoice.description !== '') {
    page
      .font('Helvetica')
      .fontSize(9.5)
      .fillColor(INK)
      .text(invoice.description, MARGIN, page.y, { width: 495 });
    page.y += 8;
  }
}

function drawLines(page: Page, invoice: Invoice): void {
  drawColumnHeads(page);
  for (const line of invoice.items) {
    if (page.y > BOTTOM - 40) {
      page.addPage();
      page.y = MARGIN;
      drawColumnHeads(page);
    }
    drawLine(page, line, invoice.currency);
  }
}

function drawColumnHeads(page: Page): void {
  const y = page.y;
  page.rect(MARGIN, y, RIGHT - MARGIN, 18).fill('#eef2f6');
  page.font('Helvetica-Bold').fontSize(8).fillColor(FAINT);
  page.text('LÝSING', MARGIN + 6, y + 5, { lineBreak: false });
  rightText(page, 'MAGN', COLUMN.quantity, y + 5, 80);
  rightText(page, 'EININGARVERÐ', COLUMN.price, y + 5, 80);
  rightText(page, 'AFSL.', COLUMN.discount, y + 5, 50);
  rightText(page, 'VSK', COLUMN.vat, y + 5, 40);
  rightText(page, 'ÁN VSK', COLUMN.net - 6, y + 5, 80);
  page.y = y + 24;
}

function drawLine(page: Page, line: InvoiceLine, currency: string): void {
  const y = page.y;
  page
    .font('Helvetica')
    .fontSize(9.5)
    .fillColor(INK)
    .text(line.description, MARGIN + 6, y, { width: 205 });
  const below = Math.max(page.y, y + 12);
  page.fontSize(9);
  rightText(page, `${line.qty} ${UNITS[line.uom] ?? line.uom}`, COLUMN.quantity, y, 70);
  rightText(page, icelandicDecimal(line.unit_price), COLUMN.price, y, 75);
  rightText(page, discountText(line), COLUMN.discount, y, 50);
  rightText(page, { S: '24%', AA: '11%', Z: '0%' }[line.tax], COLUMN.vat, y, 35);
  rightText(page, icelandicAmount(lineNet(line), currency), COLUMN.net - 6, y, 55);
  page.y = below + 4;
  page.moveTo(MARGIN, page.y).lineTo(RIGHT, page.y).lineWidth(0.5).strokeColor(RULE).stroke();
  page.y += 6;
}

function drawTotals(page: Page, invoice: Invoice): void {
  const { net, vat } = totalsOf(invoice.items);
  const charged = net.S + net.AA + net.Z !== invoice.amount;
  const rows: (readonly [string, number])[] = [['Samtals án VSK', net.S + net.AA + net.Z]];
  if (charged && vat.S !== 0) rows.push([`VSK 24% af ${icelandicAmount(net.S, invoice.currency)}`, vat.S]);
  if (charged && vat.AA !== 0) rows.push([`VSK 11% af ${icelandicAmount(net.AA, invoice.currency)}`, vat.AA]);
  if (page.y > BOTTOM - 120) {
    page.addPage();
    page.y = MARGIN;
  }
  let y = page.y + 8;
  for (const [label, value] of rows) {
    page.font('Helvetica').fontSize(9.5).fillColor(FAINT).text(label, 320, y, { lineBreak: false });
    page.fillColor(INK);
    rightText(page, icelandicAmount(value, invoice.currency), RIGHT - 6, y, 100);
    y += 16;
  }
  page.rect(312, y + 2, RIGHT - 312, 26).fill(ACCENT);
  const total = invoice.type === 'credit' ? 'Til inneignar' : 'Til greiðslu';
  page
    .font('Helvetica-Bold')
    .fontSize(11)
    .fillColor('#ffffff')
    .text(`${total} ${invoice.currency}`, 320, y + 10, {
      lineBreak: false,
    });
  rightText(page, icelandicAmount(invoice.amount, invoice.currency), RIGHT - 6, y + 10, 110);
  page.y = y + 48;
}

function drawFoot(page: Page, profile: AccountProfile, invoice: Invoice): void {
  page.font('Helvetica').fontSize(9).fillColor(FAINT);
  if (invoice.terms !== '') page.text(invoice.terms, MARGIN, page.y, { width: 495 });
  page.moveTo(MARGIN, BOTTOM).lineTo(RIGHT, BOTTOM).lineWidth(0.5).strokeColor(RULE).stroke();
  page
    .fontSize(7.5)
    .text(
      `${profile.name} · kt. ${kennitalaText(profile.registration_no)} · Reikningurinn er gerður í rafrænu kerfi skv. reglugerð nr. 505/2013.`,
      MARGIN,
      BOTTOM + 5,
      { width: RIGHT - MARGIN, align: 'center', lineBreak: false },
    );
}

/** pdfkit moves its pen after each text; tables put it back themselves. */
function rightText(page: Page, text: string, right: number, y: number, width: number): void {
  page.text(text, right - width, y, { width, align: 'right', lineBreak: false });
}

function discountText(line: InvoiceLine): string {
  if (Number(line.discount) === 0) return '';
  return line.discount_type ? `${line.discount.replace('.', ',')}%` : icelandicDecimal(line.discount);
}

function icelandicDecimal(text: string): string {
  const [whole = '0', fraction = ''] = text.split('.');
  return whole.replace(/\B(?=(\d{3}){1,5}$)/g, '.') + (fraction === '' ? '' : `,${fraction}`);
}
