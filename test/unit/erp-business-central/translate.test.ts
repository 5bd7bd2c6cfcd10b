import { describe, expect, it } from 'vitest';
import { businessCentralConfiguration } from '../../../src/erp/business-central/settings.js';
import { judge } from '../../../src/erp/business-central/client.js';
import {
  batchCode,
  splitBookings,
  toBcJournal,
  toBcPartner,
  toLineDimensions,
} from '../../../src/erp/business-central/translate.js';
import { Decimal, ZERO } from '../../../src/domain/money.js';
import { writeWireJson } from '../../../src/http/wire-json.js';
import { businessCentralSettings } from '../../support/fakes/business-central-books.js';
import { FAKE_CHART } from '../../support/fakes/fake-chart.js';
import { INVOICE_KEY, invoiceJournal } from '../../support/fakes/sample-journals.js';

const settings = businessCentralConfiguration.parse(businessCentralSettings('http://localhost:1'));
const PARTNERS = new Map([['customer/4501011230', 'C00010']]);

describe('Business Central translation', () => {
  it('writes an invoice as a batch of its own with the key as document number', () => {
    expect(JSON.parse(writeWireJson(toBcJournal(INVOICE_KEY, invoiceJournal(), settings, PARTNERS)))).toEqual(
      {
        code: 'LBABCDEFGX',
        displayName: 'ledgerbridge, being made',
        journalLines: [
          {
            lineNumber: 10000,
            accountType: 'Customer',
            accountNumber: 'C00010',
            postingDate: '2026-03-15',
            documentNumber: INVOICE_KEY,
            externalDocumentNumber: 'SR1001',
            amount: 12400,
            description: 'SR1001 Viðskiptakrafa kt. 4501011230',
          },
          {
            lineNumber: 20000,
            accountNumber: '3000',
            postingDate: '2026-03-15',
            documentNumber: INVOICE_KEY,
            externalDocumentNumber: 'SR1001',
            amount: -10000,
            description: 'SR1001 Ráðgjöf',
          },
          {
            lineNumber: 30000,
            accountNumber: '2500',
            postingDate: '2026-03-15',
            documentNumber: INVOICE_KEY,
            externalDocumentNumber: 'SR1001',
            amount: -2400,
            description: 'SR1001 Útskattur 24%',
          },
        ],
      },
    );
    expect(toLineDimensions(invoiceJournal(), settings)).toEqual([
      { lineNumber: 20000, code: 'COSTLOC', valueCode: 'RVK' },
    ]);
  });

  it('names batches with ten characters that no setting counts up', () => {
    expect(batchCode('I2345672345672345672')).toMatch(/^LB[A-Z]{7}X$/);
    expect(batchCode('I234567A345672345672')).not.toBe(batchCode('I234567B345672345672'));
  });

  it('keeps the kennitala at the end of a long description', () => {
    const [receivable, ...rest] = invoiceJournal().lines;
    const lines = [{ ...receivable!, text: 'Á'.repeat(300) }, ...rest];
    const [line] = toBcJournal(INVOICE_KEY, invoiceJournal({ lines }), settings, PARTNERS).journalLines;
    expect(line?.description).toHaveLength(100);
    expect(line?.description.endsWith(' kt. 4501011230')).toBe(true);
  });

  it('numbers a new customer by kennitala', () => {
    expect(toBcPartner(FAKE_CHART.newCustomer)).toEqual({
      number: '6001012340',
      displayName: 'Nýi viðskiptavinurinn',
      postalCode: '101',
      country: 'IS',
      taxRegistrationNumber: '6001012340',
    });
  });

  it('sends of a new customer only what Business Central has room for', () => {
    const long = 'Á'.repeat(200);
    const party = {
      ...FAKE_CHART.newCustomer,
      name: long,
      address: long,
      city: long,
      zip: long,
      email: long,
    };
    expect(toBcPartner(party)).toEqual({
      number: '6001012340',
      displayName: 'Á'.repeat(100),
      addressLine1: 'Á'.repeat(100),
      city: 'Á'.repeat(30),
      country: 'IS',
      taxRegistrationNumber: '6001012340',
    });
  });
});

