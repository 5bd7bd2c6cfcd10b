// `ledgerbridge vat`: the VAT return of a period as the books have it.
import { writeFile } from 'node:fs/promises';
import { BOX_NAMES } from '../operations/vat/report.js';
import type { VatReport } from '../operations/views/vat.js';
import { answer, type JsonOption, JSON_FLAG } from './answer.js';
import { type CliIo, examples, type RegisterCommand } from './command.js';
import { documents, money, table } from './table.js';
import { exportBy, withOperations } from './operate.js';

interface VatOptions extends JsonOption {
  readonly code?: string;
  readonly csv?: boolean;
  readonly pdf?: string;
}

export const registerVat: RegisterCommand = (program, io) => {
  program
    .command('vat <tenant> <period>')
    .description('the VAT return of a period as the books have it, and what is not in them yet')
    .option('-c, --code <code>', 'with the documents behind this VAT code')
    .option('--csv', 'answer in CSV, for a spreadsheet')
    .option('--pdf <file>', 'write it to this file as PDF')
    .option(...JSON_FLAG)
    .addHelpText(
      'after',
      examples(
        ['ledgerbridge vat hraun 2026-09..10', 'September and October'],
        ['ledgerbridge vat hraun 2026-09..10 --code U24', 'which documents are in box A'],
        ['ledgerbridge vat hraun 2026 --csv > vat.csv', 'the whole year'],
      ),
    )
    .action((tenant: string, period: string, options: VatOptions) =>
      withOperations(io, async (operations) => {
        const { vatPeriod } = await import('../operations/vat/period.js');
        const report = await operations.vatReport({ tenant, ...vatPeriod(period), code: options.code });
        const taken = options.pdf === undefined ? (options.csv ? 'csv' : null) : 'pdf';
        if (taken !== null) {
          const filter = { period, code: options.code, format: taken };
          await operations.exports.whole(exportBy(io, { what: 'vat', tenant, filter }), undefined);
        }
        if (options.pdf !== undefined) {
          const { vatPdf } = await import('../operations/vat/pdf.js');
          await writeFile(options.pdf, await vatPdf(report));
        }
        if (options.csv) io.out((await import('../operations/vat/write.js')).vatCsv(report));
        else answer(io, options, report, () => shown(io, report));
      }),
    );
};

const BOXES: Readonly<Record<(typeof BOX_NAMES)[number], string>> = {
  A: 'turnover at 24 %',
  B: 'turnover at 11 %',
  C: 'turnover exempt by article 12',
  D: 'output tax',
  E: 'input tax',
  F: 'to pay (D less E)',
};

function shown(io: CliIo, report: VatReport): string {
  const boxes = table(
    io,
    [
      { title: 'BOX', value: (box) => box },
      { title: '', value: (box) => BOXES[box] },
      { title: 'ISK', value: (box) => money(report.boxes[box]), align: 'right' },
    ],
    BOX_NAMES,
  );
  const codes = table(
    io,
    [
      { title: 'CODE', value: ({ code }) => code },
      { title: 'SIDE', value: ({ side }) => side },
      { title: 'BOX', value: ({ box }) => (box === 'none' ? '' : box) },
      { title: 'BASE', value: ({ base }) => money(base), align: 'right' },
      { title: 'VAT', value: ({ vat }) => money(vat), align: 'right' },
      { title: 'OWED', value: ({ owed }) => money(owed), align: 'right' },
      { title: 'ENTRIES', value: ({ entries }) => String(entries), align: 'right' },
    ],
    report.codes,
  );
  return [
    `${report.tenant}, ${report.from} to ${report.to}`,
    boxes,
    codes,
    ...behind(io, report),
    ...beside(report),
  ].join('\n');
}

function behind(io: CliIo, { documents: rows, documentsLeftOut }: VatReport): string[] {
  if (rows.length === 0) return [];
  const listed = table(
    io,
    [
      { title: 'DATE', value: ({ postingDate }) => postingDate },
      { title: 'NUMBER', value: ({ number, guid }) => number || guid.slice(0, 8) },
      { title: 'NAME', value: ({ counterpartyName }) => counterpartyName },
      { title: 'ENTRY', value: ({ entry }) => entry },
      { title: 'BASE', value: ({ base }) => money(base), align: 'right' },
      { title: 'VAT', value: ({ vat }) => money(vat), align: 'right' },
    ],
    rows,
  );
  return [documentsLeftOut === 0 ? listed : `${listed}and ${documents(documentsLeftOut)} more\n`];
}

function beside({ outside, withoutLines, unposted }: VatReport): string[] {
  const count = `${String(unposted.items.length)}${unposted.more ? ' or more' : ''}`;
  return [
    ...(outside === '0' ? [] : [`Turnover outside the return: ${money(outside)}.`]),
    ...(withoutLines === 0
      ? []
      : [`${String(withoutLines)} entries have no lines on record: look in the ERP.`]),
    ...(unposted.items.length === 0
      ? ['Every document of the period is in the books.']
      : [
          `Not in the books yet, and would change it: ${count} (ledgerbridge documents --tenant … shows them).`,
        ]),
  ];
}
