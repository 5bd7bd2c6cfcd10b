// What a sales document of Business Central becomes, and which of them are none of ours.
import { describe, expect, test } from 'vitest';
import { Decimal } from '../../../src/domain/money.js';
import { readContent } from '../../../src/origins/content.js';
import {
  isBooking,
  isEmpty,
  numberIn,
  referenceOf,
  saleOf,
} from '../../../src/erp/business-central/origin/sales.js';
import type { BcSale, BcSaleLine } from '../../../src/erp/business-central/origin/read.js';

const line = (more: Partial<Record<keyof BcSaleLine, string>> = {}): BcSaleLine => {
  const { lineObjectNumber = '1000', description = 'Vara', unitOfMeasureCode = 'STK' } = more;
  const amount = (name: keyof BcSaleLine, usual: string) => new Decimal(more[name] ?? usual);
  return {
    ...{ lineObjectNumber, description, unitOfMeasureCode, quantity: amount('quantity', '2') },
    ...{ unitPrice: amount('unitPrice', '1000'), discountPercent: amount('discountPercent', '0') },
    ...{ taxPercent: amount('taxPercent', '24'), netAmount: amount('netAmount', '2000') },
  };
};

const sale = (more: Partial<BcSale> = {}): BcSale => ({
  ...{ number: '103001', date: '2026-03-01', dueDate: '2026-03-15', requestedDeliveryDate: '' },
  ...{ customerNumber: 'C1', currencyCode: 'ISK', externalDocumentNumber: 'PO 7', invoiceNumber: '' },
  ...{ totalAmountIncludingTax: new Decimal('2480'), lines: [line()] },
  ...more,
});

const contentOf = (given: BcSale, set: Parameters<typeof saleOf>[0] = 'salesInvoices') => {
  const { value } = saleOf(set, 'invoice', given, '5402696029');
  const read = readContent('invoice', value);
  if (read.outcome !== 'read') throw new Error(JSON.stringify(read.words));
  return read.content as Record<string, unknown> & { lines: Record<string, unknown>[] };
};

describe('a sales document of Business Central', () => {
  test('has its lines, dates and numbers, and stands in its books', () => {
    expect(contentOf(sale())).toMatchObject({
      ...{ issue_date: '2026-03-01', due_date: '2026-03-15', description: '103001', booking: 'PO 7' },
      lines: [{ item_number: '1000', qty: '2', unit_price: '1000', tax: 'S', uom: 'C62' }],
    });
    expect(saleOf('salesInvoices', 'invoice', sale(), '5402696029').booked).toBe('origin');
  });

  test('that is an order is in nobody’s books yet, and has a day of delivery', () => {
    const order = sale({ requestedDeliveryDate: '2026-04-01' });
    expect(saleOf('salesOrders', 'order', order, '5402696029').booked).toBeUndefined();
    expect(contentOf(order, 'salesOrders')).toMatchObject({ delivery_date: '2026-04-01' });
    expect(contentOf(order, 'salesOrders')).not.toHaveProperty('due_date');
  });

  test('has a line as its sum where quantity and price come to something else, and words for parts', () => {
    const withVat = line({ unitPrice: '1240' });
    const parts = line({ quantity: '1.5', netAmount: '1500' });
    const cut = line({ discountPercent: '10', netAmount: '1800' });
    const { lines } = contentOf(sale({ lines: [withVat, parts, cut] }));
    expect(lines[0]).toMatchObject({ qty: '1', unit_price: '2000' });
    expect(lines[1]).toMatchObject({ qty: '1', unit_price: '1500', description: 'Vara (1.5 STK)' });
    expect(lines[2]).toMatchObject({ qty: '2', unit_price: '1000', discount: '10', discount_type: true });
  });

  test('whose total is not what its lines come to names it, so that the write rules refuse it', () => {
    expect(contentOf(sale({ totalAmountIncludingTax: new Decimal('2500') }))).toMatchObject({
      amount: '2500',
    });
    expect(contentOf(sale({ totalAmountIncludingTax: new Decimal('2481') }))).not.toHaveProperty('amount');
  });

  test('credits the invoice that it is applied to', () => {
    const credit = sale({ number: '104001', invoiceNumber: '103001' });
    expect(contentOf(credit, 'salesCreditMemos')).toMatchObject({
      credit_of: referenceOf('salesInvoices', '103001'),
    });
  });

  test('is none of ours where the bridge booked it, or where it only fills a gap of numbers', () => {
    const key = 'IABCDEFGHIJKLMNOPQRS';
    expect(isBooking(sale({ externalDocumentNumber: `1042 ${key}` }))).toBe(true);
    expect(isBooking(sale({ externalDocumentNumber: key }))).toBe(true);
    expect(isBooking(sale())).toBe(false);
    const text = line({ lineObjectNumber: '', netAmount: '0' });
    expect(isEmpty(sale({ lines: [text], totalAmountIncludingTax: new Decimal(0) }))).toBe(true);
    expect(isEmpty(sale())).toBe(false);
  });

  test('is found by what it is called, among its own', () => {
    expect(numberIn('salesInvoices', 'invoice 103001')).toBe('103001');
    expect(numberIn('salesOrders', 'invoice 103001')).toBeNull();
    expect(numberIn('salesInvoices', 'invoice ')).toBeNull();
  });
});
