import { describe, expect, it } from 'vitest';
import { xeroConfiguration } from '../../../src/erp/xero/settings.js';
import { complaintsIn, judge, refused } from '../../../src/erp/xero/client.js';
import { toXeroJournal } from '../../../src/erp/xero/translate.js';
import { xeroDay } from '../../../src/erp/xero/wire.js';
import { mirrorJournal } from '../../../src/erp/reversal.js';
import { writeWireJson } from '../../../src/http/wire-json.js';
import { COST_KEY, INVOICE_KEY, invoiceJournal } from '../../support/fakes/sample-journals.js';
import { xeroSettings } from '../../support/fakes/xero-books.js';

const settings = xeroConfiguration.parse(xeroSettings('http://localhost:1'));

describe('Xero translation', () => {
  it('writes an invoice as one posted manual journal that opens with the key', () => {
    expect(JSON.parse(writeWireJson(toXeroJournal(INVOICE_KEY, invoiceJournal(), settings)))).toEqual({
      Narration: `${INVOICE_KEY} SR1001 Reikningur 1001 – Þórður Ægisson`,
      Date: '2026-03-15',
      Status: 'POSTED',
      LineAmountTypes: 'NoTax',
      JournalLines: [
        { LineAmount: 12400, AccountCode: '1590', Description: 'SR1001 Viðskiptakrafa kt. 4501011230' },
        {
          LineAmount: -10000,
          AccountCode: '3000',
          Description: 'SR1001 Ráðgjöf',
          Tracking: [{ Name: 'Staður', Option: 'RVK' }],
        },
        { LineAmount: -2400, AccountCode: '2500', Description: 'SR1001 Útskattur 24%' },
      ],
    });
  });

  it('names the key that a reversal undoes in its narration', () => {
    const original = {
      reference: { id: 'x' },
      key: INVOICE_KEY,
      state: 'posted' as const,
      postingDate: '2026-03-15',
      lines: invoiceJournal().lines,
    };
    const mirror = mirrorJournal({ key: COST_KEY, original, date: '2026-03-31', reason: 'Rangt' });
    expect(toXeroJournal(COST_KEY, mirror, settings).Narration).toBe(
      `${COST_KEY} Bakfærsla ${INVOICE_KEY} Rangt`,
    );
  });

  it('reads dates as milliseconds', () => {
    expect(xeroDay.parse('/Date(1546214400000+0000)/')).toBe('2018-12-31');
    expect(xeroDay.safeParse('2018-12-31').success).toBe(false);
  });
});

describe('Xero dispositions', () => {
  it.each([
    ['The document date cannot be before the period lock date', 'closed-period'],
    ['The total debits (100.00) must equal total credits (-10.00)', 'unbalanced'],
    ["Account code '7777' is not a recognised account", 'unknown-account'],
    ['Account 610 cannot be used in manual journals', 'blocked-account'],
    ['Something new', 'invalid'],
  ])('"%s" is %s', (message, code) => {
    expect(refused([message])).toMatchObject({ outcome: 'rejected', code });
  });

  it('finds complaints in a 200, in a 400 and in neither', () => {
    const errors = [{ Message: 'a' }, { Message: 'b' }];
    expect(complaintsIn({ ManualJournals: [{ ValidationErrors: errors }] })).toEqual(['a', 'b']);
    expect(complaintsIn({ Message: 'x', Elements: [{ ValidationErrors: errors }] })).toEqual(['a', 'b']);
    expect(complaintsIn({ ManualJournals: [{ ValidationErrors: [] }] })).toEqual([]);
  });

  it.each([
    [403, '{"Title":"Forbidden","Status":403,"Detail":"AuthenticationUnsuccessful"}', {}, 'auth'],
    [403, '', {}, 'unknown'],
    [404, '', {}, 'unknown'],
    [429, '', { 'x-rate-limit-problem': 'minute' }, 'transient'],
    [429, '{"Message":"slow down"}', {}, 'unknown'],
    [500, '{"Message":"An error occurred in Xero."}', {}, 'unknown'],
    [503, '', {}, 'unknown'],
    [504, '', {}, 'unknown'],
  ])('%i with "%s" and %j is %s after a write', (status, text, headers, outcome) => {
    const response = {
      outcome: 'response',
      status,
      headers: headers as Record<string, string>,
      body: Buffer.from(text),
      durationMs: 1,
    } as const;
    expect(judge(response, 'write', new Date()).outcome).toBe(outcome);
  });
});

describe('Xero configuration', () => {
  it.each([
    [{ clearingAccounts: { '1500': '1590', '1501': '1590' } }, 'a different Xero account for each'],
    [{ tenantId: 'mine' }, 'must be a GUID'],
    [{ clientSecret: 'x' }, 'must name a secret'],
  ])('says what is wrong with %j', (overrides, message) => {
    const parsed = xeroConfiguration.safeParse(xeroSettings('http://localhost:1', overrides));
    expect(parsed.error?.message).toContain(message);
  });
});
