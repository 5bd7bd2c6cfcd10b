// A VAT return as a file: CSV for a spreadsheet, JSON for programs.
import { csvCell } from '../export.js';
import type { VatReport } from '../views/vat.js';
import { BOX_NAMES } from './report.js';

export function vatCsv(report: VatReport): string {
  const rows: (readonly string[])[] = [
    ['tenant', report.tenant],
    ['from', report.from],
    ['to', report.to],
    ['box', 'isk'],
    ...BOX_NAMES.map((box) => [box, report.boxes[box]]),
    ['outside', report.outside],
    ['code', 'side', 'box', 'base', 'vat', 'owed', 'entries'],
    ...report.codes.map(({ code, side, box, base, vat, owed, entries }) => [
      code,
      side,
      box,
      base,
      vat,
      owed,
      String(entries),
    ]),
    ...documentRows(report),
    ['not posted', 'kind', 'number', 'issued', 'state', 'amount', 'currency'],
    ...report.unposted.items.map(({ kind, number, issueDate, state, amount, currency }) => [
      '',
      kind,
      number,
      issueDate,
      state,
      amount,
      currency,
    ]),
  ];
  return rows.map((row) => `${row.map(csvCell).join(',')}\r\n`).join('');
}

function documentRows({ documents }: VatReport): (readonly string[])[] {
  if (documents.length === 0) return [];
  return [
    ['document', 'kind', 'number', 'date', 'entry', 'base', 'vat', 'owed'],
    ...documents.map((one) => [
      one.postingId,
      one.kind,
      one.number,
      one.postingDate,
      one.entry,
      one.base,
      one.vat,
      one.owed,
    ]),
  ];
}

export function vatJson(report: VatReport): string {
  return `${JSON.stringify(report, null, 2)}\n`;
}
