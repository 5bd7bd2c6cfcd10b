import { describe, expect, it } from 'vitest';
import { writeWireJson } from '../../../src/http/wire-json.js';
import { dkPlusConfiguration } from '../../../src/erp/dkplus/settings.js';
import { dispositions } from '../../../src/erp/dkplus/client.js';
import { toDkJournal, toDkPartner, toEntries } from '../../../src/erp/dkplus/translate.js';
import { Decimal } from '../../../src/domain/money.js';
import { dkPlusSettings } from '../../support/fakes/dkplus-books.js';
import { FAKE_CHART } from '../../support/fakes/fake-chart.js';
import { INVOICE_KEY, invoiceJournal } from '../../support/fakes/sample-journals.js';

const settings = dkPlusConfiguration.parse(dkPlusSettings('http://localhost:1'));

describe('dkPlus translation', () => {
  it('writes an invoice as one journal with the key on every line and both spellings of the switch', () => {
    expect(JSON.parse(writeWireJson(toDkJournal(INVOICE_KEY, invoiceJournal(), settings)))).toEqual({
      Code: 'EINV',
      Description: 'SR1001 Reikningur 1001 – Þórður Ægisson',
      Option: { Post: true, GenerateVoucher: true },
      Options: { Post: true, GenerateVoucher: true },
      Lines: [
        {
          Type: 'Customer',
          Account: '4501011230',
          Amount: 12400,
          Currency: 'ISK',
          Date: '2026-03-15T00:00:00Z',
          DueDate: '2026-04-14T00:00:00Z',
          Reference: INVOICE_KEY,
          Text: 'SR1001 Viðskiptakrafa',
        },
        {
          Type: 'GeneralLedger',
          Account: '3000',
          Amount: -10000,
          Currency: 'ISK',
          Date: '2026-03-15T00:00:00Z',
          Dim1: 'RVK',
          Reference: INVOICE_KEY,
          Text: 'SR1001 Ráðgjöf',
        },
        {
          Type: 'GeneralLedger',
          Account: '2500',
          Amount: -2400,
          Currency: 'ISK',
          Date: '2026-03-15T00:00:00Z',
          Reference: INVOICE_KEY,
          Text: 'SR1001 Útskattur 24%',
        },
      ],
    });
  });

  it('reads two vouchers under one reference as two entries', () => {
    const row = {
      ID: 1,
      Account: '1500',
      Amount: new Decimal('-0.5'),
      JournalDate: '2026-03-15T00:00:00',
      Reference: INVOICE_KEY,
      Text: '',
      Voucher: 'a1',
      SubAccount: '4501011230',
      Dim1: '',
      Dim2: '',
      Dim3: '',
      Currency: 'ISK',
    };
    const entries = toEntries([row, { ...row, ID: 2, Voucher: 'a2' }], settings);
    expect(entries.map((entry) => entry.reference.id)).toEqual(['a1', 'a2']);
    expect(entries[0]?.lines[0]).toMatchObject({ account: '1500', counterparty: '4501011230' });
    expect(entries[0]?.lines[0]?.credit.toFixed()).toBe('0.5');
  });

  it('numbers a new customer by kennitala and leaves unknown fields out', () => {
    expect(toDkPartner(FAKE_CHART.newCustomer, '6001012340')).toEqual({
      Number: '6001012340',
      Name: 'Nýi viðskiptavinurinn',
      ZipCode: '101',
    });
  });
});

describe('dkPlus dispositions', () => {
  const answer = (status: number, message: string, headers = {}) =>
    dispositions.judge(
      {
        outcome: 'response',
        status,
        headers,
        body: Buffer.from(JSON.stringify({ Message: message })),
        durationMs: 1,
      },
      'write',
      new Date(),
    );

  it.each([
    [400, 'The period of 2025-12-30 is closed', { outcome: 'rejected', code: 'closed-period' }],
    [400, 'Account 7777 not found', { outcome: 'rejected', code: 'unknown-account' }],
    [400, 'Account 3999 is closed', { outcome: 'rejected', code: 'blocked-account' }],
    [400, 'Customer 450101 not found', { outcome: 'rejected', code: 'unknown-party' }],
    [400, 'Something new', { outcome: 'rejected', code: 'invalid' }],
    [401, 'Authorization has been denied for this request.', { outcome: 'auth' }],
    [500, 'An error has occurred.', { outcome: 'unknown' }],
    [503, 'Service unavailable', { outcome: 'unknown' }],
    [504, 'Gateway timeout', { outcome: 'unknown' }],
  ])('%i "%s"', (status, message, expected) => {
    expect(answer(status, message)).toMatchObject(expected);
  });

  it('waits as long as it is told', () => {
    expect(answer(429, 'Slow down', { 'retry-after': '7' })).toMatchObject({ retryAfterMs: 7000 });
  });
});

describe('dkPlus configuration', () => {
  it.each([
    [{ journalCode: 'TOOLONG' }, 'at most 4 characters'],
    [{ token: '6f1c1f4e-7a0b' }, 'must name a secret'],
    [{ company: '12' }, 'must be a kennitala'],
    [{ baseUrl: 'http://api.dkplus.is/api/v1' }, 'must start with https://'],
    [{ baseUrl: 'dkplus' }, 'must be a URL'],
    [{ jurnalCode: 'X' }, 'Unrecognized key'],
  ])('says what is wrong with %j', (overrides, message) => {
    const parsed = dkPlusConfiguration.safeParse(dkPlusSettings('http://localhost:1', overrides));
    expect(parsed.error?.message).toContain(message);
  });
});