describe('Business Central bookings', () => {
  const entry = (entryNumber: number, accountNumber: string, amount: number) => ({
    id: String(entryNumber),
    entryNumber,
    postingDate: '2026-03-15',
    documentNumber: INVOICE_KEY,
    accountNumber,
    description: accountNumber,
    debitAmount: amount > 0 ? new Decimal(amount) : ZERO,
    creditAmount: amount < 0 ? new Decimal(-amount) : ZERO,
  });

  it('counts a repeated booking as two, whether others came in between or not', () => {
    const once = [entry(1, '1500', 5), entry(2, '3000', -5)];
    expect(splitBookings(once)).toHaveLength(1);
    expect(splitBookings([...once, entry(3, '1500', 5), entry(4, '3000', -5)])).toHaveLength(2);
    expect(splitBookings([...once, entry(7, '1500', 5), entry(8, '3000', -5)])).toHaveLength(2);
  });

  it('does not split one booking that balances half-way', () => {
    const lines = [entry(1, '1500', 5), entry(2, '3000', -5), entry(3, '1500', 7), entry(4, '3010', -7)];
    expect(splitBookings(lines)).toHaveLength(1);
  });
});

describe('Business Central dispositions', () => {
  it.each([
    [401, 'Authentication_InvalidCredentials', 'x', { outcome: 'auth' }],
    [403, 'Authorization_RequestDenied', 'x', { outcome: 'auth' }],
    [409, 'Request_EntityChanged', 'x', { outcome: 'transient' }],
    [500, 'Internal_ServerError', 'x', { outcome: 'unknown' }],
    [503, 'Internal_TenantUnavailable', 'x', { outcome: 'unknown' }],
    [429, 'Application_TooManyRequests', 'x', { outcome: 'unknown' }],
    [400, 'A code of somebody else', 'x', { outcome: 'unknown' }],
    [408, 'Application_DialogException', 'x', { outcome: 'unknown' }],
    [504, '', 'x', { outcome: 'unknown' }],
    [400, 'Internal_EntityWithSameKeyExists', 'x', { outcome: 'rejected', code: 'duplicate' }],
    [400, 'Internal_InvalidTableRelation', 'x', { outcome: 'rejected', code: 'unknown-account' }],
    [
      400,
      'Application_DialogException',
      'Posting Date is not within your range of allowed posting dates.',
      { outcome: 'rejected', code: 'closed-period' },
    ],
    [400, 'Application_StringExceededLength', 'x', { outcome: 'rejected', code: 'invalid' }],
  ])('%i %s', (status, code, message, expected) => {
    const body = Buffer.from(JSON.stringify({ error: { code, message } }));
    expect(judge({ status, headers: {}, body }, 'write', new Date())).toMatchObject(expected);
  });
});

describe('a cause', () => {
  it('is the same for two documents: the id that Business Central gives each answer is no part of it', () => {
    const said = (id: string) => {
      const message = `The account is blocked.  CorrelationId:  ${id}.`;
      const body = Buffer.from(JSON.stringify({ error: { code: 'Application_DialogException', message } }));
      return judge({ status: 400, headers: {}, body }, 'write', new Date()).message;
    };
    const first = said('0f8fad5b-d9cb-469f-a165-70867728950e');
    expect(first).toBe(said('7c9e6679-7425-40de-944b-e07fc1f90ae7'));
    expect(first).toContain('The account is blocked.');
  });
});

describe('Business Central configuration', () => {
  it.each([
    [{ companyId: 'CRONUS' }, 'must be a GUID'],
    [{ clientSecret: 'Q~secret' }, 'must name a secret'],
    [{ posting: 'later' }, 'job-queue'],
  ])('says what is wrong with %j', (overrides, message) => {
    const parsed = businessCentralConfiguration.safeParse(
      businessCentralSettings('http://localhost:1', overrides),
    );
    expect(parsed.error?.message).toContain(message);
  });
});
