// What the sandbox draws opens in programs that other people wrote.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Invoice } from '../../../lab/sandbox/model.js';
import { totalsOf } from '../../../lab/sandbox/money.js';
import { costReceipt, icelandicAmount } from '../../../lab/sandbox/render/cost-receipt.js';
import { costUbl } from '../../../lab/sandbox/render/cost-ubl.js';
import { invoicePdf } from '../../../lab/sandbox/render/invoice-pdf.js';
import { generateAccount } from '../../../lab/sandbox/world/generate-account.js';

const { profile, invoices, costs } = generateAccount({
  seed: 'readers',
  invoices: 250,
  costs: 120,
  from: '2025-01-01',
  to: '2025-06-30',
  companyName: 'Þörungur & Ægisdætur ehf.',
  trade: 'travel',
  difficulty: 'troubled',
});
let directory: string;
beforeAll(() => (directory = mkdtempSync(join(tmpdir(), 'sandbox-readers-'))));
afterAll(() => rmSync(directory, { recursive: true }));

function run(program: string, args: string[]): string {
  return execFileSync(program, args, { encoding: 'utf8', cwd: directory, stdio: ['ignore', 'pipe', 'pipe'] });
}

async function textOf(invoice: Invoice): Promise<string> {
  writeFileSync(join(directory, 'invoice.pdf'), await invoicePdf(profile, invoice));
  return run('pdftotext', ['-layout', 'invoice.pdf', '-']);
}

const first = (fits: (invoice: Invoice) => boolean): Invoice => invoices.find(fits)!;

describe('xmllint', () => {
  it('finds every UBL well-formed, that of troubled costs included', () => {
    const files = costs.map((cost, index) => {
      writeFileSync(join(directory, `cost-${index}.xml`), costUbl(profile, cost));
      return `cost-${index}.xml`;
    });
    expect(run('xmllint', ['--noout', '--nonet', ...files])).toBe('');
    const kennitala = `string(//*[local-name()="AccountingSupplierParty"]//*[local-name()="CompanyID"][@schemeID="0196"])`;
    expect(run('xmllint', ['--xpath', kennitala, 'cost-3.xml']).trim()).toBe(costs[3]!.supplier_id);
  });
});

describe('pdftotext', () => {
  it('reads names, numbers, dates and the total of an invoice, Icelandic letters included', async () => {
    const invoice = first(
      (each) => each.type === 'invoice' && each.currency === 'ISK' && each.status !== 'Draft',
    );
    const text = await textOf(invoice);
    expect(text).toContain('Þörungur & Ægisdætur ehf.');
    expect(text).toContain(invoice.customer.name);
    expect(text).toContain('Reikningur');
    expect(text).toContain(`nr. ${invoice.number}`);
    expect(text).toMatch(/Eindagi\s+\d\d\.\d\d\.2025/);
    for (const line of invoice.items) expect(text).toContain(line.description.split(' ')[0]);
    expect(text).toMatch(/Til greiðslu ISK\s+[\d.,]+/);
    expect(text).toContain(icelandicAmount(invoice.amount, 'ISK'));
  });

  it('tells credit notes, drafts and foreign invoices apart', async () => {
    expect(await textOf(first((each) => each.type === 'credit'))).toMatch(
      /Kreditreikningur[^]*Til inneignar/,
    );
    expect(await textOf(first((each) => each.status === 'Draft'))).toContain('Drög að reikningi');
    const foreign = first(
      (each) => each.currency !== 'ISK' && each.type === 'invoice' && each.status !== 'Draft',
    );
    const text = await textOf(foreign);
    expect(text).toContain('Gengi ISK');
    expect(text).toMatch(new RegExp(`Til greiðslu ${foreign.currency}\\s+[\\d.]+,\\d\\d`));
  });

  it('finds every line of an invoice that needs several pages, and one total', async () => {
    const line = { ...first((each) => each.currency === 'ISK').items[0]!, qty: 1 };
    const items = Array.from({ length: 90 }, (_, index) => ({
      ...line,
      description: `Lína númer ${index + 1}.`,
    }));
    const text = await textOf({
      ...invoices[0]!,
      currency: 'ISK',
      type: 'invoice',
      items,
      amount: totalsOf(items).amount,
    });
    expect(text.match(/Lína númer \d+\./g)).toHaveLength(90);
    expect(text.match(/Til greiðslu/g)).toHaveLength(1);
    expect(run('pdfinfo', ['invoice.pdf'])).toMatch(/Pages:\s+[3-5]\n/);
  });

  it('reads a receipt that was written by hand', () => {
    const cost = costs.find((each) => each.vat_S > 0 && each.vat_AA > 0)!;
    writeFileSync(join(directory, 'receipt.pdf'), costReceipt(profile, cost));
    const text = run('pdftotext', ['-layout', 'receipt.pdf', '-']);
    expect(text).toContain(cost.description);
    expect(text).toMatch(/VSK 24%[^]*VSK 11%/);
    expect(text).toMatch(
      new RegExp(`Samtals ISK\\s+${icelandicAmount(cost.amount, 'ISK').replaceAll('.', '\\.')}`),
    );
    expect(costReceipt(profile, cost).equals(costReceipt(profile, cost))).toBe(true);
  });
});
