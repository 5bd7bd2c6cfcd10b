import { describe, expect, it } from 'vitest';
import { odooConfiguration } from '../../../src/erp/odoo/settings.js';
import { errorIn, judge, judgeError } from '../../../src/erp/odoo/client.js';
import { externalIdOf, toEntryValues, toPartnerImport } from '../../../src/erp/odoo/translate.js';
import { readWireJson, writeWireJson } from '../../../src/http/wire-json.js';
import { FAKE_CHART } from '../../support/fakes/fake-chart.js';
import { odooSettings } from '../../support/fakes/odoo-books.js';
import { INVOICE_KEY, invoiceJournal } from '../../support/fakes/sample-journals.js';

const NUMBERS = {
  journals: { entries: 7, sales: 8, purchases: 9 },
  accounts: new Map([
    ['1500', 11],
    ['3000', 12],
    ['2500', 13],
  ]),
  currencies: new Map([['EUR', 2]]),
  partners: new Map([['4501011230', 9]]),
  taxes: new Map(),
  analyticAccounts: new Map([['costLocation=RVK', 21]]),
};

describe('Odoo translation', () => {
  it('says the number of the document once, also where the rules have put it into the text', () => {
    const journal = invoiceJournal();
    const lines = journal.lines.map((line) => ({ ...line, text: `${journal.documentNo} Hraun ehf.` }));
    const { line_ids } = toEntryValues(INVOICE_KEY, { ...journal, lines }, NUMBERS);
    expect(new Set(line_ids.map(([, , { name }]) => name))).toEqual(new Set(['SR1001 Hraun ehf.']));
  });

  it('writes an invoice as a draft entry with empty taxes on every line', () => {
    expect(JSON.parse(writeWireJson(toEntryValues(INVOICE_KEY, invoiceJournal(), NUMBERS)))).toEqual({
      move_type: 'entry',
      journal_id: 7,
      date: '2026-03-15',
      ref: INVOICE_KEY,
      line_ids: [
        [
          0,
          0,
          {
            account_id: 11,
            name: 'SR1001 Viðskiptakrafa',
            debit: 12400,
            credit: 0,
            partner_id: 9,
            date_maturity: '2026-04-14',
            tax_ids: [[6, 0, []]],
          },
        ],
        [
          0,
          0,
          {
            account_id: 12,
            name: 'SR1001 Ráðgjöf',
            debit: 0,
            credit: 10000,
            analytic_distribution: { '21': 100 },
            tax_ids: [[6, 0, []]],
          },
        ],
        [
          0,
          0,
          {
            account_id: 13,
            name: 'SR1001 Útskattur 24%',
            debit: 0,
            credit: 2400,
            tax_ids: [[6, 0, []]],
          },
        ],
      ],
    });
  });

  it('imports a new partner under an external id of its kennitala, companies marked as such', () => {
    expect(toPartnerImport(FAKE_CHART.newCustomer)).toEqual({
      fields: ['id', 'name', 'company_registry', 'is_company', 'zip'],
      data: [
        ['__import__.ledgerbridge_partner_6001012340', 'Nýi viðskiptavinurinn', '6001012340', '1', '101'],
      ],
    });
    expect(toPartnerImport({ kind: 'supplier', kennitala: '010130-3019', name: 'Anna' })).toEqual({
      fields: ['id', 'name', 'company_registry', 'is_company'],
      data: [['__import__.ledgerbridge_partner_0101303019', 'Anna', '0101303019', '0']],
    });
  });

  it('makes one external id of each number, whatever is in it', () => {
    expect(externalIdOf('600101-2340')).toBe(externalIdOf('6001012340'));
    const foreign = ['DE 12', 'DE-12', 'DE.12', 'DE_12', 'DE12', 'DE_2d_12'].map(externalIdOf);
    expect(new Set(foreign).size).toBe(foreign.length);
    expect(foreign.filter((id) => !/^__import__\.\w+$/.test(id))).toEqual([]);
  });
});

describe('Odoo dispositions', () => {
  it.each([
    ['odoo.exceptions.UserError', { outcome: 'rejected', code: 'invalid' }],
    ['odoo.exceptions.AccessDenied', { outcome: 'auth' }],
    ['psycopg2.errors.SerializationFailure', { outcome: 'transient' }],
    ['psycopg2.OperationalError', { outcome: 'unknown' }],
    ['builtins.ValueError', { outcome: 'rejected' }],
  ])('%s', (name, expected) => {
    expect(judgeError({ name, message: 'x' })).toMatchObject(expected);
  });

  it('finds the error in a JSON-RPC body that came with 200', () => {
    const text = '{"error":{"code":200,"message":"Odoo Server Error","data":{"name":"a.B","message":"no"}}}';
    expect(errorIn(readWireJson(Buffer.from(text)))).toMatchObject({ name: 'a.B', message: 'no' });
  });

  it.each([
    [401, '"Access Denied"', 'auth', 'Access Denied'],
    [422, '"Bare"', 'rejected', 'Bare'],
    [500, '"Internal"', 'unknown', 'Internal'],
    [502, '<html>', 'unknown', '502'],
    [503, '', 'unknown', '503'],
    [403, '<html>', 'unknown', '403'],
    [503, '{"name":"odoo.exceptions.UserError","message":"x","debug":""}', 'unknown', '503'],
  ])('reads a bare string: %i %s', (status, text, outcome, message) => {
    const response = {
      outcome: 'response',
      status,
      headers: {},
      body: Buffer.from(text),
      durationMs: 1,
    } as const;
    const judged = judge(response, 'write', new Date());
    expect(judged.outcome).toBe(outcome);
    expect(judged.message).toContain(message);
  });
});

describe('Odoo configuration', () => {
  it.each([
    [{ protocol: 'json-rpc' }, 'is needed with `protocol: json-rpc`'],
    [{ apiKeyExpires: 'soon' }, 'must be a day'],
    [{ url: 'http://odoo.example.is' }, 'must start with https://'],
    [{ apiKey: '6578616d706c65' }, 'must name a secret'],
  ])('says what is wrong with %j', (overrides, message) => {
    const parsed = odooConfiguration.safeParse(odooSettings('http://localhost:1', overrides));
    expect(parsed.error?.message).toContain(message);
  });
});
